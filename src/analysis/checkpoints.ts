/** Checkpoints of a log every few thousand rows, made as far as somebody asks. */
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { kvfreeSnapshotBytes, trimKvfree } from './kvfreeSnapshot.ts';
import { atOnce, type Pieces } from './pieces.ts';
import { rcuSnapshotBytes } from './rcuSnapshot.ts';
import { applyRow, initialCheckpoint, type Replay, resume, snapshot } from './replay.ts';
import type { Checkpoint } from './stateTypes.ts';
import { tasksSnapshotBytes } from './tasksSnapshot.ts';

/** Rows between two checkpoints at least. */
const MIN_INTERVAL = 4096;
/** Bytes of checkpoint per row of log at most: a third of what a row takes, twice what a packed one does. */
const BYTES_PER_ROW = 16;

/** The checkpoints of a log that no longer grows. */
export class Checkpoints {
  readonly #log: EventLog;
  readonly #interval: number;
  readonly #made: Checkpoint[];
  readonly #replay: Replay;

  constructor(log: EventLog, info: RunInfo, minInterval: number) {
    this.#log = log;
    const first = initialCheckpoint(info);
    const perCpu = 32 * info.config.cpus * Math.max(1, first.domains.length);
    const bytes =
      22 * info.tracks.length +
      perCpu +
      rcuSnapshotBytes(first.rcu) +
      kvfreeSnapshotBytes(info) +
      tasksSnapshotBytes(first.tasks);
    this.#interval = Math.max(minInterval, 2 ** Math.ceil(Math.log2(bytes / BYTES_PER_ROW)));
    this.#made = [first];
    this.#replay = resume(first, info);
  }

  #numberBefore(row: number): number {
    return Math.max(0, Math.floor((Math.min(row, this.#log.length - 1) + 1) / this.#interval));
  }

  /** Makes those up to row `row`, one a piece: a minute of a long flood has thousands. */
  *makeUpTo(row: number): Pieces<void> {
    const wanted = this.#numberBefore(row);
    const madeBefore = this.#made.length;
    while (this.#made.length <= wanted) {
      const end = this.#made.length * this.#interval;
      this.#log.forEach(
        (event) => {
          applyRow(this.#replay, event);
        },
        this.#replay.row,
        end,
      );
      this.#made.push(snapshot(this.#replay));
      yield (this.#made.length - madeBefore) / (wanted + 1 - madeBefore);
    }
  }

  /** The last checkpoint from which row `row` can be reached: its `row` is at most `row` + 1. */
  before(row: number): Checkpoint {
    atOnce(this.makeUpTo(row));
    const made = this.#made[this.#numberBefore(row)] as Checkpoint;
    return { ...made, kvfree: trimKvfree(made.kvfree) };
  }
}

/** Checkpoints of a finished log, at least `minInterval` rows apart; they are made on demand, so this is cheap. */
export function createCheckpoints(log: EventLog, info: RunInfo, minInterval = MIN_INTERVAL): Checkpoints {
  return new Checkpoints(log, info, minInterval);
}
