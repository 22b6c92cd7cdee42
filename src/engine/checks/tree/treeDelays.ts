/** What the configuration says about the waits of the grace-period kthread (tree §1.5), for the checkers. */
import type { SimConfig } from '../../config.ts';
import type { RunInfo } from '../../core/info.ts';

/** Seconds up to which rcu_cpu_stall_timeout is raised, and cut. */
const STALL_S = [3, 300] as const;
const STALL_DEFAULT_S = 21;
/** Added with PROVE_RCU. */
const STALL_PROVE_S = 5;
const QHIMARK = 10_000;

/** In jiffies and callbacks. */
export interface TreeDelays {
  /** jiffies_till_first_fqs, jiffies_till_next_fqs, jiffies_to_sched_qs. */
  readonly first: number;
  readonly next: number;
  readonly schedQs: number;
  readonly stallJiffies: number;
  readonly qhimark: number;
  /** 0: no number of callbacks is overload. */
  readonly qovld: number;
}

/** PREEMPT_RCU: preempted readers are waited for by name. */
export function isPreemptible({ preempt, kconfig }: SimConfig): boolean {
  return preempt === 'full' || kconfig.PREEMPT_DYNAMIC === true || kconfig.PREEMPT_RT === true;
}

/** Values in force. */
export function treeDelays({ config }: RunInfo): TreeDelays {
  const { hz, cpus, params, kconfig } = config;
  const given = (name: string, otherwise: number): number => {
    const value = params[name];
    return typeof value === 'number' ? value : otherwise;
  };
  const more = Math.floor(cpus / 256);
  const usual = 1 + (hz > 250 ? 1 : 0) + (hz > 500 ? 1 : 0) + more;
  const first = Math.min(given('rcutree.jiffies_till_first_fqs', usual), hz);
  const next = Math.min(Math.max(given('rcutree.jiffies_till_next_fqs', usual), 1), hz);
  const schedQs = Math.max(first + 2 * next, Math.floor(hz / 10) + more);
  const stallS = Math.min(
    Math.max(given('rcupdate.rcu_cpu_stall_timeout', STALL_DEFAULT_S), STALL_S[0]),
    STALL_S[1],
  );
  const qhimark = given('rcutree.qhimark', QHIMARK);
  const qovld = given('rcutree.qovld', -1);
  return {
    first,
    next,
    schedQs: given('rcutree.jiffies_till_sched_qs', schedQs),
    stallJiffies: (stallS + (kconfig.PROVE_RCU === true ? STALL_PROVE_S : 0)) * hz,
    qhimark,
    qovld: qovld < 0 ? 2 * qhimark : qovld,
  };
}

/** So many ticks a timer of `delay` jiffies takes at most, where no CPU is late: the wheel rounds up (R1.15). */
export function wheelTicks(delay: number): number {
  let unit = 1;
  while (delay >= 63 * unit) unit *= 8;
  return delay + unit;
}
