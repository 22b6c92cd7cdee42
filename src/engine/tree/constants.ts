/** What the parameters of rcutree and rcupdate come to in this configuration (tree §1.5). */
import type { SimConfig } from '../config.ts';
import type { RuleSet } from '../profiles/profiles.ts';
import { defaultFqsJiffies, isAlwaysExpedited, isAlwaysNormal, schedQsJiffies } from './params.ts';

/** Values in force. Delays in jiffies. */
export interface TreeConstants {
  /** PREEMPT_RCU: `preempt` full, or a build with PREEMPT_DYNAMIC or PREEMPT_RT. */
  readonly isPreemptible: boolean;
  /** PREEMPT_COUNT, which PREEMPT_RCU brings with it: a tick can tell code that may be preempted (R2.18). */
  readonly countsPreemption: boolean;
  readonly firstFqs: number;
  readonly nextFqs: number;
  /** jiffies_to_sched_qs. */
  readonly schedQs: number;
  readonly blimit: number;
  readonly qhimark: number;
  readonly qlowmark: number;
  readonly qovld: number;
  readonly divisor: number;
  readonly reschedNs: number;
  readonly usesSoftirq: boolean;
  readonly wakeFromGp: boolean;
  readonly fanoutLeaf: number;
  readonly fanoutExact: boolean;
  readonly expedited: boolean;
  readonly normal: boolean;
  readonly stallJiffies: number;
  /** rcu_exp_cpu_stall_timeout. */
  readonly expStallJiffies: number;
}

const MS_PER_S = 1000;
/** rcu_cpu_stall_timeout is raised and cut to these seconds. */
const STALL_SECONDS = [3, 300] as const;
/** RCU_STALL_DELAY_DELTA of kernels with PROVE_RCU, s. */
const STALL_PROVE_SECONDS = 5;

/** Values for this configuration. */
export function treeConstants(config: SimConfig, rules: RuleSet): TreeConstants {
  const { hz, cpus, kconfig } = config;
  const value = (name: string, otherwise: number): number => {
    const given = config.params[name];
    return typeof given === 'number' ? given : otherwise;
  };
  const fqs = defaultFqsJiffies(hz, cpus);
  const firstFqs = Math.min(value('rcutree.jiffies_till_first_fqs', fqs), hz);
  const nextFqs = Math.max(1, Math.min(value('rcutree.jiffies_till_next_fqs', fqs), hz));
  const qhimark = value('rcutree.qhimark', 10_000);
  const qovld = value('rcutree.qovld', -1);
  const stallSeconds = Math.min(
    Math.max(value('rcupdate.rcu_cpu_stall_timeout', 21), STALL_SECONDS[0]),
    STALL_SECONDS[1],
  );
  const stallJiffies = (stallSeconds + (kconfig.PROVE_RCU === true ? STALL_PROVE_SECONDS : 0)) * hz;
  const expMs = value('rcupdate.rcu_exp_cpu_stall_timeout', 0);
  const wake = value(
    'rcutree.rcu_normal_wake_from_gp',
    rules['tree.wakeDefault'] === 'by-cpus' && cpus <= 16 ? 1 : 0,
  );
  const isPreemptible =
    config.preempt === 'full' || kconfig.PREEMPT_DYNAMIC === true || kconfig.PREEMPT_RT === true;
  return {
    isPreemptible,
    countsPreemption: isPreemptible || kconfig.PREEMPT_COUNT === true,
    firstFqs,
    nextFqs,
    schedQs: value('rcutree.jiffies_till_sched_qs', schedQsJiffies(hz, cpus, firstFqs, nextFqs)),
    blimit: value('rcutree.blimit', 10),
    qhimark,
    qlowmark: value('rcutree.qlowmark', 100),
    qovld: qovld < 0 ? 2 * qhimark : qovld,
    divisor: value('rcutree.rcu_divisor', 7),
    reschedNs: value('rcutree.rcu_resched_ns', 3_000_000),
    usesSoftirq: value('rcutree.use_softirq', 1) !== 0,
    wakeFromGp: rules['tree.srNormal'] === 'list' && wake > 0,
    fanoutLeaf: value('rcutree.rcu_fanout_leaf', 16),
    fanoutExact: value('rcutree.rcu_fanout_exact', 0) !== 0,
    expedited: isAlwaysExpedited(config.params),
    normal: isAlwaysNormal(config.params),
    stallJiffies,
    expStallJiffies: expMs === 0 ? stallJiffies : Math.ceil((expMs * hz) / MS_PER_S),
  };
}
