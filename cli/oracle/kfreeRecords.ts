/** The measured floods of kfree_rcu() and how a simulated one is judged (test-data/oracle/README.md, "Floods"). */
import { loadFile, loadRecordFile, type OracleConfig } from './records.ts';
import type { Row } from './rows.ts';

/** What a flood was, measured or simulated. */
export interface Flood {
  /** Last start to last end of the threads, ns. */
  readonly floodNs: number;
  /** kvfree_rcu_barrier() and rcu_barrier() after it, ns. */
  readonly drainNs: number;
  /** Normal grace periods that ended during the flood, during the drain. */
  readonly gracePeriods: number;
  readonly drainGracePeriods: number;
  /** Most memory in use in the samples. */
  readonly peakBytes: number;
}

/** A record with what follows from it. */
export interface KfreeRecord {
  readonly id: string;
  readonly file: string;
  readonly config: OracleConfig;
  readonly measured: Flood;
  /** The same workload as measured with the other windows. */
  readonly twin?: Flood;
  readonly threads: number;
  /** Objects of each thread. */
  readonly objects: number;
  /** Bytes of an object. */
  readonly bytes: number;
}

/** Criteria of a record. */
export type KfreeCriterion = 'duration' | 'gracePeriods' | 'peak';

interface KfreeActorParts {
  readonly count: number;
  readonly loops: number;
  readonly allocs: number;
  readonly sizes: readonly number[];
}

/** A record as it is stored, and the file it is in. */
export type StoredFlood = Pick<KfreeRecord, 'id' | 'file' | 'config' | 'measured'>;

/** "kfree-fine/kfreeq100-long-p250/kfree_rcu/t1-s32" and "kfree/kfree-long-p250/kfree_rcu/t1-s32" are one workload. */
function workloadOf(id: string): string {
  return id.replace(/^kfree(-fine)?\/kfree(q100)?-/, '');
}

/** The rows, in table order. */
export function loadKfreeRows(): readonly Row[] {
  return (JSON.parse(loadFile('kfree-rows.json')) as { rows: Row[] }).rows;
}

/** The records of some files. */
export function loadKfreeRecords(files: readonly string[]): readonly KfreeRecord[] {
  return toKfreeRecords(
    files.flatMap((file) =>
      loadRecordFile<Omit<StoredFlood, 'file'>>(file).map((record) => ({ ...record, file })),
    ),
  );
}

/** Records, looked at; twins are found among them. */
export function toKfreeRecords(stored: readonly StoredFlood[]): readonly KfreeRecord[] {
  return stored.map((record) => {
    const twin = stored.find(
      ({ id, file }) => file !== record.file && workloadOf(id) === workloadOf(record.id),
    );
    const actor = record.config.actors[0] as unknown as KfreeActorParts;
    return {
      ...record,
      ...(twin === undefined ? {} : { twin: twin.measured }),
      threads: actor.count,
      objects: actor.loops * actor.allocs,
      bytes: Math.max(...actor.sizes),
    };
  });
}

const DURATION_SHARE = 0.05;
const GP_SHARE = 0.15;
const PEAK_SHARE = 0.3;
/** Peaks are asked of floods at least this long, of this many threads and with objects at least this large. */
const PEAK_FROM_NS = 50_000_000;
const PEAK_THREADS = 4;
const PEAK_FROM_BYTES = 256;
/** Floods of so many threads have a measured duration that no rule explains: printed, not judged. */
const UNJUDGED_THREADS = 3;

/** Are the figures of this record asked for, or only printed? */
export function isJudged({ threads }: KfreeRecord): boolean {
  return threads !== UNJUDGED_THREADS;
}

/** Is its peak asked for? */
export function isPeakJudged({ measured, threads, bytes }: KfreeRecord): boolean {
  return measured.floodNs >= PEAK_FROM_NS && threads === PEAK_THREADS && bytes >= PEAK_FROM_BYTES;
}

/** Within `slack` of the measured figure, or between the two measured ones where there are two. */
function isNear(
  record: KfreeRecord,
  simulated: Flood,
  key: 'floodNs' | 'gracePeriods',
  slack: number,
): boolean {
  const measured = record.measured[key];
  const other = record.twin?.[key] ?? measured;
  const value = simulated[key];
  const isBetween = value >= Math.min(measured, other) && value <= Math.max(measured, other);
  return isBetween || Math.abs(value - measured) <= slack;
}

/** Every criterion, whether it is asked for or not. */
export function compareFlood(record: KfreeRecord, simulated: Flood): Record<KfreeCriterion, boolean> {
  const { measured } = record;
  return {
    duration: isNear(record, simulated, 'floodNs', DURATION_SHARE * measured.floodNs),
    gracePeriods: isNear(record, simulated, 'gracePeriods', Math.max(1, GP_SHARE * measured.gracePeriods)),
    peak: Math.abs(simulated.peakBytes - measured.peakBytes) <= PEAK_SHARE * measured.peakBytes,
  };
}

/** The criteria of compareFlood() that are asked for. */
export function askedOf(
  record: KfreeRecord,
  { duration, gracePeriods, peak }: Readonly<Record<KfreeCriterion, boolean>>,
): Partial<Record<KfreeCriterion, boolean>> {
  return {
    ...(isJudged(record) ? { duration, gracePeriods } : {}),
    ...(isPeakJudged(record) ? { peak } : {}),
  };
}
