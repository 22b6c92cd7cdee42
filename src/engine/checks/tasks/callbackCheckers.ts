/** T2, T6, T10: callbacks of RCU Tasks, the sleeps between scans, laziness. */
import { CALLBACK, KIND, RTGS, TIMER_FN } from '../../core/eventKinds.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import type { CheckContext } from '../context.ts';
import type { FlavorModel } from './tasksModel.ts';
import { gpSleep, holdoutSleep, lazyJiffies, lazyLim, wheelDue } from './tasksRules.ts';

/** T2. */
export const notTooEarly: CheckerFactory = (context): Checker => {
  const { report, tasks } = context;
  return {
    id: 'T2',
    title: 'a callback that was queued after the start of a grace period does not run at its end',
    rule: 'docs/model/tasks-invariants.md 7.2',
    kinds: [KIND.rcu_tasks_invoke_callback],
    onRow(row) {
      const { callbacks, startRow, state } = tasks.flavor(row.b);
      const callback = callbacks.get(row.a);
      const isKnown = callback !== undefined && callback.kind === row.c && state === RTGS.INVOKE_CBS;
      report.judge(
        this.id,
        isKnown,
        row,
        () => `callback ${row.a} runs in state ${state}, or was never queued`,
      );
      // a barrier's joins those that are on their way
      if (callback === undefined || callback.kind === CALLBACK.barrier) return;
      report.judge(this.id, callback.row < startRow, row, () => {
        return `callback ${row.a} was queued in row ${callback.row}, the grace period started in row ${startRow}`;
      });
    },
  };
};

/** T6. */
export const sleepsByRule: CheckerFactory = (context): Checker => {
  const { report, tasks, ticks, info } = context;
  const hasSlack = info.config.kconfig.PREEMPT_RT === true && info.rules['tasks.backoff'] === 'jiffies';
  const expected = (flavor: number): number => {
    const { state, sleeps } = tasks.flavor(flavor);
    if (state === RTGS.INVOKE_CBS) return gpSleep(info, flavor);
    return state === RTGS.WAIT_SCAN_HOLDOUTS ? holdoutSleep(info, flavor, sleeps - 1) : -1;
  };
  return {
    id: 'T6',
    title:
      'sleeps before scans, and after a grace period, are as long as the rule says and end on the tick of the wheel',
    rule: 'docs/model/tasks-invariants.md 7.6, tasks.md 4.1, tasks-closed-forms.md 4.3',
    kinds: [KIND.timer_start, KIND.timer_expire_entry],
    onRow(row) {
      const { a: fn, d: track } = row;
      const flavor = tasks.flavorOfKthread(track);
      if (fn !== TIMER_FN.process_timeout || flavor < 0) return;
      if (row.kind === KIND.timer_expire_entry) {
        const lateJiffies = row.b - row.c;
        const isRight = lateJiffies === 0 || (lateJiffies === 1 && info.config.machine.jiffyRace !== 'none');
        report.judge(this.id, isRight, row, () => `a sleep that was over at jiffy ${row.c} ends at ${row.b}`);
        return;
      }
      const sleep = expected(flavor);
      report.judge(this.id, row.b === sleep, row, () => `it sleeps ${row.b} jiffies, it must be ${sleep}`);
      const due = wheelDue(ticks.jiffiesAt(row.timeNs), row.b);
      report.judge(this.id, row.c === due, row, () => `the sleep ends at jiffy ${row.c}, it must be ${due}`);
      report.judge(this.id, !(hasSlack && sleep === row.b && isScanSleep(tasks.flavor(flavor))), row, () => {
        return 'PREEMPT_RT sleeps on an hrtimer';
      });
    },
  };
};

function isScanSleep({ state }: FlavorModel): boolean {
  return state === RTGS.WAIT_SCAN_HOLDOUTS;
}

/** urgent_gp after an urgent callback. */
const URGENT = 3;

/** What a flavour's urgent_gp must be. */
class Urgency {
  left: number;
  constructor(left: number) {
    this.left = left;
  }
}

/**
 * A synchronous caller whose grace period is about to start, or who still waits for that: the kthread must have been
 * woken, if it had to be, when the caller asked. For how long it then waits for a CPU is another matter.
 */
function judgeSync(context: CheckContext, id: string, row: Row, flavor: number, isEnd: boolean): void {
  const { report, tasks, info } = context;
  const model = tasks.flavor(flavor);
  const waiting = model.oldestWakeme;
  if (model.state !== RTGS.WAIT_CBS || waiting === undefined) return;
  const sinceNs = Math.max(waiting.ns, model.stateNs);
  const { isRunnable, wokenNs } = tasks.kthread(flavor);
  const wasHeard = isEnd ? (info.contended && isRunnable) || row.timeNs === sinceNs : wokenNs <= sinceNs;
  report.judge(id, wasHeard, row, () => {
    return `the kthread was not woken for the synchronous caller of row ${waiting.row}, or not then`;
  });
}

/** T10. */
export const laziness: CheckerFactory = (context): Checker => {
  const { report, tasks, info } = context;
  const urgencies = [0, 1, 2].map((flavor) => {
    return new Urgency(flavor === 0 ? (info.config.initial.tasksUrgent ?? 0) : 0);
  });
  const isLazy = (flavor: number): boolean => lazyJiffies(info, flavor) > 0;
  const queued = ({ b: flavor, c: kind, d: before }: Row): void => {
    // those being invoked count until the last of them has run
    const isFull = Math.max(before, tasks.flavor(flavor).callbacks.size) === lazyLim(info);
    if (kind === CALLBACK.wakeme || (kind === CALLBACK.call && isFull))
      (urgencies[flavor] as Urgency).left = URGENT;
  };
  return {
    id: 'T10',
    title:
      'laziness delays no synchronous caller; callbacks that nobody waits for get lazy_jiffies unless something is urgent',
    rule: 'docs/model/tasks-invariants.md 7.10, tasks.md 3.1',
    kinds: [KIND.rcu_tasks_state, KIND.rcu_tasks_callback, KIND.timer_start, KIND.timer_expire_entry],
    onRow(row) {
      if (row.kind === KIND.rcu_tasks_callback) {
        queued(row);
        return;
      }
      if (row.kind === KIND.rcu_tasks_state) {
        const { a: state, b: flavor } = row;
        if (state !== RTGS.WAIT_GP || !isLazy(flavor)) return;
        judgeSync(context, this.id, row, flavor, false);
        const urgency = urgencies[flavor] as Urgency;
        report.judge(
          this.id,
          urgency.left > 0,
          row,
          () => 'a grace period starts although nothing is urgent',
        );
        urgency.left = Math.max(0, urgency.left - 1);
        return;
      }
      const flavor = tasks.flavorOfKthread(row.d);
      if (row.a !== TIMER_FN.call_rcu_tasks_generic_timer || flavor < 0) return;
      if (row.kind === KIND.timer_start) {
        const lazy = lazyJiffies(info, flavor);
        report.judge(this.id, row.b === lazy && lazy > 0, row, () => {
          return `the lazy timer is armed for ${row.b} jiffies, it must be ${lazy}`;
        });
      } else if (tasks.flavor(flavor).callbacks.size > 0) {
        const urgency = urgencies[flavor] as Urgency;
        urgency.left = Math.max(urgency.left, 1);
      }
    },
    onEnd(row) {
      for (const flavor of urgencies.keys())
        if (isLazy(flavor)) judgeSync(context, this.id, row, flavor, true);
    },
  };
};
