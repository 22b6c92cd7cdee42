/** T1, T3, T8, T9: whom a grace period of RCU Tasks waits for, and when they are let go. */
import { KIND, RTGS, TASKS_FLAVOR, TASKS_HOLDOUT } from '../../core/eventKinds.ts';
import { nohzFullCpus } from '../../profiles/offload.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import type { CheckContext } from '../context.ts';

/** Kthreads whose cond_resched() is cond_resched_tasks_rcu_qs(). */
const NOTES_QS = /^rcu(og|op|c)\//;

/**
 * What the log shows a task to have done since a row: a voluntary switch, or, for those in user mode, a tick while they
 * had their CPU. undefined: the log cannot tell.
 */
function wasQuiescentSince(context: CheckContext, track: number, sinceRow: number): boolean | undefined {
  const { info, tasks } = context;
  const { name, actor: index } = info.tracks[track] ?? { name: '', actor: -1 };
  const actor = info.config.actors[index];
  // never sleeps, never leaves the kernel
  if (actor?.kind === 'load' && actor.mode === 'kernel' && actor.idle === 0) return false;
  if (!info.contended || NOTES_QS.test(name)) return undefined;
  if (tasks.task(track).blockedRow > sinceRow) return true;
  return actor?.kind === 'load' && actor.mode === 'user' ? undefined : false;
}

/** T1. */
export const waitsForAll: CheckerFactory = (context): Checker => {
  const { report, tasks, info } = context;
  /** Who was runnable at the scan of the task list, with its row; who was in a section of Trace before its start. */
  const owed = new Map<number, number>();
  const sections = new Map<number, number>();
  const scan = (row: Row): void => {
    owed.clear();
    if (!info.contended) return;
    for (const track of tasks.runnable()) {
      const isKthread = tasks.flavorOfKthread(track) === TASKS_FLAVOR.classic;
      if (!isKthread && !tasks.exiting.has(track)) owed.set(track, row.index);
    }
  };
  return {
    id: 'T1',
    title:
      'a callback runs after all tasks that were runnable at the scan, and sections of Trace before it, have been quiescent',
    rule: 'docs/model/tasks-invariants.md 7.1',
    kinds: [KIND.rcu_tasks_state, KIND.rcu_tasks_holdout, KIND.rcu_read_unlock_trace],
    onRow(row) {
      const isClassic = row.b === TASKS_FLAVOR.classic;
      if (row.kind === KIND.rcu_read_unlock_trace) {
        sections.delete(row.track);
        return;
      }
      if (row.kind === KIND.rcu_tasks_holdout) {
        // ticks in user mode and calls of cond_resched_tasks_rcu_qs() have no rows of their own
        if (isClassic && row.a === TASKS_HOLDOUT.removed) {
          if (wasQuiescentSince(context, row.track, owed.get(row.track) ?? -1) !== false)
            owed.delete(row.track);
        }
        return;
      }
      if (isClassic && row.a === RTGS.SCAN_TASKLIST) scan(row);
      else if (row.b === TASKS_FLAVOR.trace && row.a === RTGS.WAIT_GP) {
        sections.clear();
        for (const [thread, since] of tasks.sections) sections.set(thread, since);
      } else if (row.a === RTGS.INVOKE_CBS && isClassic) {
        const late = [...owed].filter(([track, since]) => wasQuiescentSince(context, track, since) === false);
        report.judge(this.id, late.length === 0, row, () => {
          return `${context.name(late[0]?.[0] ?? -1)} was runnable at the scan and has not been quiescent since`;
        });
        owed.clear();
      } else if (row.a === RTGS.INVOKE_CBS && row.b === TASKS_FLAVOR.trace) {
        report.judge(this.id, sections.size === 0, row, () => {
          return `${context.name([...sections.keys()][0] ?? -1)} is in a section that began before the grace period`;
        });
      }
    },
  };
};

/** States in which the list grows, by flavour. */
const GROWS_IN: readonly (readonly number[])[] = [
  [RTGS.SCAN_TASKLIST, RTGS.POST_SCAN_TASKLIST],
  [],
  [RTGS.PRE_WAIT_GP],
];

/** T3. */
export const shrinks: CheckerFactory = (context): Checker => {
  const { report, tasks } = context;
  return {
    id: 'T3',
    title: 'the list of holdouts only shrinks once it is made, by scans, and is empty at the end',
    rule: 'docs/model/tasks-invariants.md 7.3',
    kinds: [KIND.rcu_tasks_state, KIND.rcu_tasks_holdout, KIND.rcu_tasks_scan],
    onRow(row) {
      const { a: what, b: flavor, track } = row;
      const { state, holdouts } = tasks.flavor(flavor);
      const left = holdouts.size;
      if (row.kind === KIND.rcu_tasks_scan)
        report.judge(this.id, row.c === left, row, () => `${left} holdouts are left, the row says ${row.c}`);
      else if (row.kind === KIND.rcu_tasks_state) {
        if (what === RTGS.POST_GP || what === RTGS.INVOKE_CBS)
          report.judge(this.id, left === 0, row, () => `${left} holdouts are left`);
      } else if (what === TASKS_HOLDOUT.added) {
        const mayAdd = GROWS_IN[flavor]?.includes(state) === true && !holdouts.has(track);
        report.judge(this.id, mayAdd, row, () => `${context.name(track)} is added in state ${state}`);
      } else if (what === TASKS_HOLDOUT.removed) {
        const mayRemove = state === RTGS.SCAN_HOLDOUTS && holdouts.has(track);
        report.judge(this.id, mayRemove, row, () => `${context.name(track)} is taken off in state ${state}`);
      }
    },
  };
};

/** T8. */
export const staysUntilQuiescent: CheckerFactory = (context): Checker => {
  const { report, tasks, info } = context;
  const nohzFull = new Set(nohzFullCpus(info.config));
  return {
    id: 'T8',
    title: 'a task that is only preempted, and in the kernel at every tick, stays a holdout',
    rule: 'docs/model/tasks-invariants.md 7.8',
    kinds: [KIND.rcu_tasks_holdout],
    onRow(row) {
      const { a: what, b: flavor, track, d: cpu } = row;
      if (what !== TASKS_HOLDOUT.removed || flavor !== TASKS_FLAVOR.classic || nohzFull.has(cpu)) return;
      const since = tasks.flavor(flavor).holdouts.get(track)?.row ?? -1;
      const wasQuiescent = wasQuiescentSince(context, track, since);
      if (wasQuiescent === undefined) return;
      report.judge(this.id, wasQuiescent, row, () => {
        return `${context.name(track)} is taken off without a voluntary switch since row ${since}`;
      });
    },
  };
};

/** T9. */
export const neverItself: CheckerFactory = (context): Checker => {
  const { report, tasks, info } = context;
  return {
    id: 'T9',
    title: 'a kthread is no holdout of its own, an idle task none of the classic flavour',
    rule: 'docs/model/tasks-invariants.md 7.9',
    kinds: [KIND.rcu_tasks_holdout],
    onRow(row) {
      const { b: flavor, track } = row;
      if (row.a !== TASKS_HOLDOUT.added) return;
      const isIdle = info.tracks[track]?.kind === 'cpu';
      const isRight = tasks.flavorOfKthread(track) !== flavor && !(isIdle && flavor === TASKS_FLAVOR.classic);
      report.judge(this.id, isRight, row, () => `${context.name(track)} is a holdout`);
    },
  };
};
