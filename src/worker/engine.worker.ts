/** The worker: engine, log and indexes live here. All logic is in engineLoop.ts. */
import { createRun } from '../engine/run.ts';
import { EngineLoop } from './engineLoop.ts';
import type { ToWorker } from './protocol.ts';

const loop = new EngineLoop({
  createRun,
  post: (message, transfer) => self.postMessage(message, { transfer: transfer as ArrayBuffer[] }),
  now: () => performance.now(),
});

// A message to oneself lets messages of the page in between two slices: 8 us, against 4 ms of a nested setTimeout.
const turns = new MessageChannel();
let isTurnAsked = false;

function askTurn(): void {
  if (isTurnAsked || !loop.isBusy) return;
  isTurnAsked = true;
  turns.port2.postMessage(undefined);
}

turns.port1.onmessage = () => {
  isTurnAsked = false;
  loop.slice();
  askTurn();
};

self.onmessage = (event: MessageEvent<ToWorker>) => {
  loop.receive(event.data);
  askTurn();
};
