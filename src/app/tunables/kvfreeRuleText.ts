import type { KVFREE_RULE_VALUES } from '../../engine/profiles/kvfreeRules.ts';

/** What each of some rules decides, and what its values mean, in their order. */
export type RuleTexts<R extends string> = {
  readonly [Rule in R]: { readonly what: string; readonly values: readonly string[] };
};

/** The rules of kfree_rcu() and kvfree_rcu(). */
export const KVFREE_RULE_TEXT: RuleTexts<keyof typeof KVFREE_RULE_VALUES> = {
  'kvfree.batching': {
    what: 'how kfree_rcu() waits',
    values: ['a callback per object', 'in batches per CPU'],
  },
  'kvfree.block': {
    what: 'pointers in a block of 4 KiB',
    values: ['no blocks', '509', '510', '508', '507'],
  },
  'kvfree.cache': {
    what: 'where the pages of blocks come from',
    values: [
      'no blocks',
      'allocated in the call, one kept',
      'allocated in the call, rcu_min_cached_objs kept',
      'filled up by a worker, which backs off when the shrinker was there',
      'the same, and a fill ends at the first page that it does not get; no difference here',
    ],
  },
  'kvfree.oneArg': { what: 'one-argument form', values: ['no', 'yes'] },
  'kvfree.rearm': {
    what: 'when the monitor comes again',
    values: ['if it could attach nothing', 'if anything is left'],
  },
  'kvfree.monitor': {
    what: 'delay of the monitor',
    values: ['HZ/50', '5 s, or one jiffy from a full block on'],
  },
  'kvfree.wait': {
    what: 'how a batch waits for its grace period',
    values: [
      'as a callback, which queues the work',
      'in the work, with a cookie of the attach',
      'in the work, with a cookie per block; in no release',
      'the monitor frees what is ready, the rest as a callback',
    ],
  },
  'kvfree.attach': {
    what: 'which batch the monitor may fill',
    values: ['one whose same channel is empty, even if it waits already: unsafe', 'an empty one'],
  },
  'kvfree.gpCheck': {
    what: 'whether a block is checked once more when it is freed',
    values: ['no', 'yes: what is not ready stays'],
  },
  'kvfree.barrier': { what: 'kvfree_rcu_barrier()', values: ['no', 'yes'] },
  'kvfree.wq': {
    what: 'where batches are freed',
    values: ['on the CPU that ran their callback', 'on an idle CPU if there is one'],
  },
  'kvfree.debugBulk': {
    what: 'what debug objects see of a block',
    values: ['every object is unqueued before it is freed', 'nothing: a false alarm for every object'],
  },
};
