/** Kernel parameters of kfree_rcu() and kvfree_rcu() (spec kvfree K14). */
import type { ParamInfo } from './kernelParams.ts';

const INT_MAX = 2 ** 31 - 1;

/** The parameters that decide how blocks are had. */
export const KVFREE_PARAMS: readonly ParamInfo[] = [
  {
    name: 'rcutree.rcu_min_cached_objs',
    type: 'int',
    unit: 'pages',
    min: 0,
    max: INT_MAX,
    since: 'v5.10',
    rule: { id: 'kvfree.cache', values: ['caller', 'worker', 'worker-backoff'] },
    help: 'pages that kvfree_rcu() keeps per CPU for its blocks; 0: none, objects wait on the head channel',
  },
  {
    name: 'rcutree.rcu_delay_page_cache_fill_msec',
    type: 'int',
    unit: 'ms',
    min: 0,
    max: 100_000,
    since: 'v5.18',
    rule: { id: 'kvfree.cache', values: ['worker', 'worker-backoff'] },
    help: 'delay before those pages are filled up again after memory was short',
  },
];

/** The default of a parameter, or undefined for names that are not in KVFREE_PARAMS. */
export function defaultKvfreeParam(name: string): number | undefined {
  if (name === 'rcutree.rcu_min_cached_objs') return 5;
  return name === 'rcutree.rcu_delay_page_cache_fill_msec' ? 5000 : undefined;
}
