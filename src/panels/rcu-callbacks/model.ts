/** The callback lists of Tree RCU: four segments per CPU, what each waits for, and who waits for them. */
import type { RcuCallbackListAt, RcuCallerAt, RcuStateAt } from '../../analysis/rcuStateTypes.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import { formatDuration, formatSeq, plural } from '../format.ts';
import type { ModelNote } from '../modelNote.ts';

/** A segment with callbacks in it. */
export interface SegmentView {
  readonly id: 'done' | 'wait' | 'nextReady' | 'next' | 'bypass' | 'lazy';
  readonly name: string;
  readonly count: number;
  /** What it waits for. */
  readonly text: string;
}

/** The list of a CPU. */
export interface ListView {
  readonly cpu: number;
  readonly row: number;
  readonly title: string;
  readonly total: number;
  readonly segments: readonly SegmentView[];
}

/** A thread that waits. */
export interface WaiterView {
  readonly key: string;
  readonly row: number;
  readonly text: string;
  readonly age: string;
}

export interface RcuCallbacksView {
  readonly summary: string;
  readonly lists: readonly ListView[];
  readonly moreLists: number;
  readonly waiters: readonly WaiterView[];
  readonly moreWaiters: number;
}

export const RCU_CALLBACKS_NOTES: readonly ModelNote[] = [
  {
    what: 'Segments and numbers',
    fidelity: 'exact',
    kernel: 'rcu_segcblist_accelerate()',
    rule: 'tree R3.1 to R3.4',
  },
  { what: 'Batches in softirq', fidelity: 'exact', kernel: 'rcu_do_batch()', rule: 'tree R3.6' },
  {
    what: 'Offloading, bypass, lazy',
    fidelity: 'exact',
    kernel: 'rcu_nocb_try_bypass()',
    rule: 'tree R3.8 to R3.11',
  },
  { what: 'rcuc kthreads', fidelity: 'simplified', kernel: 'rcu_cpu_kthread()', rule: 'tree R3.6' },
];

const MAX_LISTS = 6;
const MAX_WAITERS = 5;

/** Number of a grace period from the gp_seq at its end. */
function gpNumber(seq: number): string {
  return formatSeq(Math.floor((seq - 1) / 4));
}

function segmentsOf(list: RcuCallbackListAt): readonly SegmentView[] {
  const all: readonly SegmentView[] = [
    { id: 'done', name: 'DONE', count: list.done + list.invoking, text: 'ready to be invoked' },
    {
      id: 'wait',
      name: 'WAIT',
      count: list.wait,
      text: `ready at the end of grace period ${gpNumber(list.waitSeq)}`,
    },
    {
      id: 'nextReady',
      name: 'NEXT_READY',
      count: list.nextReady,
      text: `ready at the end of grace period ${gpNumber(list.nextReadySeq)}`,
    },
    { id: 'next', name: 'NEXT', count: list.next, text: 'no number yet' },
    { id: 'bypass', name: 'bypass', count: list.bypass - list.lazy, text: 'not on the list yet' },
    { id: 'lazy', name: 'lazy', count: list.lazy, text: 'put off for up to 10 s' },
  ];
  return all.filter(({ count }) => count > 0);
}

const WAITS: Readonly<Record<RcuCallerAt['waitsFor'], string>> = {
  number: 'its callback has no number yet',
  gp: 'a grace period',
  callback: 'its grace period is over, its callback is not',
  expedited: 'an expedited grace period',
  srNormal: 'the kthread to wake it (sr_normal)',
  other: 'a barrier or a poll',
};

function waiterView(caller: RcuCallerAt, state: RcuStateAt, info: RunInfo): WaiterView {
  const name = info.tracks[caller.thread]?.name ?? `thread ${caller.thread}`;
  return {
    key: `${caller.thread} ${caller.number}`,
    row: caller.row,
    text: `${name} waits in ${caller.api}(): ${WAITS[caller.waitsFor]}`,
    age: formatDuration(state.timeNs - caller.sinceNs),
  };
}

/** What the panel shows of `state`. */
export function rcuCallbacksView(state: RcuStateAt, info: RunInfo): RcuCallbacksView {
  const total = state.callbacks.reduce((sum, { len }) => sum + len, 0);
  const cpus = state.callbacks.length;
  return {
    summary: total === 0 ? 'no callback waits' : `${plural(total, 'callback')} on ${plural(cpus, 'CPU')}`,
    lists: state.callbacks.slice(0, MAX_LISTS).map((list) => ({
      cpu: list.cpu,
      row: list.row,
      title: `CPU ${list.cpu}${list.isOffloaded ? ', offloaded' : ''}`,
      total: list.len,
      segments: segmentsOf(list),
    })),
    moreLists: Math.max(0, cpus - MAX_LISTS),
    waiters: state.callers.slice(0, MAX_WAITERS).map((caller) => waiterView(caller, state, info)),
    moreWaiters: Math.max(0, state.callers.length - MAX_WAITERS),
  };
}
