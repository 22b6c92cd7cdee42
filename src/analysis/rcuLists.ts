/** Callback lists of Tree RCU from a log: lengths of the segments, and where in the list a callback stands. */
import { KIND, RCU_BARRIER, RCU_FUNC, RCU_SEGCB } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { offloadedCpus } from '../engine/profiles/offload.ts';
import { unpackSegcb } from '../engine/tree/segcbCode.ts';
import type { RcuSegment } from './rcuStateTypes.ts';

/** The list of one CPU. Places in it are counted from the first callback that it ever had. */
export interface CallbackList {
  readonly cpu: number;
  readonly isOffloaded: boolean;
  done: number;
  wait: number;
  nextReady: number;
  next: number;
  waitSeq: number;
  nextReadySeq: number;
  /** rcu_segcblist_n_cbs(): bypass list and batch under way included; of the latter those invoked already, too. */
  len: number;
  /** Lazy callbacks since the bypass list was empty. */
  lazy: number;
  /** Callbacks of the batch under way: not invoked yet, invoked. */
  invoking: number;
  invokedInBatch: number;
  /** Places of the next callback to be queued and of the next to be invoked. */
  queued: number;
  invoked: number;
  row: number;
}

/** What the configuration says of all lists. */
export interface ListSetup {
  readonly offloaded: ReadonlySet<number>;
  /** call_rcu() is lazy on offloaded CPUs (R3.11). */
  readonly hasLazy: boolean;
}

/** From a run's configuration. */
export function listSetup({ config, rules }: RunInfo): ListSetup {
  const isLazyKernel = rules['tree.lazy'] === 'lazy' && config.kconfig.RCU_LAZY === true;
  return {
    offloaded: new Set(offloadedCpus(config)),
    hasLazy: isLazyKernel && config.params['rcutree.enable_rcu_lazy'] !== 0,
  };
}

/** CPU of the list that a row is about; -1: about none. */
export function listOfRow(event: EventRow): number {
  switch (event.kind) {
    case KIND.rcu_callback:
      return event.track;
    case KIND.rcu_segcb_stats:
      return Math.floor(event.a / 16);
    case KIND.rcu_batch_start:
    case KIND.rcu_invoke_callback:
    case KIND.rcu_batch_end:
      return event.c;
    case KIND.rcu_barrier:
      return event.a === RCU_BARRIER.IRQ || event.a === RCU_BARRIER.IRQNQ ? event.track : -1;
    default:
      return -1;
  }
}

/** An empty list. */
export function emptyList(cpu: number, setup: ListSetup): CallbackList {
  return {
    cpu,
    isOffloaded: setup.offloaded.has(cpu),
    ...{ done: 0, wait: 0, nextReady: 0, next: 0, waitSeq: 0, nextReadySeq: 0 },
    ...{ len: 0, lazy: 0, invoking: 0, invokedInBatch: 0, queued: 0, invoked: 0, row: -1 },
  };
}

function segmented(list: CallbackList): number {
  return list.done + list.wait + list.nextReady + list.next;
}

/** Callbacks on the bypass list: what the length counts and the segments and the batch do not hold. */
export function bypassed(list: CallbackList): number {
  return Math.max(0, list.len - segmented(list) - list.invoking - list.invokedInBatch);
}

/** Place of the first callback without a number. */
export function numberedUpTo(list: CallbackList): number {
  return list.invoked + list.invoking + segmented(list) - list.next;
}

/** Applies a row about this list (listOfRow). */
export function applyListRow(list: CallbackList, event: EventRow, row: number, setup: ListSetup): void {
  list.row = row;
  switch (event.kind) {
    case KIND.rcu_callback:
      list.queued++;
      list.len = event.c;
      if (setup.hasLazy && list.isOffloaded && event.b === RCU_FUNC.call_rcu) list.lazy++;
      // without a bypass list it stands in NEXT, which the row behind this one says, too
      if (!list.isOffloaded) list.next++;
      break;
    case KIND.rcu_segcb_stats:
      applySegments(list, event);
      break;
    case KIND.rcu_batch_start:
      list.len = event.a;
      list.invoking = list.done;
      list.invokedInBatch = 0;
      list.done = 0;
      break;
    case KIND.rcu_invoke_callback:
      list.invoking = Math.max(0, list.invoking - 1);
      list.invokedInBatch++;
      list.invoked++;
      break;
    case KIND.rcu_batch_end:
      list.done += list.invoking;
      list.invoking = 0;
      list.invokedInBatch = 0;
      list.len = Math.max(0, list.len - event.a);
      break;
    case KIND.rcu_barrier: {
      // entrained behind the last callback, unless "IRQNQ" follows (R3.13)
      const change = event.a === RCU_BARRIER.IRQ ? 1 : -1;
      list.queued += change;
      list.len += change;
      break;
    }
    default:
  }
}

function applySegments(list: CallbackList, event: EventRow): void {
  const before = segmented(list);
  const row = unpackSegcb(event.b, event.c, event.d);
  const { done } = row;
  list.wait = row.wait;
  list.nextReady = row.nextReady;
  list.next = row.next;
  list.waitSeq = row.waitSeq;
  list.nextReadySeq = row.nextReadySeq;
  if (event.a % 16 === RCU_SEGCB.SegCbDequeued) {
    // rcu_do_batch() has taken what was ready; the row says what is left
    list.done = 0;
    list.invoking = Math.max(list.invoking, list.invoking + before - segmented(list));
  } else list.done = list.isOffloaded ? done : Math.max(0, done - list.invoking);
  list.len = Math.max(list.len, segmented(list) + list.invoking + list.invokedInBatch);
  if (bypassed(list) === 0) list.lazy = 0;
}

/** rcu_segcblist_advance() (R3.3): where nothing is left to number, no row tells of it. */
export function advanceList(list: CallbackList, seq: number): void {
  if (list.wait > 0 && list.waitSeq <= seq) {
    list.done += list.wait;
    list.wait = 0;
  }
  if (list.wait === 0 && list.nextReady > 0 && list.nextReadySeq <= seq) {
    list.done += list.nextReady;
    list.nextReady = 0;
  }
  if (list.wait > 0 || list.nextReady === 0) return;
  list.wait = list.nextReady;
  list.waitSeq = list.nextReadySeq;
  list.nextReady = 0;
}

/** gp_seq that the callback at a place waits for; 'none': it has no number; 'ready': it waits for no grace period. */
export function placeOf(list: CallbackList, place: number): number | 'none' | 'ready' {
  const ready = list.invoked + list.invoking + list.done;
  if (place < ready) return 'ready';
  if (place < ready + list.wait) return list.waitSeq;
  return place < ready + list.wait + list.nextReady ? list.nextReadySeq : 'none';
}

/** The segment that the callback at a place is in; undefined: it has been invoked, or was never queued (-1). */
export function segmentAt(list: CallbackList, place: number): RcuSegment | undefined {
  let end = list.invoked;
  if (place < end) return undefined;
  for (const segment of ['invoking', 'done', 'wait', 'nextReady', 'next'] as const) {
    end += list[segment];
    if (place < end) return segment;
  }
  return 'bypass';
}
