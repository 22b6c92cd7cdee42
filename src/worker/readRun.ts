/** All passes over the log of a finished run that its first answer needs. */
import { sampledPeak } from '../analysis/kfreeResult.ts';
import { type KvfreeFigures, readKvfreeFigures } from '../analysis/kvfreeFigures.ts';
import { type MemorySeries, readMemory } from '../analysis/kvfreeMemory.ts';
import { type LaneSource, readLanes } from '../analysis/lanes.ts';
import { type Pieces, part } from '../analysis/pieces.ts';
import { indexRun } from '../analysis/runIndex.ts';
import type { RunIndex } from '../analysis/types.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';

/** What was read. */
export interface ReadRun {
  readonly index: RunIndex;
  readonly lanes: LaneSource;
  /** Undefined where nothing was given to kvfree_rcu(). */
  readonly kvfree: KvfreeFigures | undefined;
}

/** Where passes end, as shares of the time that a long flood takes. */
const INDEX_ENDS = 0.4;
const MEMORY_ENDS = 0.52;
const LANES_END = 0.92;

/** Reads a log in pieces. */
export function* readRun(log: EventLog, info: RunInfo): Pieces<ReadRun> {
  const index = yield* part(indexRun(log, info), 0, INDEX_ENDS);
  const memory = index.kvfree && (yield* part(readMemory(log, index), INDEX_ENDS, MEMORY_ENDS));
  const lanes = yield* part(readLanes(log, index, memory), MEMORY_ENDS, LANES_END);
  const peak = () => sampledPeak(index) ?? mostOf(memory);
  const kvfree = yield* part(readKvfreeFigures(log, index, peak), LANES_END, 1);
  return { index, lanes, kvfree };
}

function mostOf(memory: MemorySeries | undefined): number {
  return memory?.total.reduce((most, at) => Math.max(most, at), 0) ?? 0;
}
