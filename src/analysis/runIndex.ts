/** What is built once per run: grace periods, calls, latencies and figures, in one pass over the log. */
import { usesKvfree, usesTasks } from '../engine/config.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { CallBuilder } from './calls.ts';
import { createGps } from './gpColumns.ts';
import { GpBuilder } from './gracePeriods.ts';
import { KvfreeIndexBuilder } from './kvfreeIndex.ts';
import { latencySeries } from './latency.ts';
import { atOnce, type Pieces, readRows } from './pieces.ts';
import { rcuTrack } from './rcuGeometry.ts';
import { RcuIndex } from './rcuIndex.ts';
import { TasksIndex } from './tasksIndex.ts';
import type { RunIndex } from './types.ts';

/** The index of a log; O(rows). The log may still grow: the index then stands for the rows it has now. */
export function createRunIndex(log: EventLog, info: RunInfo): RunIndex {
  return atOnce(indexRun(log, info));
}

/** The same in pieces. */
export function* indexRun(log: EventLog, info: RunInfo): Pieces<RunIndex> {
  const callBuilder = new CallBuilder(info);
  const table = createGps();
  const gpBuilder = new GpBuilder(info, callBuilder, table);
  const rcu = rcuTrack(info) < 0 ? undefined : new RcuIndex(info, callBuilder, table);
  const tasks = usesTasks(info.config.actors) ? new TasksIndex(callBuilder, table) : undefined;
  const kvfree = usesKvfree(info.config.actors) ? new KvfreeIndexBuilder(info) : undefined;
  const read = (event: EventRow, row: number) => {
    callBuilder.row(event, row);
    gpBuilder.row(event, row);
    rcu?.row(event, row);
    tasks?.row(event, row);
    kvfree?.row(event, row);
  };
  yield* readRows(log, read);
  const endNs = log.length === 0 ? 0 : log.timeNs(log.length - 1);
  rcu?.finish();
  const { calls, callbacks } = callBuilder.finish();
  const { gps, figures } = gpBuilder.finish(calls);
  const series = latencySeries(calls, callbacks, gps, info);
  const freed = kvfree?.finish(rcu?.others);
  return { info, rows: log.length, endNs, gps, calls, series, figures, kvfree: freed };
}
