/** The clock of a run, and the log that is written at its times. */
import type { Kind } from './eventKinds.ts';
import {
  BLOCK_MASK,
  BLOCK_ROWS,
  CAUSE_UNIT,
  createRows,
  type EventLog,
  FIRST_ROWS,
  ORIGIN,
  ROW_WORDS,
  TRACK_UNIT,
} from './eventLog.ts';

/** Tracks that rows can name. */
export const MAX_TRACKS = CAUSE_UNIT / TRACK_UNIT;

/** Who appends rows to a log. */
export class LogWriter {
  readonly log: EventLog;
  /** Virtual time, ns. */
  nowNs = 0;
  /** Row that the next row follows from. Each handler begins by setting it to the row that scheduled it. */
  cause = -1;
  /** The last block of the log. */
  #floats: Float64Array = new Float64Array(0);
  /** Rows for which there is memory. */
  #room = 0;

  /** `log` is empty. */
  constructor(log: EventLog) {
    this.log = log;
  }

  /**
   * Logs a row at the present time; it becomes the cause of what follows in the same handler. Returns its index.
   *
   * What is rarely done stands here too, and not in a function of its own: V8 copies what has up to 460 bytes of
   * bytecode into its callers, and a hundred copies of this cost a run a twentieth of its time.
   */
  emit(kind: Kind, track: number, a = 0, b = 0, c = 0, d = 0): number {
    const { log } = this;
    const index = log.length;
    if (index === this.#room) {
      // the first block begins small and doubles, as most runs are short
      const { blocks, memory } = log;
      const isFirstFull = index === 0 || index >= BLOCK_ROWS;
      const count = index === 0 ? FIRST_ROWS : Math.min(2 * index, BLOCK_ROWS);
      const rows = count === BLOCK_ROWS ? memory.take() : createRows(count);
      if (!isFirstFull) {
        rows.floats.set(this.#floats);
        blocks.pop();
      }
      blocks.push(rows);
      this.#floats = rows.floats;
      this.#room = (blocks.length - 1) * BLOCK_ROWS + count;
    }
    if (kind >= TRACK_UNIT || track >= MAX_TRACKS) {
      const limits = `kinds end at ${TRACK_UNIT - 1}, tracks at ${MAX_TRACKS - 1}`;
      throw new Error(`row ${index} at ${this.nowNs} ns of kind ${kind} on track ${track}: ${limits}`);
    }
    const floats = this.#floats;
    const at = (index & BLOCK_MASK) * ROW_WORDS;
    floats[at] = this.nowNs;
    floats[at + 1] = a;
    floats[at + 2] = b;
    floats[at + 3] = c;
    floats[at + 4] = d;
    floats[at + ORIGIN] = this.cause * CAUSE_UNIT + ((track << 8) | kind);
    log.length = index + 1;
    this.cause = index;
    return index;
  }
}
