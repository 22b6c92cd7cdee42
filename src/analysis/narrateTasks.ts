/** Sentences for the rows of RCU Tasks (docs/model/tasks.md), one per kind. */
import {
  CALLBACK,
  KIND,
  type Kind,
  RTGS,
  TASKS_EXIT,
  TASKS_FLAVOR,
  TASKS_HOLDOUT,
  TASKS_IPI,
  TASKS_LAZY,
  TASKS_STALL,
  TASKS_WHY,
} from '../engine/core/eventKinds.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { count, duration } from './phrase.ts';

/** The kinds of RCU Tasks. */
export type TasksKind = Extract<
  Kind,
  (typeof KIND)[(`rcu_tasks_${string}` & keyof typeof KIND) | 'rcu_read_lock_trace' | 'rcu_read_unlock_trace']
>;

interface TasksContext {
  readonly row: EventRow;
  readonly who: string;
  readonly name: (track: number) => string;
}

/** "RCU Tasks", "RCU Tasks Trace". */
export function flavorName(flavor: number): string {
  if (flavor === TASKS_FLAVOR.rude) return 'RCU Tasks Rude';
  return flavor === TASKS_FLAVOR.trace ? 'RCU Tasks Trace' : 'RCU Tasks';
}

/** "RTGS_WAIT_CBS". */
export function rtgsName(state: number): string {
  const names = Object.keys(RTGS) as (keyof typeof RTGS)[];
  return `RTGS_${names.find((name) => RTGS[name] === state) ?? 'UNKNOWN'}`;
}

const CALL_OF = new Map<number, string>([
  [TASKS_FLAVOR.classic, 'call_rcu_tasks()'],
  [TASKS_FLAVOR.rude, 'synchronize_rcu_tasks_rude()'],
  [TASKS_FLAVOR.trace, 'call_rcu_tasks_trace()'],
]);
const WHY_WORDS = new Map<number, string>([
  [TASKS_WHY.voluntarySwitch, 'a voluntary context switch'],
  [TASKS_WHY.userTick, 'a tick found it in user mode'],
  [TASKS_WHY.condResched, 'cond_resched_tasks_rcu_qs()'],
  [TASKS_WHY.notRunnable, 'it is not runnable'],
  [TASKS_WHY.nohzFull, 'in user mode on a nohz_full CPU'],
  [TASKS_WHY.notRunning, 'not running, outside a section'],
  [TASKS_WHY.watchingZero, 'its CPU is in an extended quiescent state'],
  [TASKS_WHY.ipi, 'an interrupt found it outside a section'],
  [TASKS_WHY.unlock, 'its section has ended'],
]);

/** Why a holdout is none any more (TASKS_WHY): "a tick found it in user mode". */
export function whyWords(why: number): string {
  return WHY_WORDS.get(why) ?? 'it is none any more';
}

const cbName = (kind: number) =>
  kind === CALLBACK.wakeme ? 'wake-up callback' : kind === CALLBACK.barrier ? 'barrier callback' : 'callback';
const holdouts = (n: number) => count(n, 'holdout');

/** The number of the grace period that runs, or of the last one. */
export function tasksGpNumber(gpSeq: number): number {
  return Math.ceil(gpSeq / 4);
}

/** One sentence per kind of RCU Tasks. */
export const TASKS_SENTENCES: { readonly [K in TasksKind]: (context: TasksContext) => string } = {
  [KIND.rcu_tasks_state]: ({ row, who }) => {
    const state = `${rtgsName(row.a)} (${row.a})`;
    if (row.a === RTGS.WAIT_CBS) return `${who} waits for callbacks: ${state}, jiffy ${row.d}.`;
    const gp = `grace period ${tasksGpNumber(row.c)} of ${flavorName(row.b)}`;
    return `${who} is in ${state}, ${gp}, jiffy ${row.d}.`;
  },
  [KIND.rcu_tasks_holdout]: ({ row, who }) => {
    const flavor = flavorName(row.b);
    if (row.a === TASKS_HOLDOUT.added)
      return row.b === TASKS_FLAVOR.trace
        ? `${who} is a holdout of ${flavor} on CPU ${row.d}.`
        : `${who} is runnable on CPU ${row.d}: a holdout of ${flavor}, nvcsw ${row.c}.`;
    const why = whyWords(row.c);
    return row.a === TASKS_HOLDOUT.removed
      ? `${who} is taken off the holdouts of ${flavor}: ${why}.`
      : `${who} is released as a holdout of ${flavor} (${why}): the next scan takes it off.`;
  },
  [KIND.rcu_tasks_scan]: ({ row, who }) => {
    const next = row.d === 0 ? '' : `, the next scan in ${count(row.d, 'jiffy', 'jiffies')}`;
    return `${who} has scanned ${holdouts(row.a)} of ${flavorName(row.b)}: ${row.c} left${next}.`;
  },
  [KIND.rcu_tasks_callback]: ({ row, who }) => {
    const call = row.c === CALLBACK.barrier ? 'rcu_barrier_tasks()' : (CALL_OF.get(row.b) ?? 'a call');
    return `${who} queues ${cbName(row.c)} ${row.a} of ${flavorName(row.b)} (${call}), ${count(row.d, 'callback')} before it.`;
  },
  [KIND.rcu_tasks_invoke_callback]: ({ row, who }) =>
    `${who} invokes ${cbName(row.c)} ${row.a} of ${flavorName(row.b)}, ${duration(row.d)} after it was queued.`,
  [KIND.rcu_tasks_lazy]: ({ row }) => {
    const flavor = flavorName(row.b);
    const left = `urgent_gp is ${row.c}`;
    switch (row.a) {
      case TASKS_LAZY.urgent:
        return `An urgent callback of ${flavor} wakes the kthread: ${left}.`;
      case TASKS_LAZY.armed:
        return `Nobody waits for this callback of ${flavor}: the lazy timer gives it ${count(row.d, 'jiffy', 'jiffies')}, ${left}.`;
      case TASKS_LAZY.fired:
        return `The lazy timer of ${flavor} finds callbacks, wakes the kthread and is armed again: ${left}.`;
      case TASKS_LAZY.empty:
        return `The lazy timer of ${flavor} finds no callbacks and is not armed again.`;
      default:
        return `The look of the kthread of ${flavor} is not lazy: ${left}.`;
    }
  },
  [KIND.rcu_tasks_stall]: ({ row, who }) => {
    const flavor = flavorName(row.b);
    const age = count(row.c, 'jiffy', 'jiffies');
    switch (row.a) {
      case TASKS_STALL.info:
        return `${who}: the grace period of ${flavor} is ${age} old.`;
      case TASKS_STALL.stall:
        return `INFO: rcu_tasks detected stalls on tasks: ${holdouts(row.d)} of ${flavor}, grace period ${age} old.`;
      case TASKS_STALL.exit:
        return `${who}: tasks that exit are waited for, the grace period of ${flavor} is ${age} old.`;
      default:
        return `Stall of ${flavor}: ${who}, nvcsw ${row.c}/${row.d}.`;
    }
  },
  [KIND.rcu_tasks_exit]: ({ row, who }) => {
    const how = row.c === 1 ? `the exit list of CPU ${row.b}` : 'a reader of tasks_rcu_exit_srcu';
    if (row.a === TASKS_EXIT.start)
      return `${who} exits on CPU ${row.b} (exit_tasks_rcu_start): off the task list, ${row.c === 1 ? 'on' : 'now'} ${how}.`;
    if (row.a === TASKS_EXIT.finish)
      return `${who} has left ${row.c === 1 ? how : 'tasks_rcu_exit_srcu'} (exit_tasks_rcu_finish); from here on it is not preemptible.`;
    return `${who} is gone: its last schedule, on CPU ${row.b}.`;
  },
  [KIND.rcu_tasks_ipi]: ({ row, who, name }) => {
    const task = name(row.b);
    switch (row.a) {
      case TASKS_IPI.sent:
        return `${who} gets an interrupt that looks whether ${task} is in a section of RCU Tasks Trace.`;
      case TASKS_IPI.quiescent:
        return `The interrupt on ${who} finds ${task} outside a section of RCU Tasks Trace.`;
      case TASKS_IPI.inSection:
        return `The interrupt on ${who} finds ${task} inside a section of RCU Tasks Trace: its end counts.`;
      default:
        return `The interrupt on ${who} finds another task than ${task}: the next scan looks again.`;
    }
  },
  [KIND.rcu_read_lock_trace]: ({ row, who }) =>
    `${who} enters a section of RCU Tasks Trace on CPU ${row.a} (rcu_read_lock_trace()).`,
  [KIND.rcu_read_unlock_trace]: ({ row, who }) =>
    `${who} leaves its section of RCU Tasks Trace on CPU ${row.a} (rcu_read_unlock_trace()).`,
};
