/** What is kept of Tree RCU between rows, and in a checkpoint. */

import type { RunInfo } from '../engine/core/info.ts';
import type { Geometry } from '../engine/tree/geometry.ts';
import { INITIAL_GP_SEQ } from '../engine/tree/gpSeq.ts';
import { rcuGeometry, rcuTrack } from './rcuGeometry.ts';
import type { CallbackList } from './rcuLists.ts';
import type { RcuBlockedReaderAt, RcuCpusAt, RcuGpState, RcuNodesAt } from './rcuStateTypes.ts';

export type Mutable<T> = { -readonly [K in keyof T]: T[K] };

/** A section that is open. */
export interface OpenRcuSection {
  readonly thread: number;
  readonly cpu: number;
  readonly sinceNs: number;
  readonly row: number;
}

/** A call that has not returned. */
export interface OpenRcuCall {
  readonly thread: number;
  readonly api: number;
  readonly number: number;
  readonly sinceNs: number;
  readonly row: number;
  /** Its callback: CPU of the list (-1 none), place there. */
  readonly cpu: number;
  readonly place: number;
  /** The s that it waits for, in an expedited grace period; NaN: in none. */
  readonly expTarget: number;
}

/** A caller on the sr_normal list, oldest first. */
export interface OpenSrCaller {
  readonly thread: number;
  readonly number: number;
  readonly sinceNs: number;
  readonly row: number;
  /** 0 not taken, 1 its grace period runs, 2 it has ended. */
  readonly segment: 0 | 1 | 2;
  readonly gpSeq: number;
}

/** Phases of the expedited grace period, in the order of RcuExpAt.phase. */
export const EXP_PHASES = ['idle', 'started', 'selecting', 'waiting', 'waking'] as const;

/** Single values; all of them are in a checkpoint. */
export interface RcuScalars {
  gpSeq: number;
  gpStartNs: number;
  gpStartRow: number;
  gpStartJiffies: number;
  gpState: RcuGpState;
  stateNs: number;
  stateRow: number;
  kthreadCpu: number;
  scans: number;
  isRequested: boolean;
  /** FQS waits of the running grace period so far. */
  waits: number;
  expSeq: number;
  expTarget: number;
  expPhase: number;
  expStartNs: number;
  expStartRow: number;
  ipis: number;
  answered: number;
  dummies: number;
  isWorkQueued: boolean;
  polledSeq: number;
  /** Leaf at which the request that is being traced began (R2.1). */
  requestLeaf: number;
}

/** The timeout of the kthread. */
export interface RcuTimeout {
  readonly row: number;
  readonly sinceNs: number;
  readonly number: number;
  readonly delay: number;
  readonly jiffy: number;
}

/** What a checkpoint holds of Tree RCU; structured-cloneable. Lists are those of CPUs that have had callbacks. */
export interface RcuSnapshot {
  readonly scalars: RcuScalars;
  readonly timeout: RcuTimeout | undefined;
  readonly nodes: RcuNodesAt;
  readonly cpus: RcuCpusAt;
  readonly lists: readonly CallbackList[];
  readonly readers: readonly OpenRcuSection[];
  readonly blocked: readonly RcuBlockedReaderAt[];
  readonly calls: readonly OpenRcuCall[];
  readonly srCallers: readonly OpenSrCaller[];
  readonly cookies: readonly { thread: number; cookie: number; sinceNs: number; row: number }[];
}

/** Columns of their own. */
export function copyColumns<T extends RcuNodesAt | RcuCpusAt>(columns: T): T {
  return Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.slice()])) as T;
}

function initialNodes({ nodes }: Geometry): RcuNodesAt {
  const { length } = nodes;
  return {
    gpSeq: new Float64Array(length).fill(INITIAL_GP_SEQ),
    gpSeqNeeded: new Float64Array(length).fill(INITIAL_GP_SEQ),
    qsmaskLo: new Uint32Array(length),
    qsmaskHi: new Uint32Array(length),
    initLo: new Uint32Array(length),
    initHi: new Uint32Array(length),
    gpTasks: new Uint16Array(length),
    expmaskLo: new Uint32Array(length),
    expmaskHi: new Uint32Array(length),
    expTasks: new Uint16Array(length),
  };
}

function initialCpus(cpus: number): RcuCpusAt {
  return {
    gpSeq: new Int32Array(cpus).fill(INITIAL_GP_SEQ),
    stage: new Uint8Array(cpus),
    stageNs: new Float64Array(cpus).fill(Number.NaN),
    stageRow: new Int32Array(cpus).fill(-1),
    expStage: new Uint8Array(cpus),
    watching: new Uint8Array(cpus),
  };
}

/** The state before the first row; undefined in runs without Tree RCU. */
export function initialRcu(info: RunInfo): RcuSnapshot | undefined {
  if (rcuTrack(info) < 0) return undefined;
  return {
    scalars: {
      ...{ gpSeq: INITIAL_GP_SEQ, gpStartNs: Number.NaN, gpStartRow: -1, gpStartJiffies: 0 },
      ...{
        gpState: 'IDLE',
        stateNs: 0,
        stateRow: -1,
        kthreadCpu: -1,
        scans: 0,
        isRequested: false,
        waits: 0,
      },
      ...{ expSeq: 0, expTarget: 0, expPhase: 0, expStartNs: Number.NaN, expStartRow: -1 },
      ...{ ipis: 0, answered: 0, dummies: 0, isWorkQueued: false, polledSeq: 0, requestLeaf: -1 },
    },
    timeout: undefined,
    nodes: initialNodes(rcuGeometry(info)),
    cpus: initialCpus(info.config.cpus),
    lists: [],
    readers: [],
    blocked: [],
    calls: [],
    srCallers: [],
    cookies: [],
  };
}

/** Bytes that a checkpoint of Tree RCU takes at least, for the distance between checkpoints. */
export function rcuSnapshotBytes(snapshot: RcuSnapshot | undefined): number {
  if (snapshot === undefined) return 0;
  const columns = [...Object.values(snapshot.nodes), ...Object.values(snapshot.cpus)];
  return columns.reduce((sum, column: { byteLength: number }) => sum + column.byteLength, 0);
}
