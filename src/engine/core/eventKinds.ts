/**
 * The kinds of log rows. Kernel trace events keep the kernel's name; SRCU has none, so ours use the function names.
 *
 * A row is { timeNs, kind, track, cause, a, b, c, d }. `track` is the entity the row is about (Track.id), `cause` the
 * index of the row that made it happen, or -1. The payloads, by kind:
 */
export const KIND = {
  /** track=CPU. a=next track (-1 idle), b=previous track (-1 idle), c=0 previous blocked, 1 preempted, 2 yielded. */
  sched_switch: 1,
  /** track=thread or worker woken. a=its CPU. */
  sched_waking: 2,
  /** track=CPU. a=jiffies. Only ticks that took the CPU from a task. */
  tick: 3,
  /** track=CPU handling. a=sleeping thread. */
  hrtimer_expire_entry: 4,
  /** track=CPU arming. a=TIMER_FN, b=delay in jiffies, c=jiffy at which it fires (spec srcu 3.6), d=domain. */
  timer_start: 5,
  /** track=CPU handling (spec srcu 3.8). a=TIMER_FN, b=jiffies, c=jiffy it was due, d=domain. */
  timer_expire_entry: 6,
  /** track=worker. a=WORK_FN, b=domain (of kvfree_rcu(): CPU of the krc), c=1 queued, 0 was queued already (no effect). */
  workqueue_queue_work: 7,
  /**
   * track=worker. a=WORK_FN, b=domain, c=callbacks ready (srcu_invoke_callbacks). kvfree_rcu(): b=CPU of the krc,
   * c=number of the batch (kfree_rcu_work), objects on the channels (kfree_rcu_monitor), 0 (fill_page_cache_func).
   */
  workqueue_execute_start: 8,
  /** track=thread that has finished its last call, iteration or callback. */
  thread_done: 9,
  /** track=CPU 0. a=STOP_REASON. Last row of every run. */
  run_end: 10,
  /** track=worker. a=WORK_FN, b, c as in the row that started it. kvfree_rcu() only. */
  workqueue_execute_end: 11,

  /** track=thread. a=index in APIS, b=call number from 0, c=domain or flavor. */
  api_call: 20,
  /** track=thread. a=index in APIS, b=call number, c=latency in ns, d=domain or flavor. */
  api_return: 21,
  /** track=domain. a=target s, b=1 expedited, c=thread, d=callback id or -1. srcu_gp_start_if_needed, spec 2.1. */
  srcu_request: 22,
  /** track=domain. a=srcu_gp_seq (4k+1), b=jiffies, c=1 expedited now, d=number k of the grace period. 2.3. */
  srcu_gp_start: 23,
  /**
   * track=domain. One execution of process_srcu, or a burst of `a` identical ones back to back. a=count (0: none of
   * a planned burst was completed), b=start of the first in ns, c=packed (passCode.ts), d=length of one in ns, so the last ends at
   * b + a * d. A pass is logged when it ends; a burst when it starts, and its count grows. Take times from b and d
   * only. 2.4, 4.1.
   */
  srcu_pass: 24,
  /** track=domain. A check that found no reader. a=idx, b=sum of unlocks, c=sum of locks, d=1 SCAN1, 2 SCAN2. 5.2. */
  srcu_check: 25,
  /** track=domain. a=new srcu_idx (full counter). 2.5. */
  srcu_flip: 26,
  /** track=domain. a=srcu_gp_seq (4k), b=cbdelay in jiffies, c=1 was expedited at its end, d=number k. 2.6. */
  srcu_gp_end: 27,
  /** track=thread. a=domain, b=idx, c=CPU. Only where the increment comes later (incDelay, 5.4). */
  srcu_fetch: 28,
  /** track=thread. a=domain, b=idx, c=CPU, d=1 the section that an update-side call takes itself (5.6). */
  srcu_lock: 29,
  /** track=thread. a=domain, b=idx, c=CPU, d as in srcu_lock. */
  srcu_unlock: 30,
  /** track=domain. a=callback id, b=target s, c=CPU whose list, d=CALLBACK. 1.4. */
  srcu_cb_queue: 31,
  /** track=domain. a=callback id, b=target s, c=CPU, d=CALLBACK. 2.7. */
  srcu_cb_invoke: 32,
  /** track=thread. a=credit before the call in ns, b=time the worker keeps the CPU (0: no overrun). 8.6 CR1-CR5. */
  srcu_credit: 34,

  /** track=CPU. a=RCU_GP, b=gp_seq as the kernel prints it (signed), c=node whose gp_seq it is, or -1. R2.3-R2.26, R3.4. */
  rcu_grace_period: 40,
  /** track=CPU. a=RCU_FUTURE, b=gp_seq of the node, c=gp_seq_req, d=node (breadth-first number). R2.1, R2.23. */
  rcu_future_grace_period: 41,
  /** track=CPU. a=gp_seq, b=node, c=qsmask bits 0-31, d=qsmask bits 32-63. R2.6. */
  rcu_grace_period_init: 42,
  /**
   * track=CPU. a=gp_seq, b=2 * node + 1 if readers still block the node (gp_tasks), c=bits 0-31 of the bits cleared,
   * d=bits 32-63. What is left of qsmask follows from the rows before. c=d=0: the last blocked reader left. R2.20.
   */
  rcu_quiescent_state_report: 43,
  /** track=CPU that scans. a=gp_seq that the scanned CPU knows, b=scanned CPU found in an extended quiescent state ("dti"). R2.11. */
  rcu_fqs: 44,
  /** track=CPU. a=gp_seq that the reader blocks, or snap if none, b=its thread, c=1 it blocks the normal, 2 the expedited grace period, 3 both. R2.21. */
  rcu_preempt_task: 45,
  /** track=CPU. a=gp_seq, b=thread, c=1 noted at the start of a grace period as blocking (name "rcu_preempt-GPS"). R2.21. */
  rcu_unlock_preempted_task: 46,
  /** track=CPU. a=RCU_STALL, b=jiffies since gp_start, c=CPUs that owe, d=blocked readers. R2.28, R5.5. */
  rcu_stall_warning: 47,
  /** track=CPU. a=RCU_UTILIZATION. R2.16. */
  rcu_utilization: 48,
  /** track=CPU. a=1 RCU watches from here on (idle was left), 0 an extended quiescent state begins. R1.13. */
  rcu_watching: 49,
  /** track=CPU. a=callback id, b=RCU_FUNC, c=qlen, d=thread that called. A rcu_segcb_stats row follows unless it goes to the bypass list. R3.2, R3.9. */
  rcu_callback: 50,
  /** track=CPU. a=RCU_SEGCB + 16 * CPU of the list, b, c, d=packed list (tree/segcbCode.ts). R3.1-R3.4. */
  rcu_segcb_stats: 51,
  /** track=CPU. a=CBs (length of the list), b=limit, c=CPU of the list. R3.6. */
  rcu_batch_start: 52,
  /** track=CPU. a=callback id, b=RCU_FUNC, c=CPU of the list, d=ns since it was queued. */
  rcu_invoke_callback: 53,
  /** track=CPU. a=callbacks invoked, b=1 callbacks left + 2 need_resched + 4 idle task + 8 callbacks kthread, c=CPU of the list. */
  rcu_batch_end: 54,
  /** track=thread. a=0 request, 1 complete, b=number of the node, c=gp_seq of the kernel at that instant. R4.4, R4.5. */
  rcu_sr_normal: 55,
  /** track=CPU. a=RCU_BARRIER, b=cpu or -1, c=remaining, d=barrier_sequence. R3.13. */
  rcu_barrier: 56,
  /** track=CPU. a=RCU_NOCB, b=cpu. R3.9-R3.11. */
  rcu_nocb_wake: 57,
  /** track=CPU. a=RCU_EXP, b=s (the end value). R5.1-R5.6. */
  rcu_exp_grace_period: 58,
  /** track=CPU. a=0 nxtlvl, 1 wait, b=node, c=s. R5.1. */
  rcu_exp_funnel_lock: 59,
  /** track=CPU that selects. a=leaf, b=bits 0-31 of expmask, c=bits 32-63, d=CPUs that get an IPI. R5.3. */
  rcu_exp_select: 60,
  /** track=CPU that sends. a=target CPU, b=s. R5.3. */
  rcu_exp_ipi: 61,
  /** track=target CPU. a=0 reports now, 1 must reschedule, 2 in a reader section, b=s. rcu_exp_handler(), R5.4. */
  rcu_exp_handler: 62,
  /** track=CPU. a=s, b=2 * node + 1 if readers still block the node (exp_tasks), c, d=bits of expmask cleared. R5.3, R5.4. */
  rcu_exp_report: 63,
  /** track=thread. a=CPU. rcu_read_lock(), outermost. */
  rcu_read_lock: 64,
  /** track=thread. a=CPU. rcu_read_unlock(), outermost. */
  rcu_read_unlock: 65,
  /**
   * track=CPU. a=0 get_state, 1 start_poll, 2 start_poll_expedited, 3 became true, b=cookie, c=word it is compared with
   * (gp_seq_polled), d=thread. Full cookies: a + 4, b=word of gp_seq, c=word of expedited_sequence. R6.1-R6.6.
   */
  rcu_poll: 66,
  /** track=CPU. a=gp_seq_polled after the change. R6.4. */
  rcu_poll_gp_seq: 67,

  /**
   * A unit of objects begins: a block, or a run on the head channel. track=CPU of the krc. a=unit id, b=KVFREE_CHANNEL,
   * c=thread that queues its first object, d=blocks left in the page cache. kvfree_call_rcu(), K4; single objects follow by index.
   */
  kvfree_unit_open: 80,
  /**
   * The last object of a unit was queued. track=CPU. a=unit id, b=objects in it, c=grace-period snapshot of the last one
   * or -1, d=bytes of its objects (size classes). K4.
   */
  kvfree_unit_close: 81,
  /**
   * Channels move to a batch. track=CPU of the krc. a=krw index + 2 * channels moved (1 bulk slab, 2 bulk vmalloc, 4
   * head), b=objects, c=number of the batch, d=snapshot of the batch or -1. K9b.
   */
  kvfree_attach: 82,
  /** Units whose grace period has passed leave the channels. track=CPU of the krc. a=objects, b=blocks, c=objects of the head channel. K9a. */
  kvfree_drain_ready: 83,
  /** A block is about to be freed. track=CPU that frees. a=nr_records, b=unit id, c=CPU of the krc, d=ns that it takes. K11. */
  rcu_invoke_kfree_bulk_callback: 84,
  /**
   * Objects freed one by one: a run of the head channel, or a block of the vmalloc channel. track=CPU that frees.
   * a=objects, b=unit id, c=CPU of the krc, d=ns that all of them take. K11.
   */
  rcu_invoke_kvfree_callback: 85,
  /** track=CPU of the krc. a=blocks cached now, b=KVFREE_CACHE, c=blocks that came or went. K14, K15. */
  kvfree_page_cache: 86,
  /** Available memory is read. track=thread. a=free bytes, b=quarter of the loops (0 to 3) or -1 the sampler, c=bytes of objects, d=bytes of blocks. K21. */
  kvfree_memory: 87,
  /** One-argument form without a block. track=thread. a=0 waits in synchronize_rcu(), 1 freed inline, b=bytes, c=CPU of the krc. K17. */
  kvfree_inline: 88,
  /** track=CPU whose krc is shrunk. a=objects queued there, b=cached blocks freed, c=left to scan. K15. */
  kvfree_shrink: 89,
  /** track=CPU that runs it. a=KVFREE_BARRIER, b=CPU of the krc or -1. K16. */
  kvfree_barrier: 90,
  /** track=CPU. a=KVFREE_DEBUG, b=unit id, c=objects concerned. K31-K34. */
  kvfree_debug: 91,
  /** track=thread. a=KFREE_TEST, b=gp_seq, c=ns since its start (drained: since the last end). The footprint follows from kvfree_memory. K19, K20. */
  kfree_test: 92,

  /**
   * A kthread of RCU Tasks changes its state. track=kthread. a=RTGS, b=TASKS_FLAVOR, c=tasks_gp_seq (4k - 3 while grace
   * period k runs, 4k from its end on), d=jiffies. Spec tasks 3, 9.2.
   */
  rcu_tasks_state: 100,
  /** track=task (the CPU of an idle task). a=TASKS_HOLDOUT, b=TASKS_FLAVOR, c=TASKS_WHY (added: its nvcsw), d=CPU. 4.2, 8. */
  rcu_tasks_holdout: 101,
  /** A scan of the holdouts is through. track=kthread. a=holdouts before, b=TASKS_FLAVOR, c=left, d=next sleep in jiffies or 0. 4.1. */
  rcu_tasks_scan: 102,
  /** track=thread. a=callback id, b=TASKS_FLAVOR, c=CALLBACK, d=callbacks on the list before. call_rcu_tasks_generic(), 3.1. */
  rcu_tasks_callback: 103,
  /** track=kthread. a=callback id, b=TASKS_FLAVOR, c=CALLBACK, d=ns since it was queued. */
  rcu_tasks_invoke_callback: 104,
  /** track=kthread. a=TASKS_LAZY, b=TASKS_FLAVOR, c=urgent_gp after it, d=lazy_jiffies where the lazy timer is armed, else 0. 3.1. */
  rcu_tasks_lazy: 105,
  /**
   * track=kthread (of a holdout: its task). a=TASKS_STALL, b=TASKS_FLAVOR, c=age of the grace period in jiffies (of a
   * holdout: nvcsw at the scan), d=holdouts (of a holdout: nvcsw now). 6, 9.4.
   */
  rcu_tasks_stall: 106,
  /** A task exits. track=thread. a=TASKS_EXIT, b=CPU, c=1 on a list of its CPU, 0 a reader of the SRCU domain. 2.1, 3 step 4. */
  rcu_tasks_exit: 107,
  /** track=CPU that gets it. a=TASKS_IPI, b=holdout (the CPU of an idle task). trc_read_check_handler(), 8. */
  rcu_tasks_ipi: 108,
  /** track=thread. a=CPU. rcu_read_lock_trace(), outermost. */
  rcu_read_lock_trace: 109,
  /** track=thread. a=CPU. rcu_read_unlock_trace(), outermost. */
  rcu_read_unlock_trace: 110,
} as const;

export type KindName = keyof typeof KIND;
export type Kind = (typeof KIND)[KindName];

/**
 * Timer functions in timer rows: delayed process_srcu, delayed callback work; the grace-period kthread's timeout;
 * deferred, bypass and lazy wake-ups of rcuog.
 */
export const TIMER_FN = {
  delayed_work_timer_fn: 1,
  srcu_delay_timer: 2,
  process_timeout: 3,
  do_nocb_deferred_wakeup_timer: 4,
  /** Delayed work of kfree_rcu_monitor() (delayed_work_timer_fn); d=CPU of the krc. */
  kfree_rcu_monitor: 5,
  /** Delayed work of fill_page_cache_func() after back-off; d=CPU of the krc. */
  fill_page_cache_func: 6,
  /** Lazy timer of a flavour of RCU Tasks; d=kthread. */
  call_rcu_tasks_generic_timer: 7,
  /** Repeats a message while tasks that exit are waited for; d=kthread. */
  tasks_rcu_exit_srcu_stall: 8,
} as const;
/** Work functions in workqueue rows. */
export const WORK_FN = {
  process_srcu: 1,
  srcu_invoke_callbacks: 2,
  rcu_sr_normal_gp_cleanup_work: 3,
  sync_rcu_do_polled_gp: 4,
  kfree_rcu_monitor: 5,
  kfree_rcu_work: 6,
  fill_page_cache_func: 7,
  /** b=kthread of the Rude flavour. */
  rcu_tasks_be_rude: 8,
} as const;
/** Where kvfree_rcu() puts an object (K1, K2). */
export const KVFREE_CHANNEL = { bulk: 0, vmalloc: 1, head: 2 } as const;
/** Why the page cache changed. */
export const KVFREE_CACHE = { filled: 0, returned: 1, shrunk: 2, failed: 3 } as const;
/**
 * Steps of kvfree_rcu_barrier(). flush: the monitor is cancelled, both batches are waited for; cancel: the same, but the
 * monitor runs, and its end is waited for first.
 */
export const KVFREE_BARRIER = { begin: 0, attached: 1, flush: 2, end: 3, cancel: 4 } as const;
/** What debug objects and the checks at free find (K31-K34). */
export const KVFREE_DEBUG = { freeActive: 0, doubleQueue: 1, leaked: 2 } as const;
/** Rows of the rcuscale workload: `last` is the end of the thread that ends last; no memory for an object ends a thread early. */
export const KFREE_TEST = { begin: 0, end: 1, last: 2, drained: 3, noMemory: 4 } as const;
/** Strings of rcu_grace_period rows, as the kernel prints them. */
export const RCU_GP = {
  newreq: 0,
  start: 1,
  reqwait: 2,
  reqwaitsig: 3,
  fqswait: 4,
  fqsstart: 5,
  fqsend: 6,
  fqswaitsig: 7,
  end: 8,
  cpustart: 9,
  cpuend: 10,
  cpuqs: 11,
  AccWaitCB: 12,
  AccReadyCB: 13,
} as const;
/** Strings of rcu_future_grace_period rows. */
export const RCU_FUTURE = {
  Startleaf: 0,
  Prestarted: 1,
  Startedleaf: 2,
  Startedleafroot: 3,
  Startedroot: 4,
  Cleanup: 5,
  CleanupMore: 6,
  StartWait: 7,
  EndWait: 8,
} as const;
/** Strings of rcu_stall_warning rows. */
export const RCU_STALL = { SelfDetected: 0, StallDetected: 1, ExpeditedStall: 2 } as const;
/** Strings of rcu_utilization rows. */
export const RCU_UTILIZATION = { 'Start RCU core': 0, 'End RCU core': 1 } as const;
/**
 * Callback functions: wakes a caller of synchronize_rcu(), call_rcu's own, rcu_barrier's, that of a batch of
 * kvfree_rcu(), that of one object where kfree_rcu() has no batches.
 */
export const RCU_FUNC = {
  wakeme_after_rcu: 0,
  call_rcu: 1,
  rcu_barrier_callback: 2,
  rcu_work_rcufn: 3,
  kfree: 4,
} as const;
/** Contexts of rcu_segcb_stats rows. */
export const RCU_SEGCB = { SegCbPreAcc: 0, SegCbPostAcc: 1, SegCBQueued: 2, SegCbDequeued: 3 } as const;
/** Strings of rcu_barrier rows. */
export const RCU_BARRIER = {
  Begin: 0,
  EarlyExit: 1,
  Inc1: 2,
  NQ: 3,
  OnlineQ: 4,
  OfflineNoCBQ: 5,
  IRQ: 6,
  IRQNQ: 7,
  CB: 8,
  LastCB: 9,
  Inc2: 10,
} as const;
/** Strings of rcu_nocb_wake rows. */
export const RCU_NOCB = {
  AlreadyAwake: 0,
  Bypass: 1,
  CBSleep: 2,
  Check: 3,
  DeferredWake: 4,
  DoWake: 5,
  EndSleep: 6,
  FirstBQ: 7,
  FirstBQnoWake: 8,
  FirstBQwake: 9,
  FirstQ: 10,
  Lazy: 11,
  NeedWaitGP: 12,
  Poll: 13,
  Sleep: 14,
  Timer: 15,
  WakeEmpty: 16,
  WakeEmptyIsDeferred: 17,
  WakeLazy: 18,
  WakeLazyIsDeferred: 19,
  WakeNot: 20,
  WakeNotPoll: 21,
  WakeOvfIsDeferred: 22,
  WakeBypassIsDeferred: 23,
  WokeEmpty: 24,
} as const;
/** Strings of rcu_exp_grace_period rows. */
export const RCU_EXP = {
  snap: 0,
  start: 1,
  reset: 2,
  select: 3,
  selectofl: 4,
  startwait: 5,
  end: 6,
  endwake: 7,
  done: 8,
} as const;
/** Flavours of RCU Tasks. */
export const TASKS_FLAVOR = { classic: 0, rude: 1, trace: 2 } as const;
/** gp_state of RCU Tasks, names without RTGS_ (spec tasks 9.2). */
export const RTGS = {
  INIT: 0,
  WAIT_WAIT_CBS: 1,
  WAIT_GP: 2,
  PRE_WAIT_GP: 3,
  SCAN_TASKLIST: 4,
  POST_SCAN_TASKLIST: 5,
  WAIT_SCAN_HOLDOUTS: 6,
  SCAN_HOLDOUTS: 7,
  POST_GP: 8,
  WAIT_READERS: 9,
  INVOKE_CBS: 10,
  WAIT_CBS: 11,
} as const;
/** A task joins the list of holdouts, a scan takes it off, it has had what the next scan takes it off for. */
export const TASKS_HOLDOUT = { added: 0, removed: 1, released: 2 } as const;
/**
 * Why a holdout is none any more (spec tasks 4.2, 8): voluntary switch, tick in user mode, cond_resched_tasks_rcu_qs(),
 * not runnable at the scan, in user mode on a nohz_full CPU; Trace: no section or its end, seen by a scan (not running,
 * or its CPU is in an extended quiescent state), by an interrupt, or by its outermost unlock.
 */
export const TASKS_WHY = {
  voluntarySwitch: 0,
  userTick: 1,
  condResched: 2,
  notRunnable: 3,
  nohzFull: 4,
  notRunning: 5,
  watchingZero: 6,
  ipi: 7,
  unlock: 8,
} as const;
/**
 * Laziness: an enqueue is urgent, or arms the lazy timer; the timer finds callbacks, or none; a look of the kthread
 * starts a grace period.
 */
export const TASKS_LAZY = { urgent: 0, armed: 1, fired: 2, empty: 3, look: 4 } as const;
/** Messages: info line, header of a stall, one holdout of it, tasks that exit are late. */
export const TASKS_STALL = { info: 0, stall: 1, holdout: 2, exit: 3 } as const;
/** exit_tasks_rcu_start(), exit_tasks_rcu_finish(), the last schedule. */
export const TASKS_EXIT = { start: 0, finish: 1, gone: 2 } as const;
/** Sent; handled: outside a section, inside one, another task runs there. */
export const TASKS_IPI = { sent: 0, quiescent: 1, inSection: 2, otherTask: 3 } as const;
/** What a callback is for: wakes a synchronous caller, call_srcu's own, srcu_barrier's; likewise those of RCU Tasks. */
export const CALLBACK = { wakeme: 0, call: 1, barrier: 2 } as const;
/** Why a run ended. */
export const STOP_REASON = {
  done: 0,
  afterNs: 1,
  eventLimit: 2,
  memoryLimit: 3,
  stuck: 4,
  trackLimit: 5,
  timeLimit: 6,
} as const;

const NAMES = new Map<number, KindName>(
  (Object.entries(KIND) as [KindName, number][]).map(([name, kind]) => [kind, name]),
);

/** The name of a kind, as it stands in `--events` output. Throws for an unknown number. */
export function kindName(kind: number): KindName {
  const name = NAMES.get(kind);
  if (name === undefined) throw new Error(`unknown event kind ${kind}`);
  return name;
}
