/** The page's side of the protocol: promises in place of messages. */

import type { Answers, FromWorker, Request, RequestType, RunOrder, ToWorker } from './protocol.ts';

/** A finished run with its first window. */
export type RunReply = Extract<FromWorker, { type: 'ran' }>;

/** What of a Worker the client uses. */
export interface WorkerLike {
  postMessage(message: ToWorker): void;
  onmessage: ((event: MessageEvent<FromWorker>) => void) | null;
  onerror: ((event: ErrorEvent) => void) | null;
}

/** Talks to one worker. */
export interface EngineClient {
  /** Runs; undefined if a newer run or `cancel` came first. Rejects with the message to show. */
  run(
    order: RunOrder,
    onProgress?: (rows: number, nowNs: number, read?: number) => void,
  ): Promise<RunReply | undefined>;
  /**
   * Asks about the newest finished run. Of `view` and `rows` the latest wins: while one is being answered only the
   * newest further one is kept, and those that it replaces resolve to undefined.
   */
  ask<T extends RequestType>(request: Extract<Request, { type: T }>): Promise<Answers[T] | undefined>;
  /** Ends the run under way, if any. */
  cancel(): void;
}

interface Waiting {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
  readonly onProgress?: ((rows: number, nowNs: number, read?: number) => void) | undefined;
}

interface QueuedRequest {
  readonly request: Request;
  readonly waiting: Waiting;
}

const LATEST_WINS: ReadonlySet<RequestType> = new Set<RequestType>(['view', 'rows']);

/** A client of `worker`, which it takes over. */
export function createEngineClient(worker: WorkerLike): EngineClient {
  const waiting = new Map<number, Waiting>();
  /** Requests of which the latest wins: the id that is being answered, the newest that waits behind it. */
  const inFlight = new Map<RequestType, number>();
  const queued = new Map<RequestType, QueuedRequest>();
  let lastId = 0;
  let runId = 0;

  const send = (request: Request, entry: Waiting) => {
    const id = ++lastId;
    waiting.set(id, entry);
    if (LATEST_WINS.has(request.type)) inFlight.set(request.type, id);
    worker.postMessage({ type: 'ask', id, request });
  };
  const settled = (id: number) => {
    waiting.delete(id);
    for (const [type, current] of inFlight) {
      if (current !== id) continue;
      inFlight.delete(type);
      const next = queued.get(type);
      queued.delete(type);
      if (next !== undefined) send(next.request, next.waiting);
    }
  };

  worker.onmessage = ({ data }) => {
    const entry = waiting.get(data.id);
    if (entry === undefined) return;
    if (data.type === 'progress') {
      entry.onProgress?.(data.rows, data.nowNs, data.read);
      return;
    }
    settled(data.id);
    if (data.type === 'error') entry.reject(new Error(data.message));
    else entry.resolve(data.type === 'ran' ? data : data.type === 'answer' ? data.value : undefined);
  };
  worker.onerror = (event) => {
    const error = new Error(`the simulation stopped: ${event.message}`);
    for (const entry of [...waiting.values(), ...[...queued.values()].map((next) => next.waiting)])
      entry.reject(error);
    waiting.clear();
    queued.clear();
    inFlight.clear();
  };

  return {
    run(order, onProgress) {
      const id = ++lastId;
      runId = id;
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve: resolve as Waiting['resolve'], reject, onProgress });
        worker.postMessage({ type: 'run', id, ...order });
      });
    },
    ask(request) {
      return new Promise((resolve, reject) => {
        const entry: Waiting = { resolve: resolve as Waiting['resolve'], reject };
        if (!inFlight.has(request.type)) {
          send(request, entry);
          return;
        }
        queued.get(request.type)?.waiting.resolve(undefined);
        queued.set(request.type, { request, waiting: entry });
      });
    },
    cancel() {
      worker.postMessage({ type: 'cancel', id: runId });
    },
  };
}
