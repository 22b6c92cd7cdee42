/** Rules of kfree_rcu() and kvfree_rcu(): values and what each release has (docs/model/kvfree.md, spec kvfree 10). */

/** Values that each rule can take, in the order in which kernels got them. */
export const KVFREE_RULE_VALUES = {
  /** kfree_rcu() as a callback per object, or in batches, spec kvfree K4 to K12. */
  'kvfree.batching': ['none', 'list'],
  /** Records of a block with pages of 4 KiB, spec kvfree K3; `none`: head channel only. */
  'kvfree.block': ['none', '509', '510', '508', '507'],
  /**
   * Where blocks come from, spec kvfree K4, K14: nowhere; the caller, who allocates, with one cached per CPU; the same
   * with rcu_min_cached_objs; a worker that fills the cache, and waits rcu_delay_page_cache_fill_msec where the shrinker
   * has been there; the same, whose fill ends at the first page that it does not get. The engine does the same for the
   * last two: memory does not change within a fill, so that after a page that cannot be had there is no other one.
   */
  'kvfree.cache': ['none', 'caller-1', 'caller', 'worker', 'worker-backoff'],
  /** One-argument form, spec kvfree K17. */
  'kvfree.oneArg': ['no', 'yes'],
  /** When the monitor comes again, spec kvfree K9 c: if it could attach nothing; if anything is left. */
  'kvfree.rearm': ['if-none-attached', 'if-any-left'],
  /** Delay of the monitor, spec kvfree K7: HZ/50; 5 s, or one jiffy from a full block on. */
  'kvfree.monitor': ['hz-50', '5hz-or-1'],
  /** How a batch waits for its grace period, spec kvfree K12, one row a value. No profile has "per-block". */
  'kvfree.wait': ['rcu-work', 'polled-2022', 'per-block', 'ready-by-monitor'],
  /** Which batch takes objects, spec kvfree K9 b: one whose same channel is empty; one that is empty. */
  'kvfree.attach': ['per-channel', 'empty-batch'],
  /** Whether a block's grace period is looked at once more when it is freed, spec kvfree K11. */
  'kvfree.gpCheck': ['no', 'yes'],
  /** kvfree_rcu_barrier(), spec kvfree K16. */
  'kvfree.barrier': ['no', 'yes'],
  /** Where batches are freed, spec kvfree K13: on the CPU of their callback; on an idle CPU if there is one. */
  'kvfree.wq': ['system', 'unbound'],
  /** What debug objects see of kfree_bulk(), spec kvfree K32: its objects are unqueued first; they are not. */
  'kvfree.debugBulk': ['unqueue', 'none'],
} as const;

/** One value for every rule of kvfree. */
export type KvfreeRules = {
  readonly [R in keyof typeof KVFREE_RULE_VALUES]: (typeof KVFREE_RULE_VALUES)[R][number];
};

/** Up to 5.5: no batching, so that the other rules say nothing. */
export const KVFREE_V54: KvfreeRules = {
  'kvfree.batching': 'none',
  'kvfree.block': 'none',
  'kvfree.cache': 'none',
  'kvfree.oneArg': 'no',
  'kvfree.rearm': 'if-none-attached',
  'kvfree.monitor': 'hz-50',
  'kvfree.wait': 'rcu-work',
  'kvfree.attach': 'per-channel',
  'kvfree.gpCheck': 'no',
  'kvfree.barrier': 'no',
  'kvfree.wq': 'system',
  'kvfree.debugBulk': 'unqueue',
};
export const KVFREE_V56: KvfreeRules = { ...KVFREE_V54, 'kvfree.batching': 'list' };
export const KVFREE_V57: KvfreeRules = { ...KVFREE_V56, 'kvfree.block': '509', 'kvfree.cache': 'caller-1' };
/** As first posted: 5.6 with the blocks that 5.7 got, and kfree_bulk() without unqueue. */
export const KVFREE_BULK_2019: KvfreeRules = { ...KVFREE_V57, 'kvfree.debugBulk': 'none' };
export const KVFREE_V510: KvfreeRules = {
  ...KVFREE_V57,
  'kvfree.block': '510',
  'kvfree.cache': 'caller',
  'kvfree.oneArg': 'yes',
  'kvfree.rearm': 'if-any-left',
};
export const KVFREE_V518: KvfreeRules = { ...KVFREE_V510, 'kvfree.cache': 'worker' };
/** 6.1.192, which has the attach rule of 6.3. */
export const KVFREE_V61: KvfreeRules = {
  ...KVFREE_V518,
  'kvfree.cache': 'worker-backoff',
  'kvfree.monitor': '5hz-or-1',
  'kvfree.attach': 'empty-batch',
};
/** A patch on 6.1 as released, with its attach rule. */
export const KVFREE_POLLED_2022: KvfreeRules = {
  ...KVFREE_V61,
  'kvfree.wait': 'polled-2022',
  'kvfree.attach': 'per-channel',
};
export const KVFREE_V63: KvfreeRules = {
  ...KVFREE_V61,
  'kvfree.block': '508',
  'kvfree.wait': 'ready-by-monitor',
};
export const KVFREE_V66: KvfreeRules = { ...KVFREE_V63, 'kvfree.block': '507', 'kvfree.gpCheck': 'yes' };
/** 6.12.117, which has the workqueue of 6.14. */
export const KVFREE_V612: KvfreeRules = {
  ...KVFREE_V66,
  'kvfree.barrier': 'yes',
  'kvfree.wq': 'unbound',
};
