/** The callback lists of Tree RCU: four segments per CPU, what each waits for, and who waits for them. */
import type { RcuCallbackListAt, RcuCallerAt, RcuSegment, RcuStateAt } from '../../analysis/rcuStateTypes.ts';
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

/** Which lists are shown: the first ones, all, or that of a CPU. */
export type Shown = 'first' | 'all' | number;

/** Something to choose from. */
export interface ShownChoice {
  readonly shown: Shown;
  readonly name: string;
}

export interface RcuCallbacksView {
  readonly summary: string;
  /** Empty where everything is shown anyway, whatever the cursor. */
  readonly choices: readonly ShownChoice[];
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

/** What is shown at first. */
const FIRST_LISTS = 6;
const FIRST_WAITERS = 5;
/** Of more than this one sees nothing: choose a CPU. */
const MOST = 64;

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

const NAMES: Readonly<Record<RcuSegment, string>> = {
  invoking: 'DONE, in the batch under way',
  done: 'DONE',
  wait: 'WAIT',
  nextReady: 'NEXT_READY',
  next: 'NEXT',
  bypass: 'the bypass list',
};

/** What a caller waits for now. */
function waitText({ waitsFor, segment, cpu, target }: RcuCallerAt): string {
  const callback = segment && `its callback is in ${NAMES[segment]} on CPU ${cpu}`;
  switch (waitsFor) {
    case 'number':
      return `${callback}, without a number yet`;
    case 'gp':
      return `${callback}, for grace period ${gpNumber(target)}`;
    case 'callback':
      return callback === undefined
        ? 'its callback has run, it is being woken'
        : `${callback}, its grace period is over`;
    case 'expedited':
      return `an expedited grace period, s ${formatSeq(target)}`;
    case 'srNormal':
      return Number.isNaN(target)
        ? 'on the sr_normal list, for the next grace period'
        : `on the sr_normal list, for grace period ${gpNumber(target)}`;
    case 'other':
      return 'a barrier or a poll';
  }
}

/** CPU of a caller: that of its callback, else its own. */
function cpuOf({ cpu, thread }: RcuCallerAt, info: RunInfo): number {
  return cpu >= 0 ? cpu : (info.tracks[thread]?.cpu ?? -1);
}

function waiterView(caller: RcuCallerAt, state: RcuStateAt, info: RunInfo): WaiterView {
  const name = info.tracks[caller.thread]?.name ?? `thread ${caller.thread}`;
  return {
    key: `${caller.thread} ${caller.number}`,
    row: caller.row,
    text: `${name} on CPU ${cpuOf(caller, info)} waits in ${caller.api}(): ${waitText(caller)}`,
    age: formatDuration(state.timeNs - caller.sinceNs),
  };
}

/** What can be chosen: all CPUs, or of very many those that have callbacks or whose threads wait, and `shown` itself. */
function choicesOf(state: RcuStateAt, info: RunInfo, shown: Shown): readonly ShownChoice[] {
  const { callbacks, callers } = state;
  const isSmall = info.config.cpus <= FIRST_LISTS && callers.length <= FIRST_WAITERS;
  if (isSmall && shown === 'first') return [];
  const { cpus: total } = info.config;
  const cpus = new Set([
    ...Array.from({ length: total <= MOST ? total : 0 }, (_, cpu) => cpu),
    ...callbacks.map(({ cpu }) => cpu),
    ...callers.map((caller) => cpuOf(caller, info)),
    ...(typeof shown === 'number' ? [shown] : []),
  ]);
  return [
    { shown: 'first', name: `first ${FIRST_LISTS} CPUs` },
    { shown: 'all', name: 'all CPUs' },
    ...[...cpus].sort((a, b) => a - b).map((cpu) => ({ shown: cpu, name: `CPU ${cpu}` })),
  ];
}

/** What the panel shows of `state`. */
export function rcuCallbacksView(state: RcuStateAt, info: RunInfo, shown: Shown = 'first'): RcuCallbacksView {
  const total = state.callbacks.reduce((sum, { len }) => sum + len, 0);
  const isShown = (cpu: number) => typeof shown !== 'number' || cpu === shown;
  const lists = state.callbacks.filter(({ cpu }) => isShown(cpu));
  const callers = state.callers.filter((caller) => isShown(cpuOf(caller, info)));
  const [mostLists, mostWaiters] = shown === 'first' ? [FIRST_LISTS, FIRST_WAITERS] : [MOST, MOST];
  return {
    summary:
      total === 0
        ? 'no callback waits'
        : `${plural(total, 'callback')} on ${plural(state.callbacks.length, 'CPU')}`,
    choices: choicesOf(state, info, shown),
    lists: lists.slice(0, mostLists).map((list) => ({
      cpu: list.cpu,
      row: list.row,
      title: `CPU ${list.cpu}${list.isOffloaded ? ', offloaded' : ''}`,
      total: list.len,
      segments: segmentsOf(list),
    })),
    moreLists: Math.max(0, lists.length - mostLists),
    waiters: callers.slice(0, mostWaiters).map((caller) => waiterView(caller, state, info)),
    moreWaiters: Math.max(0, callers.length - mostWaiters),
  };
}
