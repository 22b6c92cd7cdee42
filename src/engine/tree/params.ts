/** Kernel parameters of Tree RCU: what they default to, and what the kernel makes of other values (tree §1.5, §10). */
import type { Build, ParamInfo } from '../profiles/kernelParams.ts';

const ULONG = Number.MAX_SAFE_INTEGER;
const INT_MAX = 2 ** 31 - 1;

const boolean = { type: 'bool', unit: '', min: 0, max: 1 } as const;
const flag = { type: 'int', unit: '', min: 0, max: 1 } as const;

/** The parameters that decide a run of Tree RCU, in the order in which people look for them. */
export const RCU_PARAMS: readonly ParamInfo[] = [
  {
    name: 'rcutree.jiffies_till_first_fqs',
    unit: 'jiffies',
    min: 0,
    max: 'HZ',
    since: 'v4.17',
    help: 'wait of the grace-period kthread before its first scan for idle CPUs; default by HZ and nr_cpus',
  },
  {
    name: 'rcutree.jiffies_till_next_fqs',
    unit: 'jiffies',
    min: 1,
    max: 'HZ',
    since: 'v4.17',
    help: 'wait between two such scans; default by HZ and nr_cpus',
  },
  {
    name: 'rcutree.jiffies_till_sched_qs',
    unit: 'jiffies',
    min: 0,
    max: ULONG,
    since: 'v4.17',
    help: 'age at which a grace period asks busy CPUs for help; not given: computed, see jiffies_to_sched_qs',
  },
  {
    name: 'rcutree.rcu_normal_wake_from_gp',
    ...flag,
    since: 'v6.10',
    rule: { id: 'tree.srNormal', values: ['list'] },
    help: '1: the kthread wakes callers of synchronize_rcu() itself, past the callbacks; default 1 from 6.17 on with at most 16 CPUs',
  },
  {
    name: 'rcupdate.rcu_expedited',
    ...flag,
    since: 'v4.17',
    help: '1: synchronize_rcu() and synchronize_srcu() are expedited; rcu_normal wins over it',
  },
  {
    name: 'rcupdate.rcu_normal',
    ...flag,
    since: 'v4.17',
    help: '1: nothing is expedited, whoever asks for it',
  },
  {
    name: 'rcupdate.rcu_normal_after_boot',
    ...flag,
    since: 'v4.17',
    help: '1: rcu_normal is set when boot is over, as it is in a run; default 1 on PREEMPT_RT',
  },
  {
    name: 'rcutree.blimit',
    type: 'long',
    unit: 'callbacks',
    min: 0,
    max: ULONG,
    since: 'v4.17',
    help: 'callbacks that softirq invokes in one batch at least',
  },
  {
    name: 'rcutree.qhimark',
    type: 'long',
    unit: 'callbacks',
    min: 0,
    max: ULONG,
    since: 'v4.17',
    help: 'so many more callbacks on one CPU: batches get larger and a scan is forced',
  },
  {
    name: 'rcutree.qlowmark',
    type: 'long',
    unit: 'callbacks',
    min: 0,
    max: ULONG,
    since: 'v4.17',
    help: 'at so few callbacks batches are limited by blimit again',
  },
  {
    name: 'rcutree.qovld',
    type: 'long',
    unit: 'callbacks',
    min: -1,
    max: ULONG,
    since: 'v5.7',
    help: 'so many callbacks on one CPU: overload, grace periods ask for help at once; 0 never, negative 2 * qhimark',
  },
  {
    name: 'rcutree.rcu_divisor',
    type: 'int',
    unit: '',
    min: 0,
    max: 62,
    since: 'v5.4',
    help: 'a batch is at least the callbacks shifted right by this',
  },
  {
    name: 'rcutree.rcu_resched_ns',
    type: 'long',
    unit: 'ns',
    min: 1_000_000,
    max: 1_000_000_000,
    since: 'v5.4',
    help: 'time after which a batch of more than 100 callbacks ends',
  },
  {
    name: 'rcutree.use_softirq',
    ...boolean,
    since: 'v5.4',
    help: 'N: callbacks and quiescent states are handled by rcuc kthreads; always N on PREEMPT_RT',
  },
  {
    name: 'rcutree.rcu_fanout_leaf',
    type: 'int',
    unit: 'CPUs',
    min: 2,
    max: 64,
    since: 'v4.17',
    help: 'CPUs per leaf of the rcu_node tree',
  },
  {
    name: 'rcutree.rcu_fanout_exact',
    ...boolean,
    since: 'v4.17',
    help: 'Y: leaves are filled one after the other, not evenly',
  },
  {
    name: 'rcutree.rcu_nocb_gp_stride',
    type: 'int',
    unit: 'CPUs',
    min: 1,
    max: INT_MAX,
    since: 'v5.4',
    help: 'CPUs, by number, that share one rcuog kthread; default nr_cpus / sqrt(nr_cpus)',
  },
  {
    name: 'rcutree.nocb_nobypass_lim_per_jiffy',
    type: 'int',
    unit: 'callbacks',
    min: 0,
    max: INT_MAX,
    since: 'v5.4',
    help: 'so many callbacks in one jiffy on an offloaded CPU: the others wait on its bypass list',
  },
  {
    name: 'rcutree.enable_rcu_lazy',
    ...boolean,
    since: 'v6.3',
    rule: { id: 'tree.lazy', values: ['lazy'] },
    help: 'Y: call_rcu() on offloaded CPUs may wait up to 10 s; needs CONFIG_RCU_LAZY, and is a parameter from 6.9 on',
  },
  {
    name: 'rcutree.nohz_full_patience_delay',
    type: 'int',
    unit: 'ms',
    min: 0,
    max: 5000,
    since: 'v6.12',
    help: 'age up to which a grace period leaves nohz_full CPUs in user mode alone',
  },
  {
    name: 'rcupdate.rcu_cpu_stall_timeout',
    type: 'int',
    unit: 's',
    min: 3,
    max: 300,
    since: 'v4.17',
    help: 'age at which a grace period is reported as stalled; 5 s more with CONFIG_PROVE_RCU',
  },
  {
    name: 'rcupdate.rcu_exp_cpu_stall_timeout',
    type: 'int',
    unit: 'ms',
    min: 0,
    max: 300_000,
    since: 'v5.19-rc1',
    help: 'the same for expedited grace periods; 0: as rcu_cpu_stall_timeout',
  },
];

/** What jiffies_till_sched_qs reads where it was not given (ULONG_MAX): beyond safe integers, and therefore text. */
export const SCHED_QS_NOT_GIVEN = '18446744073709551615';
/** Possible CPUs up to which 6.17 wakes from the grace period by default (WAKE_FROM_GP_CPU_THRESHOLD). */
const WAKE_FROM_GP_CPUS = 16;
/** Shift that the kernel takes in place of a negative rcu_divisor. */
const DIVISOR = 7;
const FANOUT_LEAF = 16;
/** CPUs that make every wait one jiffy longer (RCU_JIFFIES_FQS_DIV). */
const FQS_DIV = 256;

/** Default of both waits for a scan: rcu_init_geometry(). */
export function defaultFqsJiffies(hz: number, cpus: number): number {
  return 1 + (hz > 250 ? 1 : 0) + (hz > 500 ? 1 : 0) + Math.floor(cpus / FQS_DIV);
}

/** jiffies_to_sched_qs where jiffies_till_sched_qs was not given: adjust_jiffies_till_sched_qs(). */
export function schedQsJiffies(hz: number, cpus: number, first: number, next: number): number {
  return Math.max(first + 2 * next, Math.floor(hz / 10) + Math.floor(cpus / FQS_DIV));
}

/** CPUs per rcuog kthread: nr_cpu_ids / int_sqrt(nr_cpu_ids). */
function defaultStride(cpus: number): number {
  let root = 1;
  while ((root + 1) * (root + 1) <= cpus) root++;
  return Math.floor(cpus / root);
}

/** The default of a parameter as it reads after boot, or undefined for names that are not in RCU_PARAMS. */
export function defaultRcuParam(name: string, build: Build): number | string | undefined {
  const { rules, hz, cpus, kconfig } = build;
  switch (name) {
    case 'rcutree.jiffies_till_first_fqs':
    case 'rcutree.jiffies_till_next_fqs':
      return defaultFqsJiffies(hz, cpus);
    case 'rcutree.jiffies_till_sched_qs':
      return SCHED_QS_NOT_GIVEN;
    case 'rcutree.rcu_normal_wake_from_gp':
      return rules['tree.wakeDefault'] === 'by-cpus' && cpus <= WAKE_FROM_GP_CPUS ? 1 : 0;
    case 'rcupdate.rcu_normal_after_boot':
      return kconfig.PREEMPT_RT === true ? 1 : 0;
    case 'rcutree.use_softirq':
      return kconfig.PREEMPT_RT === true ? 0 : 1;
    case 'rcutree.enable_rcu_lazy':
      return kconfig.RCU_LAZY === true ? 1 : 0;
    case 'rcutree.rcu_nocb_gp_stride':
      return defaultStride(cpus);
    case 'rcutree.nocb_nobypass_lim_per_jiffy':
      return Math.floor(16_000 / hz);
    default:
      return CONSTANT_DEFAULTS[name];
  }
}

const CONSTANT_DEFAULTS: Readonly<Record<string, number>> = {
  'rcupdate.rcu_expedited': 0,
  'rcupdate.rcu_normal': 0,
  'rcutree.blimit': 10,
  'rcutree.qhimark': 10_000,
  'rcutree.qlowmark': 100,
  'rcutree.qovld': 20_000,
  'rcutree.rcu_divisor': DIVISOR,
  'rcutree.rcu_resched_ns': 3_000_000,
  'rcutree.rcu_fanout_leaf': FANOUT_LEAF,
  'rcutree.rcu_fanout_exact': 0,
  'rcutree.nohz_full_patience_delay': 0,
  'rcupdate.rcu_cpu_stall_timeout': 21,
  'rcupdate.rcu_exp_cpu_stall_timeout': 0,
};

/** msecs_to_jiffies() at least two and at most 300 s, and back: rcu_exp_jiffies_till_stall_check(). */
function expStallMs(ms: number, hz: number): number {
  if (ms <= 0) return 0;
  const jiffies = Math.min(Math.max(Math.ceil((ms * hz) / 1000), 2), 300 * hz);
  return Math.floor((jiffies * 1000) / hz);
}

/**
 * What the kernel makes of a whole number that it could read: raised, cut, or replaced by something else; undefined
 * where it would not work at all.
 */
export function effectiveRcuParam(param: ParamInfo, value: number, build: Build): number | undefined {
  const { hz } = build;
  const max = param.max === 'HZ' ? hz : param.max;
  switch (param.name) {
    case 'rcutree.rcu_nocb_gp_stride':
      if (value === -1) return defaultStride(build.cpus);
      return value < 1 ? undefined : value;
    case 'rcutree.rcu_normal_wake_from_gp': {
      const isAuto = value < 0 && build.rules['tree.wakeDefault'] === 'by-cpus';
      return isAuto ? (defaultRcuParam(param.name, build) as number) : Math.min(Math.abs(value), 1);
    }
    case 'rcutree.rcu_fanout_leaf':
      return value < param.min || value > max ? FANOUT_LEAF : value;
    case 'rcutree.rcu_divisor':
      return value < 0 ? DIVISOR : Math.min(value, max);
    case 'rcutree.use_softirq':
      return build.kconfig.PREEMPT_RT === true ? 0 : value;
    case 'rcupdate.rcu_exp_cpu_stall_timeout':
      return expStallMs(value, hz);
    case 'rcupdate.rcu_expedited':
    case 'rcupdate.rcu_normal':
    case 'rcupdate.rcu_normal_after_boot':
      return Math.min(Math.abs(value), 1);
    default:
      return Math.min(Math.max(value, param.min), max);
  }
}

/** Where nothing is expedited: rcu_gp_is_normal() after boot. */
export function isAlwaysNormal(params: Readonly<Record<string, number | string>>): boolean {
  return params['rcupdate.rcu_normal'] === 1 || params['rcupdate.rcu_normal_after_boot'] === 1;
}

/** Where grace periods that are not asked to be are expedited: rcu_gp_is_expedited() after boot. */
export function isAlwaysExpedited(params: Readonly<Record<string, number | string>>): boolean {
  return params['rcupdate.rcu_expedited'] === 1;
}
