/** What scenarios say of classic RCU Tasks in a whole run: hold-out phases (spec tasks 4), messages (6). */
import { usesTasks } from '../engine/config.ts';
import { KIND, RTGS, TASKS_FLAVOR, TASKS_STALL } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';

/** Classic RCU Tasks in a run. */
export interface TasksFigures {
  /** Mean of the hold-out phases: from the end of the waits for the task list to RTGS_POST_GP, ns; NaN: none has ended. */
  readonly holdoutPhaseNs: number;
  /** Ages in jiffies that messages name, in order: in lines before a stall, in headers of stalls. */
  readonly infoAges: readonly number[];
  readonly stallAges: readonly number[];
}

/** The figures of a run; undefined without RCU Tasks. */
export function tasksFigures(log: EventLog, info: RunInfo): TasksFigures | undefined {
  if (!usesTasks(info.config.actors)) return undefined;
  const infoAges: number[] = [];
  const stallAges: number[] = [];
  const phasesNs: number[] = [];
  let isPostScan = false;
  let beginNs = 0;
  log.forEach(({ kind, timeNs, a, b: flavor, c: age }) => {
    if (flavor !== TASKS_FLAVOR.classic) return;
    if (kind === KIND.rcu_tasks_stall) {
      if (a === TASKS_STALL.info) infoAges.push(age);
      if (a === TASKS_STALL.stall) stallAges.push(age);
    } else if (kind === KIND.rcu_tasks_state) {
      if (isPostScan) beginNs = timeNs;
      isPostScan = a === RTGS.POST_SCAN_TASKLIST;
      if (a === RTGS.POST_GP) phasesNs.push(timeNs - beginNs);
    }
  });
  const holdoutPhaseNs = phasesNs.reduce((sum, ns) => sum + ns, 0) / phasesNs.length;
  return { holdoutPhaseNs, infoAges, stallAges };
}
