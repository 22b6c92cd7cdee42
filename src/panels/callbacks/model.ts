/** Callbacks that have not run yet, list by list, against srcu_gp_seq. */
import type { PendingCallback, SrcuStateAt } from '../../analysis/stateTypes.ts';
import { formatCount, formatDuration, plural } from '../format.ts';
import type { ModelNote } from '../modelNote.ts';

/** Neighbours in a list with one target and purpose, drawn as one line. */
export interface CallbackGroup {
  readonly row: number;
  readonly count: number;
  /** What they are for. */
  readonly purpose: string;
  readonly target: number;
  readonly isReady: boolean;
  /** What they wait for. */
  readonly text: string;
  /** Age of the oldest. */
  readonly ageText: string;
}

/** The list of one CPU's srcu_data, oldest first. */
export interface CallbackList {
  readonly cpu: number;
  readonly count: number;
  readonly groups: readonly CallbackGroup[];
}

export interface CallbacksView {
  readonly lists: readonly CallbackList[];
  readonly total: number;
  readonly ready: number;
  /** How many, in words. */
  readonly summary: string;
  /** srcu_size_state and what it means for the CPU that a callback joins. */
  readonly sizeText: string;
}

export const CALLBACKS_NOTES: readonly ModelNote[] = [
  { what: 'Targets and order', fidelity: 'exact', kernel: 'rcu_segcblist_enqueue()', rule: 'srcu 1.3, 1.4' },
  {
    what: 'Segments of the list',
    fidelity: 'simplified',
    kernel: 'rcu_segcblist_advance()',
    rule: 'srcu 1.4',
  },
  { what: 'Combining tree', fidelity: 'simplified', kernel: 'srcu_funnel_gp_start()', rule: 'srcu 1.5' },
];

/** By CALLBACK. */
const PURPOSES = ['wakes its caller', 'call_srcu', 'srcu_barrier'] as const;
const SIZE_STATES = [
  'SMALL',
  'ALLOC',
  'WAIT_BARRIER',
  'WAIT_CALL',
  'WAIT_CBS1',
  'WAIT_CBS2',
  'WAIT_CBS3',
  'WAIT_CBS4',
  'BIG',
] as const;
/** From here on callbacks join the list of the caller's CPU (spec srcu 1.5 c). */
const WAIT_CALL = 3;

function waitText(callback: PendingCallback, state: SrcuStateAt): string {
  if (callback.ready) return 'ready: waits for its timer or its turn';
  const number = formatCount(Math.ceil(callback.target / 4));
  const isRunning = state.phase !== 'IDLE' && callback.target <= 4 * Math.ceil(state.gpSeq / 4);
  return isRunning
    ? `waits for grace period ${number}, which runs`
    : `waits for grace period ${number}, not started`;
}

function groupsOf(callbacks: readonly PendingCallback[], state: SrcuStateAt): readonly CallbackGroup[] {
  const groups: CallbackGroup[] = [];
  for (const callback of callbacks) {
    const purpose = PURPOSES[callback.kind] ?? `kind ${callback.kind}`;
    const last = groups.at(-1);
    if (
      last !== undefined &&
      last.target === callback.target &&
      last.purpose === purpose &&
      last.isReady === callback.ready
    ) {
      groups[groups.length - 1] = { ...last, count: last.count + 1 };
      continue;
    }
    groups.push({
      row: callback.row,
      count: 1,
      purpose,
      target: callback.target,
      isReady: callback.ready,
      text: waitText(callback, state),
      ageText: formatDuration(state.timeNs - callback.queuedNs),
    });
  }
  return groups;
}

function sizeText(sizeState: number): string {
  const name = SIZE_STATES[sizeState];
  if (name === undefined) return 'no size state in this kernel: callbacks join their caller’s CPU';
  const cpu = sizeState < WAIT_CALL ? 'the boot CPU' : 'their caller’s CPU';
  return `${name}: callbacks join the list of ${cpu}`;
}

/** What the panel shows of `state`. */
export function callbacksView(state: SrcuStateAt): CallbacksView {
  const byCpu = new Map<number, PendingCallback[]>();
  for (const callback of state.callbacks) {
    const list = byCpu.get(callback.cpu);
    if (list === undefined) byCpu.set(callback.cpu, [callback]);
    else list.push(callback);
  }
  const lists = [...byCpu]
    .sort(([a], [b]) => a - b)
    .map(([cpu, callbacks]) => ({ cpu, count: callbacks.length, groups: groupsOf(callbacks, state) }));
  const ready = state.callbacks.filter((callback) => callback.ready).length;
  return {
    lists,
    total: state.callbacks.length,
    ready,
    summary: `${plural(state.callbacks.length, 'callback')} pending, ${formatCount(ready)} ready`,
    sizeText: sizeText(state.sizeState),
  };
}
