/** What the panel shows of kvfree_rcu(), and how close it is to the kernel. */
import type { ModelNote } from '../modelNote.ts';

export const KFREE_NOTES: readonly ModelNote[] = [
  { what: 'Channels and blocks', fidelity: 'exact', kernel: 'kvfree_call_rcu()', rule: 'kvfree K1 to K6' },
  {
    what: 'Monitor and its delay',
    fidelity: 'exact',
    kernel: 'kfree_rcu_monitor()',
    rule: 'kvfree K7 to K9',
  },
  { what: 'How a batch waits', fidelity: 'exact', kernel: 'queue_rcu_work()', rule: 'kvfree K10 to K12' },
  { what: 'Page cache', fidelity: 'exact', kernel: 'fill_page_cache_func()', rule: 'kvfree K14' },
  { what: 'Debug objects', fidelity: 'exact', kernel: 'debug_rcu_head_queue()', rule: 'kvfree K31 to K34' },
  {
    what: 'Objects of a block that is being filled',
    fidelity: 'simplified',
    kernel: 'kvfree_call_rcu()',
    rule: 'kvfree K20',
  },
  {
    what: 'Which CPU frees',
    fidelity: 'simplified',
    kernel: 'kfree_rcu_work()',
    rule: 'kvfree K13',
  },
  {
    what: 'Slab pages that stay when their objects are free',
    fidelity: 'simplified',
    kernel: 'si_mem_available()',
    rule: 'kvfree K21, K29',
  },
  {
    what: 'An object that is queued twice',
    fidelity: 'not modelled',
    kernel: 'debug_rcu_head_queue()',
    rule: 'kvfree K17',
  },
];
