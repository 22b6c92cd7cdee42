/** "Which flavour am I waiting for?": calls, the mechanism that serves each, and what touches it. */
import type { SimConfig, UpdaterApi } from '../engine/config.ts';
import { kernelHasParam } from '../engine/profiles/kernelParams.ts';
import { KVFREE_PARAMS } from '../engine/profiles/kvfreeParams.ts';
import { resolveRules } from '../engine/profiles/profiles.ts';
import { TASKS_PARAMS } from '../engine/profiles/tasksParams.ts';
import { SRCU_PARAMS } from '../engine/srcu/params.ts';
import { isAlwaysExpedited, isAlwaysNormal, RCU_PARAMS } from '../engine/tree/params.ts';

/** Who serves a call. */
export type Mechanism =
  | 'Tree RCU'
  | 'SRCU'
  | 'RCU Tasks'
  | 'RCU Tasks Rude'
  | 'RCU Tasks Trace'
  | 'kfree_rcu()';

/** Calls that are no calls of an updater here, but that people see in traces. */
type OtherApi =
  | 'synchronize_net'
  | 'synchronize_sched'
  | 'kvfree_rcu'
  | 'kvfree_rcu_mightsleep'
  | 'percpu_ref_kill'
  | 'percpu_down_write'
  | 'membarrier';
export type WaitApi = UpdaterApi | OtherApi;

/** What a call waits for. */
export interface WaitFlavour {
  readonly mechanism: Mechanism;
  /**
   * What rcupdate.rcu_expedited=1 makes of it: expedited; it is already; nothing; only the calls of synchronize_rcu()
   * inside it are, and neither scans nor sleeps nor holdouts care.
   */
  readonly ifExpedited: 'expedited' | 'already' | 'unchanged' | 'inner only';
  /** Parameters that change how long it takes, beside rcu_expedited and rcu_normal. */
  readonly touchedBy: readonly string[];
  /** What else to know. */
  readonly note?: string;
  /** What to know too where RCU Tasks is lazy (rule tasks.lazy). */
  readonly lazyNote?: string;
}

/** The kernel that serves a call. */
export type Kernel = Pick<SimConfig, 'kernel' | 'rules'>;

const FQS = [
  'rcutree.jiffies_till_first_fqs',
  'rcutree.jiffies_till_next_fqs',
  'rcutree.jiffies_till_sched_qs',
];
const SRCU = [
  'srcutree.srcu_max_nodelay_phase',
  'srcutree.srcu_max_nodelay',
  'srcutree.srcu_retry_check_delay',
];
const CACHE = ['rcutree.rcu_min_cached_objs', 'rcutree.rcu_delay_page_cache_fill_msec'];
const LAZY = 'rcutree.enable_rcu_lazy';
const TASKS_LAZY = ['rcupdate.rcu_tasks_lazy_ms', 'rcupdate.rcu_task_lazy_lim'];
const LAZY_NOTE = 'lazy by default: one after the other, each takes about 256 ms';
const WAKE = 'rcutree.rcu_normal_wake_from_gp';
const QUIESCENT =
  'ends when every task has switched voluntarily, was in user mode or idle: preemption does not count, so a kernel ' +
  'thread that keeps running holds it up as long as it runs, with CONFIG_PREEMPT too';

const rcu = (
  ifExpedited: WaitFlavour['ifExpedited'],
  more: readonly string[],
  note?: string,
): WaitFlavour => ({
  ...{ mechanism: 'Tree RCU', ifExpedited, touchedBy: [...FQS, ...more] },
  ...(note === undefined ? {} : { note }),
});
const srcu = (ifExpedited: WaitFlavour['ifExpedited'], more: readonly string[] = []): WaitFlavour => ({
  ...{ mechanism: 'SRCU', ifExpedited, touchedBy: [...SRCU, ...more] },
});
const other = (mechanism: Mechanism, touchedBy: readonly string[], note: string): WaitFlavour => ({
  ...{ mechanism, ifExpedited: 'unchanged', touchedBy, note },
});
const tasks = (mechanism: Mechanism, touchedBy: readonly string[], note: string): WaitFlavour => ({
  ...{ mechanism, ifExpedited: 'inner only', touchedBy, note },
});

const FLAVOURS: Readonly<Record<WaitApi, WaitFlavour>> = {
  synchronize_rcu: rcu('expedited', [WAKE]),
  synchronize_rcu_expedited: { mechanism: 'Tree RCU', ifExpedited: 'already', touchedBy: [] },
  synchronize_net: rcu(
    'expedited',
    [WAKE],
    'synchronize_rcu_expedited() while RTNL is held, else synchronize_rcu()',
  ),
  synchronize_sched: rcu(
    'expedited',
    [],
    'the name of synchronize_rcu() without preemption before 4.20; with one CPU online it returns at once',
  ),
  membarrier: rcu(
    'expedited',
    [WAKE],
    'MEMBARRIER_CMD_GLOBAL is synchronize_rcu(); nothing with one CPU online',
  ),
  percpu_down_write: rcu('expedited', [WAKE], 'the first writer after readers waits in synchronize_rcu()'),
  percpu_ref_kill: rcu(
    'unchanged',
    [],
    'call_rcu_hurry(), never lazy (call_rcu() where nothing is), before the reference counts as one',
  ),
  call_rcu: rcu('unchanged', [LAZY]),
  rcu_barrier: rcu('unchanged', [], 'waits for the callbacks of all CPUs'),
  cond_synchronize_rcu: rcu('expedited', [WAKE], 'nothing if a grace period has gone by since the cookie'),
  get_state_synchronize_rcu: rcu('unchanged', [], 'asks for nothing: others must bring the grace period'),
  start_poll_synchronize_rcu: rcu('unchanged', [], 'an expedited grace period of others counts too'),
  start_poll_synchronize_rcu_expedited: { mechanism: 'Tree RCU', ifExpedited: 'already', touchedBy: [] },
  synchronize_srcu: srcu('expedited', ['srcutree.exp_holdoff']),
  synchronize_srcu_expedited: srcu('already'),
  call_srcu: srcu('unchanged'),
  srcu_barrier: srcu('unchanged'),
  start_poll_synchronize_srcu: srcu('unchanged'),
  synchronize_rcu_tasks: tasks('RCU Tasks', [], QUIESCENT),
  call_rcu_tasks: { ...tasks('RCU Tasks', TASKS_LAZY, QUIESCENT), lazyNote: LAZY_NOTE },
  rcu_barrier_tasks: {
    ...tasks('RCU Tasks', TASKS_LAZY, QUIESCENT),
    lazyNote: 'it waits for callbacks that may be lazy, and does not hurry them',
  },
  synchronize_rcu_tasks_rude: other('RCU Tasks Rude', [], 'a work item on every CPU, then a pause of HZ/10'),
  synchronize_rcu_tasks_trace: tasks(
    'RCU Tasks Trace',
    ['rcupdate.rcu_task_ipi_delay'],
    'readers are sleepable BPF programs and uprobes',
  ),
  call_rcu_tasks_trace: {
    ...tasks(
      'RCU Tasks Trace',
      ['rcupdate.rcu_tasks_trace_lazy_ms', 'rcupdate.rcu_task_lazy_lim', 'rcupdate.rcu_task_ipi_delay'],
      'readers are sleepable BPF programs and uprobes',
    ),
    lazyNote: LAZY_NOTE,
  },
  kvfree_rcu: other(
    'kfree_rcu()',
    [...CACHE, ...FQS],
    'never waits itself; the object is freed after drain delay and grace period',
  ),
  kvfree_rcu_mightsleep: {
    ...other(
      'kfree_rcu()',
      [...CACHE, ...FQS, WAKE],
      'waits in synchronize_rcu() only if there is no page for its pointer',
    ),
    ifExpedited: 'expedited',
  },
  kvfree_rcu_barrier: other('kfree_rcu()', FQS, 'waits until all is freed that was queued before'),
};

/** Every call that is known. */
export const WAIT_APIS = Object.keys(FLAVOURS) as readonly WaitApi[];

/** What a call waits for; undefined: no such call is known. */
export function waitFlavour(api: string): WaitFlavour | undefined {
  return Object.hasOwn(FLAVOURS, api) ? FLAVOURS[api as WaitApi] : undefined;
}

const PARAMS = new Map(
  [...SRCU_PARAMS, ...RCU_PARAMS, ...KVFREE_PARAMS, ...TASKS_PARAMS].map((param) => [param.name, param]),
);

/** True if this kernel has a parameter of this name. */
export function hasParam({ kernel, rules }: Kernel, name: string): boolean {
  const param = PARAMS.get(name);
  return param !== undefined && kernelHasParam(kernel, param, resolveRules(kernel, rules));
}

/** What else to know of a call on this kernel. */
export function notesOn({ note, lazyNote }: WaitFlavour, { kernel, rules }: Kernel): string[] {
  const isLazy = resolveRules(kernel, rules)['tasks.lazy'] === 'lazy';
  return [note, isLazy ? lazyNote : undefined].filter((words) => words !== undefined);
}

/**
 * Parameters that change the grace periods of RCU inside a call that waits for them, and those of SRCU inside classic
 * RCU Tasks up to 6.8 (rule tasks.exit).
 */
export function touchInside({ mechanism, ifExpedited }: WaitFlavour, { kernel, rules }: Kernel): string[] {
  if (ifExpedited !== 'inner only') return [];
  const hasSrcu = mechanism === 'RCU Tasks' && resolveRules(kernel, rules)['tasks.exit'] === 'srcu';
  return [...FLAVOURS.synchronize_rcu.touchedBy, ...(hasSrcu ? FLAVOURS.synchronize_srcu.touchedBy : [])];
}

/**
 * How synchronous calls of Tree RCU and SRCU run with these parameters: rcu_normal wins over rcu_expedited.
 */
export function expediteMode(
  params: Readonly<Record<string, number | string>>,
): 'normal' | 'expedited' | 'as called' {
  if (isAlwaysNormal(params)) return 'normal';
  return isAlwaysExpedited(params) ? 'expedited' : 'as called';
}
