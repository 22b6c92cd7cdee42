/** T4, T5, T7, T11: the course of a grace period of RCU Tasks. */
import { KIND, RTGS, TASKS_FLAVOR } from '../../core/eventKinds.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import type { CheckContext } from '../context.ts';
import { isPreemptible } from '../tree/treeDelays.ts';
import { gpSleep } from './tasksRules.ts';

/** By state: what may follow (spec tasks 7.4). */
const NEXT = new Map<number, readonly number[]>([
  [RTGS.WAIT_CBS, [RTGS.WAIT_GP, RTGS.INVOKE_CBS]],
  [RTGS.WAIT_GP, [RTGS.PRE_WAIT_GP]],
  [RTGS.PRE_WAIT_GP, [RTGS.SCAN_TASKLIST]],
  [RTGS.SCAN_TASKLIST, [RTGS.POST_SCAN_TASKLIST]],
  [RTGS.POST_SCAN_TASKLIST, [RTGS.WAIT_SCAN_HOLDOUTS, RTGS.POST_GP]],
  [RTGS.WAIT_SCAN_HOLDOUTS, [RTGS.SCAN_HOLDOUTS]],
  [RTGS.SCAN_HOLDOUTS, [RTGS.WAIT_SCAN_HOLDOUTS, RTGS.POST_GP]],
  [RTGS.POST_GP, [RTGS.INVOKE_CBS]],
  [RTGS.INVOKE_CBS, [RTGS.WAIT_CBS]],
]);

function mayFollow({ info }: CheckContext, flavor: number, before: number, after: number): boolean {
  // Rude has no phases; the posted patch sleeps once although there is nobody to wait for
  if (flavor === TASKS_FLAVOR.rude && before === RTGS.WAIT_GP) return after === RTGS.INVOKE_CBS;
  const isPosted = info.rules['tasks.backoff'] === 'seed-v2' && flavor === TASKS_FLAVOR.classic;
  if (isPosted && before === RTGS.WAIT_SCAN_HOLDOUTS && after === RTGS.POST_GP) return true;
  return NEXT.get(before)?.includes(after) ?? false;
}

/** T4. */
export const states: CheckerFactory = (context): Checker => {
  const { report, tasks } = context;
  return {
    id: 'T4',
    title: 'gp_state takes its course; scans of holdouts are made if and only if there are some',
    rule: 'docs/model/tasks-invariants.md 7.4',
    kinds: [KIND.rcu_tasks_state],
    onRow(row) {
      const { a: state, b: flavor } = row;
      const { state: before, added, sleeps } = tasks.flavor(flavor);
      report.judge(
        this.id,
        mayFollow(context, flavor, before, state),
        row,
        () => `state ${state} follows state ${before}`,
      );
      if (state !== RTGS.POST_GP) return;
      const isPosted = context.info.rules['tasks.backoff'] === 'seed-v2' && sleeps === 1 && added === 0;
      const isRight = sleeps > 0 === added > 0 || isPosted;
      report.judge(this.id, isRight, row, () => `${sleeps} sleeps for ${added} holdouts`);
    },
  };
};

/** rcu_blocking_is_gp(): synchronize_rcu() returns at once. */
function needsNoGp({ info }: CheckContext): boolean {
  const { config, rules } = info;
  return config.cpus === 1 && !isPreemptible(config) && rules['tree.oneCpu'] === 'no-gp';
}

/** T5. */
export const innerGps: CheckerFactory = (context): Checker => {
  const { report, tasks, rcu } = context;
  const judge = (id: string, row: Row, fromRow: number): void => {
    const started = Math.max(rcu.endedStart, rcu.expEndedStart);
    const isRight = started > fromRow || needsNoGp(context);
    report.judge(id, isRight, row, () => {
      return `no grace period of Tree RCU lies wholly between row ${fromRow} and row ${row.index}`;
    });
  };
  return {
    id: 'T5',
    title:
      'a whole grace period of Tree RCU lies before the scan of the task list, and one after the last scan',
    rule: 'docs/model/tasks-invariants.md 7.5, tasks-profiles.md (Trace: one, after the list is made)',
    kinds: [KIND.rcu_tasks_state],
    onRow(row) {
      const { a: state, b: flavor } = row;
      const { state: before, stateRow } = tasks.flavor(flavor);
      const waits =
        flavor === TASKS_FLAVOR.classic
          ? before === RTGS.PRE_WAIT_GP || before === RTGS.POST_GP
          : flavor === TASKS_FLAVOR.trace && before === RTGS.POST_SCAN_TASKLIST;
      if (waits && state !== before) judge(this.id, row, stateRow);
    },
  };
};

/** T7. */
export const sleepsBetween: CheckerFactory = (context): Checker => {
  const { report, tasks, info } = context;
  return {
    id: 'T7',
    title: 'a grace period of RCU Tasks starts gp_sleep after the end of the one before',
    rule: 'docs/model/tasks-invariants.md 7.7',
    kinds: [KIND.rcu_tasks_state],
    onRow(row) {
      const { a: state, b: flavor, d: jiffy } = row;
      const { endJiffy } = tasks.flavor(flavor);
      if (state !== RTGS.WAIT_GP || endJiffy < 0) return;
      const sleep = gpSleep(info, flavor);
      report.judge(this.id, jiffy > endJiffy + sleep, row, () => {
        return `starts at jiffy ${jiffy}, the one before ended at ${endJiffy}: gp_sleep is ${sleep}`;
      });
    },
  };
};

/** T11. */
export const oneGpPerRound: CheckerFactory = (context): Checker => {
  const { report, tasks } = context;
  return {
    id: 'T11',
    title:
      'tasks_gp_seq moves by 1 at the start of a grace period that callbacks wait for, by 3 at its end, else never',
    rule: 'docs/model/tasks-invariants.md 7.11',
    kinds: [KIND.rcu_tasks_state],
    onRow(row) {
      const { a: state, b: flavor, c: seq } = row;
      const model = tasks.flavor(flavor);
      const isRunning = model.gpSeq % 4 !== 0;
      const step = state === RTGS.WAIT_GP ? 1 : state === RTGS.INVOKE_CBS && isRunning ? 3 : 0;
      report.judge(this.id, seq === model.gpSeq + step, row, () => {
        return `tasks_gp_seq goes from ${model.gpSeq} to ${seq} in state ${state}`;
      });
      if (state !== RTGS.WAIT_GP) return;
      report.judge(this.id, model.callbacks.size > 0, row, () => 'a grace period that nobody waits for');
    },
  };
};
