/**
 * The complete configuration of a run: what `src/config` makes of a file, a link or a scenario, and the only thing
 * the engine takes. All durations are integer nanoseconds. Same configuration, same engine => same log, bit for bit.
 */
import type { Machine } from './machine/presets.ts';
import type { ProfileId, RuleId } from './profiles/profiles.ts';

/** A workload draw in ns: a constant, or a distribution with a random stream of its own per (seed, actor, purpose). */
export type Dist =
  | number
  | { readonly uniform: readonly [lo: number, hi: number] }
  | { readonly exp: number }
  | { readonly list: readonly number[] }
  | {
      readonly lcg: {
        readonly seed: number;
        readonly stream: number;
        readonly lo: number;
        readonly hi: number;
      };
    };

/** When an actor first acts: ns since t = 0, or so many ticks and then `plus` ns. */
export type Start = number | { readonly ticks: number; readonly plus: number };

/** Keys every actor has. Number i of `count` runs on CPU (cpu + i) mod cpus and starts `stagger` * i later. */
interface ActorBase {
  readonly cpu: number;
  readonly count: number;
  readonly start: Start;
  readonly stagger: number;
}

/** Loop: lock, hold, unlock, idle, cond_resched(). `domain`: "srcu", "srcu:NAME", "rcu" or "tasks-trace". */
export interface ReaderActor extends ActorBase {
  readonly kind: 'reader';
  readonly domain: string;
  readonly hold: Dist;
  readonly holdMode: 'spin' | 'sleep';
  readonly idle: Dist;
  readonly idleMode: 'spin' | 'sleep';
  /** Iterations; absent: endless. */
  readonly times?: number;
  /** Time between fetching srcu_idx and counting (spec srcu 5.4). */
  readonly incDelay: Dist;
}

/** Update-side calls of SRCU; each is in APIS too, at the same index. */
export const SRCU_APIS = [
  'synchronize_srcu_expedited',
  'synchronize_srcu',
  'call_srcu',
  'srcu_barrier',
  'start_poll_synchronize_srcu',
] as const;
export type SrcuApi = (typeof SRCU_APIS)[number];
/** Update-side calls of Tree RCU (spec tree 4, 5, 6). */
export const RCU_APIS = [
  'synchronize_rcu',
  'synchronize_rcu_expedited',
  'call_rcu',
  'rcu_barrier',
  'cond_synchronize_rcu',
  'get_state_synchronize_rcu',
  'start_poll_synchronize_rcu',
  'start_poll_synchronize_rcu_expedited',
] as const;
export type RcuApi = (typeof RCU_APIS)[number];
/** Update-side calls of RCU Tasks and its flavours (spec tasks 3, 8). */
export const TASKS_APIS = [
  'synchronize_rcu_tasks',
  'call_rcu_tasks',
  'rcu_barrier_tasks',
  'synchronize_rcu_tasks_rude',
  'synchronize_rcu_tasks_trace',
  'call_rcu_tasks_trace',
] as const;
export type TasksApi = (typeof TASKS_APIS)[number];
/** Calls that wait for what kvfree_rcu() has queued (spec kvfree K16). */
export const KVFREE_APIS = ['kvfree_rcu_barrier'] as const;
export type KvfreeApi = (typeof KVFREE_APIS)[number];
/** Update-side calls that the engine has; the index is the `a` payload of api_call and api_return rows. */
export const APIS = [...SRCU_APIS, ...RCU_APIS, ...TASKS_APIS, ...KVFREE_APIS] as const;
export type UpdaterApi = (typeof APIS)[number];

/** True for calls of Tree RCU. */
export function isRcuApi(api: string): api is RcuApi {
  return RCU_APIS.some((known) => known === api);
}

/** True for calls of RCU Tasks. */
export function isTasksApi(api: string): api is TasksApi {
  return TASKS_APIS.some((known) => known === api);
}

/** True for calls of kvfree. */
export function isKvfreeApi(api: string): api is KvfreeApi {
  return KVFREE_APIS.some((known) => known === api);
}

/** What a call waits for: "srcu" (or "srcu:NAME"), "rcu", "tasks", "tasks-rude" or "tasks-trace". */
export function domainOfApi(api: UpdaterApi): string {
  if (!isTasksApi(api)) return isRcuApi(api) || isKvfreeApi(api) ? 'rcu' : 'srcu';
  return /_(rude|trace)$/.test(api) ? `tasks-${api.replace(/^.*_/, '')}` : 'tasks';
}

/** Calls `api` `calls` times, a gap before every call. */
export interface UpdaterActor extends ActorBase {
  readonly kind: 'updater';
  readonly api: UpdaterApi;
  /** Of calls of SRCU: "srcu" or "srcu:NAME"; of others as domainOfApi() says. */
  readonly domain: string;
  readonly calls: number;
  readonly gap: Dist;
  readonly gapMode: 'sleep' | 'spin';
  readonly gapFrom: 'return' | 'call';
  /** call_* only: callbacks queued per call. */
  readonly batch: number;
  /** call_* only: the matching barrier after each batch, or nothing. */
  readonly wait: 'barrier' | 'none';
  /** Polled calls only: the form of the cookie (tree R6.2); absent: compressed, the only one that SRCU has. */
  readonly cookie?: 'compressed' | 'full';
}

/** A busy thread: in the kernel with cond_resched() between spins, or in user mode. `spin` absent: endless. */
export interface LoadActor extends ActorBase {
  readonly kind: 'load';
  readonly mode: 'kernel' | 'user';
  readonly spin?: Dist;
  readonly idle: Dist;
}

/**
 * The flood of rcuscale's kfree test (K18 to K20): threads that allocate and queue `loops` * `allocs` objects each. All
 * are released together; after the last a thread on CPU 0 drains with kvfree_rcu_barrier() and rcu_barrier().
 */
export interface KfreeActor extends ActorBase {
  readonly kind: 'kfree';
  readonly loops: number;
  /** Objects per loop. */
  readonly allocs: number;
  /** Bytes of the objects, the 16-byte rcu_head included, cycled. */
  readonly sizes: readonly number[];
  /** Two-argument, one-argument, or each with probability 1/2. */
  readonly form: 'double' | 'single' | 'mixed';
  /** cond_resched() after each loop. */
  readonly resched: boolean;
  readonly nice: number;
  /** Period of the thread that samples free memory, ns; 0: none. */
  readonly sampleNs: number;
}

/** Endless loop in the kernel: a spin without a voluntary context switch, then a sleep (spec tasks 4.2). */
export interface HoldoutActor extends ActorBase {
  readonly kind: 'holdout';
  readonly spin: Dist;
  readonly sleep: Dist;
}

/** Tasks that end one after the other (spec tasks 2.1): gap, exit, tail; the tail is not preemptible. */
export interface ExiterActor extends ActorBase {
  readonly kind: 'exiter';
  readonly gap: Dist;
  /** From exit_tasks_rcu_start() to exit_tasks_rcu_finish(). */
  readonly exit: Dist;
  /** From there to the last schedule. */
  readonly tail: Dist;
}

export type Actor = ReaderActor | UpdaterActor | LoadActor | KfreeActor | HoldoutActor | ExiterActor;

/** True if one of these queues objects with kfree_rcu(), or waits for those. */
export function usesKvfree(actors: readonly Actor[]): boolean {
  return actors.some(
    (actor) => actor.kind === 'kfree' || (actor.kind === 'updater' && isKvfreeApi(actor.api)),
  );
}

/** True if one of these reads, updates, or is there to be waited for, with RCU Tasks. */
export function usesTasks(actors: readonly Actor[]): boolean {
  return actors.some((actor) => {
    if ('domain' in actor) return actor.domain.startsWith('tasks');
    return actor.kind === 'holdout' || actor.kind === 'exiter';
  });
}

/** True if one of these reads or updates with Tree RCU, or with what waits for its grace periods. */
export function usesRcu(actors: readonly Actor[]): boolean {
  const isDirect = actors.some((actor) => 'domain' in actor && actor.domain === 'rcu');
  return isDirect || usesKvfree(actors) || usesTasks(actors);
}

/** True if one of these reads or updates with SRCU. */
export function usesSrcu(actors: readonly Actor[]): boolean {
  return actors.some((actor) => 'domain' in actor && actor.domain.startsWith('srcu'));
}

/**
 * True if one of these waits with classic RCU Tasks, which waits for tasks that exit in a domain of SRCU where
 * `exitRule`, the rule tasks.exit, says so (up to 6.8, spec tasks 3 step 4).
 */
export function usesExitSrcu(actors: readonly Actor[], exitRule: string): boolean {
  return exitRule === 'srcu' && actors.some((actor) => 'domain' in actor && actor.domain === 'tasks');
}

/** State at t = 0 (docs/configuration.md). */
export interface InitialState {
  /** Lag of the sleeping workers at t = 0 (spec srcu 11.1, 8.6 E2): one per CPU, the last one repeated. */
  readonly workerLagNs: readonly number[];
  /** First migrator (spec srcu 3.8 c); absent: lowest CPU with a running tick. */
  readonly migratorCpu?: number;
  /** CPU of the RCU grace-period kthread (tree R2.27); absent: see gpKthreadCpuOf(). No effect on a run of SRCU. */
  readonly gpKthreadCpu?: number;
  /** Holder of the jiffies duty (tree R1.15b); absent: the first CPU that ticks. */
  readonly timekeeperCpu?: number;
  /** What Tree RCU has under way; absent: "idle". No effect on a run of SRCU. */
  readonly rcuGp?: RcuGp;
  /** Urgent looks left over from earlier use of classic RCU Tasks, 0 to 3 (spec tasks 3.1); absent: 0. */
  readonly tasksUrgent?: number;
}

/**
 * Tree RCU at t = 0 (spec tree 11.1): nothing under way; a grace period, requested by a callback of the last CPU, that
 * began so many ticks before the last tick at or before the first updater's start; or callbacks on gpKthreadCpu that have no number yet.
 */
export type RcuGp = 'idle' | { readonly startedTicksAgo: number } | { readonly callbacksQueued: number };

/** When the run ends: at `afterNs`, when all finite actors have finished, or whichever is first. */
export interface Stop {
  readonly afterNs?: number;
  readonly whenDone?: boolean;
}

/** The complete configuration, defaults filled in. */
export interface SimConfig {
  readonly v: 1;
  readonly scenario?: string;
  readonly kernel: ProfileId;
  readonly rules: Readonly<Partial<Record<RuleId, string>>>;
  readonly hz: number;
  readonly startJiffies: number;
  readonly cpus: number;
  readonly preempt: 'full' | 'voluntary' | 'none';
  readonly seed: number;
  /** Kernel parameters, every one that the kernel has, by its full name. */
  readonly params: Readonly<Record<string, number | string>>;
  readonly machine: Machine;
  readonly initial: InitialState;
  readonly kconfig: Readonly<Record<string, boolean>>;
  readonly actors: readonly Actor[];
  readonly stop: Stop;
}
