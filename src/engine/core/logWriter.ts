/** The clock of a run, and the log that is written at its times. */
import type { Kind } from './eventKinds.ts';
import type { EventLog } from './eventLog.ts';
import { BLOCK_MASK, BLOCK_ROWS } from './logMemory.ts';
import { CAUSE_UNIT, createRows, ORIGIN, ROW_WORDS, TRACK_UNIT } from './rows.ts';

/** Rows for which the first block has room at first. */
const FIRST_ROWS = 256;

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
  #floats: Float64Array;
  /** Rows for which there is memory: always for one more. */
  #room = FIRST_ROWS;

  /** `log` is empty. */
  constructor(log: EventLog) {
    const rows = createRows(FIRST_ROWS);
    this.log = log;
    log.blocks.push(rows);
    this.#floats = rows.floats;
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
    const length = index + 1;
    log.length = length;
    this.cause = index;
    if (length === this.#room) {
      // the first block begins small and doubles, as most runs are short
      const { blocks, memory } = log;
      const isFirst = length < BLOCK_ROWS;
      const count = Math.min(2 * length, BLOCK_ROWS);
      log.packBefore();
      const rows = count === BLOCK_ROWS ? memory.take() : createRows(count);
      if (isFirst) {
        rows.floats.set(floats);
        blocks.pop();
      }
      blocks.push(rows);
      this.#floats = rows.floats;
      this.#room = isFirst ? count : length + count;
    }
    return index;
  }
}
