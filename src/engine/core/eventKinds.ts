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
  /** track=worker. a=WORK_FN, b=domain, c=1 queued, 0 was queued already (no effect). */
  workqueue_queue_work: 7,
  /** track=worker. a=WORK_FN (srcu_invoke_callbacks), b=domain, c=callbacks ready. */
  workqueue_execute_start: 8,
  /** track=thread that has finished its last call, iteration or callback. */
  thread_done: 9,
  /** track=CPU 0. a=STOP_REASON. Last row of every run. */
  run_end: 10,

  /** track=thread. a=index in SRCU_APIS, b=call number from 0, c=domain. */
  srcu_call: 20,
  /** track=thread. a=index in SRCU_APIS, b=call number, c=latency in ns, d=domain. */
  srcu_return: 21,
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
} as const;

export type KindName = keyof typeof KIND;
export type Kind = (typeof KIND)[KindName];

/** Timer functions in timer rows: delayed process_srcu, delayed callback work. */
export const TIMER_FN = { delayed_work_timer_fn: 1, srcu_delay_timer: 2 } as const;
/** Work functions in workqueue rows. */
export const WORK_FN = { process_srcu: 1, srcu_invoke_callbacks: 2 } as const;
/** What a callback is for: wakes a synchronous caller, call_srcu's own, srcu_barrier's. */
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
