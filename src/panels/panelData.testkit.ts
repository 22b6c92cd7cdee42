/** Made-up states for the tests of the panels' models: plain values, changed one by one. */
import type { ActiveReader, PendingCallback, SrcuStateAt } from '../analysis/stateTypes.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { PROFILES, type ProfileId } from '../engine/profiles/profiles.ts';

/** CPUs 0..cpus-1, then thread `cpus` "updater/0", thread `cpus + 1` "reader/0", domain `cpus + 2` "srcu". */
export function makeInfo(kernel: ProfileId, cpus = 4, hz = 250): RunInfo {
  const tracks = Array.from({ length: cpus }, (_, i) => ({ id: i, kind: 'cpu', name: `CPU ${i}`, cpu: i }));
  const more = [
    { id: cpus, kind: 'thread', name: 'updater/0', cpu: 0 },
    { id: cpus + 1, kind: 'thread', name: 'reader/0', cpu: 1 },
    { id: cpus + 2, kind: 'srcu', name: 'srcu', cpu: -1 },
  ];
  const rules = PROFILES.find(({ id }) => id === kernel)?.rules;
  return { config: { cpus, hz, startJiffies: 0 }, rules, tracks: [...tracks, ...more] } as unknown as RunInfo;
}

/** An expedited grace period in SCAN2 of index 1 at 10 ms, its worker idle, nobody in a section. */
export function makeState(changes: Partial<SrcuStateAt> = {}, cpus = 4): SrcuStateAt {
  return {
    timeNs: 10_000_000,
    row: 100,
    domain: cpus + 2,
    jiffies: 2,
    phase: 'SCAN2',
    gpSeq: 26,
    gpSeqNeeded: 28,
    gpSeqNeededExp: 28,
    gpNumber: 7,
    gpStartNs: 9_000_000,
    gpStartRow: 90,
    gpStartJiffies: 2,
    expedited: true,
    srcuIdx: 6,
    scannedIdx: 1,
    sizeState: 0,
    nExpNodelay: 10,
    phaseLimit: 200,
    rescheduleCount: 5,
    rescheduleJiffies: 2,
    jiffyLimit: 100,
    ageJiffies: 0,
    nextDelay: 0,
    worker: { state: 'idle' },
    lock: new Float64Array(2 * cpus),
    unlock: new Float64Array(2 * cpus),
    lockSum: [0, 0],
    unlockSum: [0, 0],
    readers: [],
    callbacks: [],
    ...changes,
  };
}

/** A reader on CPU 1 that entered index 1 at 8 ms and is waited for. */
export function makeReader(changes: Partial<ActiveReader> = {}): ActiveReader {
  return { thread: 5, cpu: 1, idx: 1, sinceNs: 8_000_000, row: 80, own: false, waitedFor: true, ...changes };
}

/** A call_srcu callback on CPU 0 with target 28, queued at 9 ms. */
export function makeCallback(changes: Partial<PendingCallback> = {}): PendingCallback {
  return { id: 1, target: 28, cpu: 0, kind: 1, queuedNs: 9_000_000, row: 91, ready: false, ...changes };
}

/** Narrow spaces and the wide minus written as typed: what is tested is the wording, not the typography. */
export function typed(text: string): string {
  return text.replaceAll('\u202f', ' ').replaceAll('\u2212', '-');
}
