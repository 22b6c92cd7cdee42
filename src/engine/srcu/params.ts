/** Kernel parameters of SRCU and what they default to (spec srcu 3.3, 1.5). */
import type { ParamInfo } from '../profiles/kernelParams.ts';
import type { ProfileId, RuleSet } from '../profiles/profiles.ts';

const UNSIGNED_MAX = Number.MAX_SAFE_INTEGER;
const FROM_V1: ProfileId = 'v5.19-patch-v1';

/** The parameters this engine knows, in the order of the kernel's documentation. */
export const SRCU_PARAMS: readonly ParamInfo[] = [
  {
    name: 'srcutree.srcu_max_nodelay_phase',
    unit: 'passes',
    min: 0,
    max: UNSIGNED_MAX,
    since: FROM_V1,
    help: 'no-delay instances of srcu_get_delay() allowed in one phase of a grace period before it sleeps',
  },
  {
    name: 'srcutree.srcu_max_nodelay',
    unit: 'passes',
    min: 0,
    max: UNSIGNED_MAX,
    since: FROM_V1,
    help: 'no-delay passes of process_srcu() allowed in one jiffy',
  },
  {
    name: 'srcutree.srcu_retry_check_delay',
    unit: 'us',
    min: 0,
    max: UNSIGNED_MAX,
    since: FROM_V1,
    help: 'busy-wait between two checks of the readers',
  },
  {
    name: 'srcutree.exp_holdoff',
    unit: 'ns',
    min: 0,
    max: UNSIGNED_MAX,
    since: 'v4.17',
    help: 'synchronize_srcu() is expedited when the last grace period ended longer ago than this; 0: never',
  },
  {
    name: 'srcutree.convert_to_big',
    unit: '',
    min: 0,
    max: UNSIGNED_MAX,
    since: 'v5.19-rc1',
    help: 'when a domain gets its combining tree: 0 never, 1 at initialisation, 2 rcutorture, 3 by CPUs; +16 contention',
  },
  {
    name: 'srcutree.big_cpu_lim',
    unit: 'CPUs',
    min: 0,
    max: UNSIGNED_MAX,
    since: 'v5.19-rc1',
    help: 'with convert_to_big=3: so many CPUs make every domain big at boot',
  },
  {
    name: 'srcutree.small_contention_lim',
    unit: 'events',
    min: 0,
    max: UNSIGNED_MAX,
    since: 'v5.19-rc1',
    help: 'lock contention events in one jiffy that convert a small domain',
  },
  {
    name: 'srcutree.counter_wrap_check',
    unit: '',
    min: 0,
    max: UNSIGNED_MAX,
    since: 'v4.17',
    help: 'how often the counters are checked against wrap-around; no effect on timing',
  },
  {
    name: 'experiment.second_retry_delay',
    unit: 'us',
    min: 0,
    max: UNSIGNED_MAX,
    since: 'v5.19-fix4',
    only: ['v5.19-fix4'],
    help: 'busy-wait after the second failed check of one try_check_zero() (posted experiment)',
  },
];

/** Default phase limit by HZ: clamp(floor(floor(2e6 / HZ) / 5), 3, 1000), always with the compile-time 5 us. */
export function defaultPhaseLimit(hz: number): number {
  return Math.min(1000, Math.max(3, Math.floor(Math.floor(2_000_000 / hz) / 5)));
}

/** `srcu_max_nodelay_phase` where nothing is given; Infinity where the kernel has no such limit. */
export function phaseLimitOf(rules: RuleSet, hz: number): number {
  const rule = rules['srcu.phaseLimit'];
  return rule === 'none' ? Number.POSITIVE_INFINITY : rule === 'by-hz' ? defaultPhaseLimit(hz) : Number(rule);
}

/** `srcu_max_nodelay` where nothing is given; Infinity where the kernel has no such limit. */
export function jiffyLimitOf(rules: RuleSet, hz: number): number {
  const rule = rules['srcu.jiffyLimit'];
  if (rule === 'none') return Number.POSITIVE_INFINITY;
  return rule === '100' ? 100 : Math.max(100, defaultPhaseLimit(hz));
}

/** The compile-time retry delay in us. */
export const RETRY_CHECK_DELAY_US = 5;

/**
 * The default of a parameter as set (before boot works on it), or undefined where the kernel lacks it.
 * `counter_wrap_check` is 2^62-1, beyond safe integers, and therefore a string.
 */
export function defaultSrcuParam(name: string, rules: RuleSet, hz: number): number | string | undefined {
  switch (name) {
    case 'srcutree.srcu_max_nodelay_phase':
      return phaseLimitOf(rules, hz);
    case 'srcutree.srcu_max_nodelay':
      return jiffyLimitOf(rules, hz);
    case 'srcutree.srcu_retry_check_delay':
    case 'experiment.second_retry_delay':
      return RETRY_CHECK_DELAY_US;
    case 'srcutree.exp_holdoff':
      return 25_000;
    case 'srcutree.convert_to_big':
      return 3;
    case 'srcutree.big_cpu_lim':
      return 128;
    case 'srcutree.small_contention_lim':
      return 100;
    case 'srcutree.counter_wrap_check':
      return '4611686018427387903';
    default:
      return undefined;
  }
}

/**
 * What `convert_to_big` reads after boot (spec srcu 1.5 a): 3 becomes 1 from big_cpu_lim CPUs on, else 0 + 16
 * (small, by contention). Other values stay.
 */
export function effectiveConvertToBig(convertToBig: number, bigCpuLim: number, cpus: number): number {
  if (convertToBig % 16 !== 3) return convertToBig;
  const byContention = convertToBig >= 16 ? convertToBig - 3 : 16;
  return cpus >= bigCpuLim ? 1 : byContention;
}
