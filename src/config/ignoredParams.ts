/** Boot parameters this program knows of and does not simulate, with the reason. */
import { SRCU_PARAMS } from '../engine/srcu/params.ts';

/** Why a parameter of a command line or configuration has no effect here. */
export interface IgnoredReason {
  readonly kind: 'foreign' | 'later' | 'unknown' | 'removed';
  /** One sentence. */
  readonly reason: string;
}

/** Parameters about which there is more to say than that they are not simulated. */
const HINTS: Readonly<Record<string, IgnoredReason>> = {
  'rcutree.rcu_idle_gp_delay': {
    kind: 'removed',
    reason: 'not simulated, and no longer in kernels since 5.17 (RCU_FAST_NO_HZ was removed)',
  },
  'rcutree.rcu_idle_lazy_gp_delay': {
    kind: 'removed',
    reason: 'not simulated, and no longer in kernels since 5.17 (RCU_FAST_NO_HZ was removed)',
  },
  maxcpus: {
    kind: 'later',
    reason: 'CPUs that are not brought up are not simulated; nr_cpu_ids stays (set cpus, or nr_cpus=)',
  },
  possible_cpus: {
    kind: 'later',
    reason: 'CPUs that are not brought up are not simulated (set cpus, or nr_cpus=)',
  },
};

const LATER_NAMES = ['threadirqs', 'nohz', 'highres', 'irqaffinity'];
const LATER_PREFIXES = ['rcu.', 'kvfree_rcu.', 'workqueue.'];
const TEST_PREFIXES = ['rcutorture.', 'rcuscale.', 'rcuperf.', 'refscale.', 'srcutorture.', 'torture.'];

/** Why `name` (underscores) is not one of the parameters that can be set here (paramSet.ts, bootParams.ts). */
export function whyParameterIsIgnored(name: string): IgnoredReason {
  const hint = Object.hasOwn(HINTS, name) ? HINTS[name] : undefined;
  if (hint !== undefined) return hint;
  if (LATER_NAMES.includes(name) || LATER_PREFIXES.some((prefix) => name.startsWith(prefix))) {
    return { kind: 'later', reason: 'not simulated yet' };
  }
  if (TEST_PREFIXES.some((prefix) => name.startsWith(prefix))) {
    return { kind: 'later', reason: 'not simulated: it belongs to a test module' };
  }
  if (name.startsWith('rcutree.') || name.startsWith('rcupdate.')) {
    return { kind: 'unknown', reason: 'not known here; the command "params" lists those that are' };
  }
  if (name.startsWith('srcutree.') || name.startsWith('experiment.')) {
    const names = SRCU_PARAMS.map((param) => param.name).filter((known) => known.startsWith('srcutree.'));
    return { kind: 'unknown', reason: `no kernel has it; there are ${names.join(', ')}` };
  }
  return { kind: 'foreign', reason: 'not an RCU parameter' };
}
