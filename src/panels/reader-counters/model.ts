/** The reader counters of a domain, per CPU and index, and who holds the grace period up. */
import type { ActiveReader, SrcuStateAt } from '../../analysis/stateTypes.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import { formatCount, formatDuration, plural } from '../format.ts';
import type { ModelNote } from '../modelNote.ts';

/** One of the two indexes. */
export interface IndexView {
  readonly idx: number;
  readonly role: 'new readers' | 'being drained' | 'old readers';
  /** "Σ lock" and "Σ unlock" over all CPUs; active is their difference. */
  readonly lock: number;
  readonly unlock: number;
  readonly active: number;
}

/** lock - unlock of one CPU, by index. A reader that unlocks elsewhere leaves a negative count behind. */
export interface CpuRow {
  readonly cpu: number;
  readonly counts: readonly [number, number];
}

/** A reader in its section. */
export interface ReaderView {
  readonly name: string;
  readonly cpu: number;
  readonly idx: number;
  readonly sinceText: string;
  readonly row: number;
  readonly isOwn: boolean;
  readonly isWaitedFor: boolean;
}

export interface CountersView {
  readonly indexes: readonly [IndexView, IndexView];
  readonly rows: readonly CpuRow[];
  /** Which CPUs are left out, in words; empty: none is. */
  readonly omitted: string;
  /** Count that fills a bar. */
  readonly full: number;
  /** Waited-for readers first, then by age. */
  readonly readers: readonly ReaderView[];
  /** Readers beyond those listed. */
  readonly moreReaders: number;
  readonly verdict: string;
  readonly verdictTone: 'poll' | 'sleep' | 'gp' | 'quiet';
}

export const COUNTERS_NOTES: readonly ModelNote[] = [
  { what: 'Counters per CPU and index', fidelity: 'exact', kernel: '__srcu_read_lock()', rule: 'srcu 5.1' },
  {
    what: 'Sums and their comparison',
    fidelity: 'exact',
    kernel: 'srcu_readers_active_idx_check()',
    rule: 'srcu 5.2',
  },
  { what: 'Memory barriers', fidelity: 'not modelled', kernel: 'smp_mb() A to E', rule: 'srcu 5.5' },
];

/** Up to so many CPUs all of them are listed; beyond, those that count something. */
const LIST_ALL_CPUS = 16;
/** One reader on a CPU fills a third of its bar, as long as no CPU has more than three. */
const FULL_AT_LEAST = 3;
/** More lines than these nobody reads, and drawing them at every frame would show. */
const MAX_CPUS = 128;
const MAX_READERS = 64;

function indexView(state: SrcuStateAt, idx: 0 | 1): IndexView {
  const lock = state.lockSum[idx];
  const unlock = state.unlockSum[idx];
  const role =
    state.scannedIdx === idx ? 'being drained' : (state.srcuIdx & 1) === idx ? 'new readers' : 'old readers';
  return { idx, role, lock, unlock, active: lock - unlock };
}

function countOf(state: SrcuStateAt, cpu: number, idx: number): number {
  const at = 2 * cpu + idx;
  return (state.lock[at] ?? 0) - (state.unlock[at] ?? 0);
}

/** The CPUs to list, in order; where there are too many, those that hold the scan up go before the others. */
function rowsOf(state: SrcuStateAt, cpus: number): Pick<CountersView, 'rows' | 'omitted'> {
  const rows = Array.from({ length: cpus }, (_, cpu) => ({
    cpu,
    counts: [countOf(state, cpu, 0), countOf(state, cpu, 1)] as const,
  }));
  if (cpus <= LIST_ALL_CPUS) return { rows, omitted: '' };
  const counting = rows.filter(({ counts }) => counts[0] !== 0 || counts[1] !== 0);
  const zeros = `${plural(cpus - counting.length, 'CPU')} with both counts at zero not listed`;
  if (counting.length <= MAX_CPUS) return { rows: counting, omitted: zeros };
  const isScanned = ({ counts }: CpuRow) => counts[state.scannedIdx as 0 | 1] !== 0;
  const scanned = state.scannedIdx < 0 ? [] : counting.filter(isScanned);
  const shown = [...new Set([...scanned, ...counting])].slice(0, MAX_CPUS);
  const more = `${plural(counting.length - MAX_CPUS, 'CPU')} with readers and ${zeros}`;
  return { rows: shown.sort((a, b) => a.cpu - b.cpu), omitted: more };
}

function readerView(reader: ActiveReader, state: SrcuStateAt, info: RunInfo): ReaderView {
  return {
    name: info.tracks[reader.thread]?.name ?? `thread ${reader.thread}`,
    cpu: reader.cpu,
    idx: reader.idx,
    sinceText: formatDuration(state.timeNs - reader.sinceNs),
    row: reader.row,
    isOwn: reader.own,
    isWaitedFor: reader.waitedFor,
  };
}

/** Whom the grace period waits for, and what happens next: one sentence. */
function verdictOf(state: SrcuStateAt): Pick<CountersView, 'verdict' | 'verdictTone'> {
  if (state.phase === 'IDLE')
    return { verdict: 'No grace period runs: nobody is waited for.', verdictTone: 'quiet' };
  const waited = state.readers.filter((reader) => reader.waitedFor);
  const { worker } = state;
  if (waited.length === 0) {
    const slept = worker.state === 'sleeping';
    const until = slept
      ? `only at tick ${formatCount(worker.untilJiffy)}, in ${formatDuration(worker.untilNs - state.timeNs)}`
      : 'at the next check';
    return {
      verdict: `Nobody is left on idx ${state.scannedIdx}. process_srcu sees it ${until}.`,
      verdictTone: slept ? 'sleep' : 'gp',
    };
  }
  const cpus = [...new Set(waited.map(({ cpu }) => cpu))].sort((a, b) => a - b);
  const places = cpus.length <= 4 ? `CPU ${cpus.join(', ')}` : plural(cpus.length, 'CPU');
  const who = `${plural(waited.length, 'reader')} left on ${places}`;
  if (worker.state === 'sleeping') {
    return {
      verdict: `${who}: process_srcu sleeps until tick ${formatCount(worker.untilJiffy)}.`,
      verdictTone: 'sleep',
    };
  }
  if (worker.state === 'running' && worker.onCpu) {
    const next = worker.nextCheckNs;
    const when = Number.isNaN(next) ? 'in the next pass' : `in ${formatDuration(next - state.timeNs)}`;
    return { verdict: `${who}: next check ${when}.`, verdictTone: 'poll' };
  }
  return { verdict: `${who}: process_srcu is not running at this moment.`, verdictTone: 'quiet' };
}

/** What the panel shows of `state`. */
export function countersView(state: SrcuStateAt, info: RunInfo): CountersView {
  const { rows, omitted } = rowsOf(state, info.config.cpus);
  const largest = rows.reduce(
    (max, { counts }) => Math.max(max, Math.abs(counts[0]), Math.abs(counts[1])),
    0,
  );
  const order = (reader: ActiveReader) => (reader.waitedFor ? 0 : 1);
  const readers = [...state.readers].sort((a, b) => order(a) - order(b) || a.sinceNs - b.sinceNs);
  return {
    indexes: [indexView(state, 0), indexView(state, 1)],
    rows,
    omitted,
    full: Math.max(FULL_AT_LEAST, largest),
    readers: readers.slice(0, MAX_READERS).map((reader) => readerView(reader, state, info)),
    moreReaders: Math.max(0, readers.length - MAX_READERS),
    ...verdictOf(state),
  };
}
