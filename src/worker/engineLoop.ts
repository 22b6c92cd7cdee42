/**
 * What the worker does with messages, without a Worker: runs are simulated in slices, a newer run cancels the one
 * under way, questions are answered from the newest finished run. Testable in Node.
 */

import type { LaneView } from '../analysis/laneTypes.ts';
import { viewBuffers } from '../analysis/lod.ts';
import { type Pieces, part } from '../analysis/pieces.ts';
import { windowBuffers } from '../analysis/rowWindow.ts';
import type { SimConfig } from '../engine/config.ts';
import { LogMemory } from '../engine/core/logMemory.ts';
import type { Run, RunLimits, RunStatus } from '../engine/run.ts';
import type {
  Answers,
  FirstView,
  FromWorker,
  Request,
  RequestType,
  RowsReply,
  RowsRequest,
  ToWorker,
} from './protocol.ts';
import { readRun } from './readRun.ts';
import { RunSession } from './runSession.ts';

/** Engine events between two looks at the clock, and real time of a slice: a cancel is seen within so long. */
const BUDGET_EVENTS = 4096;
const SLICE_MS = 12;
const PROGRESS_MS = 100;

/** The world as the loop sees it. */
export interface LoopPort {
  readonly createRun: (config: SimConfig, limits?: RunLimits) => Run;
  readonly post: (message: FromWorker, transfer: ArrayBufferLike[]) => void;
  /** Real time in ms. */
  readonly now: () => number;
}

type RunMessage = Extract<ToWorker, { type: 'run' }>;

interface RunUnderWay {
  readonly message: RunMessage;
  readonly run: Run;
  readonly startedMs: number;
  toldMs: number;
  /** It has ended, and its log is being read. */
  reading?: Reading;
}

/** A log that is read in pieces, up to what is shown of it first. */
interface Reading {
  readonly status: Extract<RunStatus, { state: 'ended' }>;
  readonly simulatedMs: number;
  readonly work: Pieces<Opened>;
  share: number;
}

/** A run that has been read. */
interface Opened {
  readonly session: RunSession;
  readonly view: readonly LaneView[];
  readonly rows: RowsReply;
}

/** A question that takes long. */
interface Asked {
  readonly id: number;
  readonly request: Request;
  readonly work: Pieces<Answers[RequestType]>;
}

/** Where parts end, as shares of the time: reading rows, putting lanes together; the state at the cursor comes last. */
const READING_ENDS = 0.8;
const VIEW_ENDS = 0.85;

function* openRun({ log, info }: Run, first: FirstView, at: RowsRequest): Pieces<Opened> {
  const read = yield* part(readRun(log, info), 0, READING_ENDS);
  const session = new RunSession(log, info, read);
  const view = yield* part(session.firstView(first), READING_ENDS, VIEW_ENDS);
  const rows = yield* part(session.rowsInPieces(at), VIEW_ENDS, 1);
  return { session, view, rows };
}

/** One worker's state. */
export class EngineLoop {
  readonly #port: LoopPort;
  #current: RunUnderWay | undefined;
  #session: RunSession | undefined;
  /** What is answered in slices, the newest first. */
  readonly #asked: Asked[] = [];
  readonly #memory = new LogMemory();

  constructor(port: LoopPort) {
    this.#port = port;
  }

  /** True while a run is under way or a question takes long: `slice` is to be called. */
  get isBusy(): boolean {
    return this.#current !== undefined || this.#asked.length > 0;
  }

  /** Takes a message. Never throws: faults are posted. */
  receive(message: ToWorker): void {
    this.#guard(message.id, () => {
      switch (message.type) {
        case 'run':
          this.#cancel();
          this.#start(message);
          break;
        case 'cancel':
          if (this.#current?.message.id === message.id) this.#cancel();
          break;
        case 'ask':
          this.#ask(message.id, message.request);
          break;
      }
    });
  }

  /** Answers, or else simulates, for one slice; posts what that comes to. */
  slice(): void {
    const asked = this.#asked.pop();
    if (asked !== undefined) {
      this.#guard(asked.id, () => this.#answer(asked));
      return;
    }
    const current = this.#current;
    if (current === undefined) return;
    this.#guard(current.message.id, () => {
      const untilMs = this.#port.now() + SLICE_MS;
      if (current.reading === undefined) this.#simulate(current, untilMs);
      if (current.reading !== undefined) this.#read(current, current.reading, untilMs);
    });
  }

  #simulate(current: RunUnderWay, untilMs: number): void {
    const { run } = current;
    let status: RunStatus;
    do status = run.advance(BUDGET_EVENTS);
    while (status.state === 'running' && this.#port.now() < untilMs);
    if (status.state === 'running') this.#tell(current);
    else {
      const { view, rows } = current.message;
      const work = openRun(run, view, rows);
      current.reading = { status, simulatedMs: this.#port.now(), work, share: 0 };
    }
  }

  #read(current: RunUnderWay, reading: Reading, untilMs: number): void {
    do {
      const { done, value } = reading.work.next();
      if (done === true) {
        this.#finish(current, reading, value);
        return;
      }
      reading.share = value;
    } while (this.#port.now() < untilMs);
    this.#tell(current);
  }

  #guard(id: number, action: () => void): void {
    try {
      action();
    } catch (error) {
      if (this.#current?.message.id === id) this.#current = undefined;
      const message = error instanceof Error ? error.message : String(error);
      this.#port.post({ type: 'error', id, message }, []);
    }
  }

  #cancel(): void {
    if (this.#current === undefined) return;
    this.#port.post({ type: 'cancelled', id: this.#current.message.id }, []);
    this.#memory.recycle(this.#current.run.log);
    this.#current = undefined;
  }

  #start(message: RunMessage): void {
    this.#dropDigests();
    const startedMs = this.#port.now();
    const run = this.#port.createRun(message.config, { ...message.limits, memory: this.#memory });
    this.#current = { message, run, startedMs, toldMs: startedMs };
  }

  #tell(current: RunUnderWay): void {
    const nowMs = this.#port.now();
    if (nowMs - current.toldMs < PROGRESS_MS) return;
    current.toldMs = nowMs;
    const { log, nowNs } = current.run;
    const { id } = current.message;
    const read = current.reading?.share;
    this.#port.post(
      { type: 'progress', id, rows: log.length, nowNs, ...(read === undefined ? {} : { read }) },
      [],
    );
  }

  #finish(current: RunUnderWay, { status, simulatedMs }: Reading, { session, view, rows }: Opened): void {
    const { message, startedMs } = current;
    if (this.#session !== undefined) this.#memory.recycle(this.#session.log);
    this.#session = session;
    const explained = message.explain && session.explain(message.explain);
    const rangeStats = message.range && session.selection(message.range);
    this.#current = undefined;
    const summary = session.summary({
      reason: status.reason,
      ...(status.message === undefined ? {} : { message: status.message }),
      simulateMs: simulatedMs - startedMs,
      indexMs: this.#port.now() - simulatedMs,
    });
    const transfer = [...viewTransfer(view), ...windowBuffers(rows.window)];
    this.#port.post({ type: 'ran', id: message.id, summary, view, rows, explained, rangeStats }, transfer);
  }

  #ask(id: number, request: Request): void {
    if (this.#session === undefined) throw new Error(`${request.type}: no run has finished yet`);
    this.#answer({ id, request, work: this.#session.answerInPieces(request) });
  }

  /** Goes on with an answer for one slice; what is not done waits for the next one. */
  #answer(asked: Asked): void {
    const { id, request, work } = asked;
    const untilMs = this.#port.now() + SLICE_MS;
    do {
      const { done, value } = work.next();
      if (done === true) {
        this.#port.post({ type: 'answer', id, request: request.type, value }, transferOf(request, value));
        return;
      }
    } while (this.#port.now() < untilMs);
    this.#asked.push(asked);
  }

  /** A new run comes: digests are of the one before, and nobody waits for them. */
  #dropDigests(): void {
    for (const { id, request } of this.#asked)
      if (request.type === 'digest') this.#port.post({ type: 'cancelled', id }, []);
    const others = this.#asked.filter(({ request }) => request.type !== 'digest');
    this.#asked.splice(0, this.#asked.length, ...others);
  }
}

function viewTransfer(view: readonly LaneView[]): ArrayBufferLike[] {
  return view.flatMap(viewBuffers);
}

function transferOf(request: Request, value: unknown): ArrayBufferLike[] {
  if (request.type === 'view') return viewTransfer(value as Answers['view']);
  return request.type === 'rows' ? windowBuffers((value as RowsReply).window) : [];
}
