/** What the parameters of RCU Tasks come to in this configuration (spec tasks 2.2, 3.1, 6, 8). Times in jiffies. */
import type { SimConfig } from '../config.ts';
import { TASKS_FLAVOR } from '../core/eventKinds.ts';
import type { RuleSet } from '../profiles/profiles.ts';

/** Values in force for one flavour. */
export interface TasksConstants {
  /** The kthread sleeps so long between two looks for callbacks. */
  readonly gpSleep: number;
  /** First sleep of the hold-out loop, where a rule does not say otherwise. */
  readonly initFract: number;
  /** A callback that nobody waits for may wait so long for others; 0: it may not. */
  readonly lazyJiffies: number;
  /** Callbacks from which on the next one is urgent. */
  readonly lazyLim: number;
  /** A grace period as old as this is reported as stalled; not above 0: never. */
  readonly stallTimeout: number;
  /** Age at the first message before that; not above 0: never. */
  readonly stallInfo: number;
  /** Each further one waits so many times longer. */
  readonly stallInfoMult: number;
  /** Trace: age from which on CPUs are interrupted. */
  readonly ipiDelay: number;
}

const MS_PER_S = 1000;
const STALL_TIMEOUT_S = 600;
const STALL_INFO_S = 10;
const STALL_INFO_MULT = { default: 3, min: 1, max: 10 } as const;
const LAZY_LIM = 32;
/** gp_sleep, and what init_fract comes to: HZ over this. */
const SLEEPS_PER_S = 10;
/** The same of the Trace flavour without TASKS_TRACE_RCU_READ_MB. */
const TRACE_SLEEPS_PER_S = 200;
/** DIV_ROUND_UP(HZ, 4). */
const LAZY_PER_S = 4;

/** Parameter that sets lazy_jiffies, by flavour; Rude has none. */
const LAZY_MS = ['rcupdate.rcu_tasks_lazy_ms', undefined, 'rcupdate.rcu_tasks_trace_lazy_ms'] as const;

/** Values for a flavour (TASKS_FLAVOR) in this configuration. */
export function tasksConstants(config: SimConfig, rules: RuleSet, flavor: number): TasksConstants {
  const { hz, params, kconfig } = config;
  const value = (name: string | undefined, otherwise: number): number => {
    const given = name === undefined ? undefined : params[name];
    return typeof given === 'number' ? given : otherwise;
  };
  const readMb = kconfig.TASKS_TRACE_RCU_READ_MB === true;
  const isShort = flavor === TASKS_FLAVOR.trace && !readMb;
  const sleep = Math.max(1, Math.floor(hz / (isShort ? TRACE_SLEEPS_PER_S : SLEEPS_PER_S)));
  const lazyMs = value(LAZY_MS[flavor], -1);
  const lazy = lazyMs < 0 ? Math.ceil(hz / LAZY_PER_S) : Math.ceil((lazyMs * hz) / MS_PER_S);
  const mult = value('rcupdate.rcu_task_stall_info_mult', STALL_INFO_MULT.default);
  return {
    gpSleep: sleep,
    initFract: sleep,
    lazyJiffies: rules['tasks.lazy'] === 'lazy' ? lazy : 0,
    lazyLim: value('rcupdate.rcu_task_lazy_lim', LAZY_LIM),
    stallTimeout: value('rcupdate.rcu_task_stall_timeout', STALL_TIMEOUT_S * hz),
    stallInfo: rules['tasks.info'] === 'yes' ? value('rcupdate.rcu_task_stall_info', STALL_INFO_S * hz) : 0,
    stallInfoMult: Math.min(Math.max(mult, STALL_INFO_MULT.min), STALL_INFO_MULT.max),
    ipiDelay: value('rcupdate.rcu_task_ipi_delay', readMb ? Math.floor(hz / 2) : 0),
  };
}
