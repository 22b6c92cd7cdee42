/** Words for the state of RCU Tasks, and what would end a wait. */
import { RTGS, TASKS_FLAVOR } from '../engine/core/eventKinds.ts';
import { rtgsName, whyWords } from './narrateTasks.ts';
import type { HoldoutDoing, TasksFlavorAt, TasksHoldoutAt } from './tasksStateTypes.ts';

/** A state of the loop. */
export interface LoopState {
  /** RTGS, and its name without RTGS_. */
  readonly state: number;
  readonly name: string;
  /** What the kthread does in it. */
  readonly words: string;
}

const ENDS: readonly number[] = [RTGS.WAIT_CBS, RTGS.WAIT_GP, RTGS.INVOKE_CBS];
const PHASES: readonly number[] = [
  ...[RTGS.WAIT_CBS, RTGS.WAIT_GP, RTGS.PRE_WAIT_GP, RTGS.SCAN_TASKLIST, RTGS.POST_SCAN_TASKLIST],
  ...[RTGS.WAIT_SCAN_HOLDOUTS, RTGS.SCAN_HOLDOUTS, RTGS.POST_GP, RTGS.INVOKE_CBS],
];
/** The states that are gone through again and again while there are holdouts. */
export const HOLDOUT_STATES: readonly number[] = [RTGS.WAIT_SCAN_HOLDOUTS, RTGS.SCAN_HOLDOUTS];

const WORDS = new Map<number, string>([
  [RTGS.WAIT_CBS, 'sleeps until there are callbacks'],
  [RTGS.WAIT_GP, 'begins a grace period'],
  [RTGS.PRE_WAIT_GP, 'waits in its own synchronize_rcu(), so that switches under way are over'],
  [RTGS.SCAN_TASKLIST, 'goes through the task list: who is runnable is a holdout'],
  [RTGS.POST_SCAN_TASKLIST, 'sees to tasks that exit'],
  [RTGS.WAIT_SCAN_HOLDOUTS, 'sleeps before it looks at the holdouts again'],
  [RTGS.SCAN_HOLDOUTS, 'looks who of the holdouts is none any more'],
  [RTGS.POST_GP, 'waits in another synchronize_rcu(), for the last stretch of tasks that exit'],
  [RTGS.INVOKE_CBS, 'invokes callbacks'],
]);
const TRACE_WORDS = new Map<number, string>([
  [RTGS.PRE_WAIT_GP, 'lists who runs on each CPU and who is switched out inside a section'],
  [RTGS.POST_SCAN_TASKLIST, 'waits in its own synchronize_rcu(), for tasks that exit'],
  [RTGS.POST_GP, 'has nothing to wait for any more'],
]);

/** The loop of a flavour in its order. */
export function loopOf(flavor: number): readonly LoopState[] {
  const states = flavor === TASKS_FLAVOR.rude ? ENDS : PHASES;
  return states.map((state) => ({
    state,
    name: rtgsName(state).replace('RTGS_', ''),
    words: doingOf(flavor, state),
  }));
}

function doingOf(flavor: number, state: number): string {
  if (flavor === TASKS_FLAVOR.rude && state === RTGS.WAIT_GP)
    return 'waits for a work item on every CPU, one CPU after the other';
  const words = flavor === TASKS_FLAVOR.trace ? TRACE_WORDS.get(state) : undefined;
  return words ?? WORDS.get(state) ?? '';
}

/** What the kthread does at the cursor: gp_sleep belongs to INVOKE_CBS. */
export function loopWords({ flavor, gpState, sleep }: TasksFlavorAt): string {
  return gpState === RTGS.INVOKE_CBS && sleep?.of === 'gpSleep'
    ? 'has invoked the callbacks and sleeps gp_sleep before it looks for others'
    : doingOf(flavor, gpState);
}

const DOING: Readonly<Record<HoldoutDoing, string>> = {
  idle: 'idle task',
  user: 'runs in user mode',
  kernel: 'runs in the kernel',
  preempted: 'preempted, runnable',
  asleep: 'asleep',
  exiting: 'exits',
  exitTail: 'exits, not preemptible',
};

/** What a holdout does now. */
export function holdoutDoing({ doing, isInSection }: TasksHoldoutAt): string {
  return isInSection ? `${DOING[doing]}, in rcu_read_lock_trace()` : DOING[doing];
}

/** What has released a holdout, or what would (spec tasks 4.2, 8). */
export function releaseWords(flavor: number, holdout: TasksHoldoutAt): string {
  const { state, why, doing } = holdout;
  if (state === 'off') return `off the list: ${whyWords(why)}`;
  if (state === 'released') return `${whyWords(why)}: the next scan takes it off`;
  if (flavor === TASKS_FLAVOR.trace) {
    if (holdout.hasIpi) return 'an interrupt is on its way to look at it';
    if (holdout.isInSection)
      return holdout.isNoted
        ? 'its outermost unlock'
        : 'the next scan looks at it; then its outermost unlock';
    return 'the next scan looks at it';
  }
  switch (doing) {
    case 'user':
      return 'the next tick that finds it in user mode';
    case 'exiting':
    case 'exitTail':
      return 'its last schedule';
    case 'asleep':
      return 'the next scan takes it off: it is not runnable';
    default:
      return 'a voluntary switch, or cond_resched_tasks_rcu_qs(); preemption does not count';
  }
}
