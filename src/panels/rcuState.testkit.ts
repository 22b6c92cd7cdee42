/** A made-up state of Tree RCU for the tests of the panels' models. */
import { RCU_STAGE, type RcuStateAt } from '../analysis/rcuStateTypes.ts';
import { createGeometry } from '../engine/tree/geometry.ts';

const NO_EXPEDITED: RcuStateAt['expedited'] = {
  seq: 0,
  target: 4,
  phase: 'idle',
  startNs: Number.NaN,
  startRow: -1,
  ipis: 0,
  answered: 0,
  owing: 0,
  readers: 0,
  waiting: 0,
};

function kthread(track: number): RcuStateAt['kthread'] {
  return {
    track,
    cpu: 1,
    gpState: 'WAIT_FQS',
    sinceNs: 8_010_000,
    row: 90,
    scans: 0,
    wait: {
      sinceNs: 8_000_000,
      row: 91,
      number: 1,
      delay: 1,
      untilJiffy: 4,
      untilNs: 16_000_000,
      leftJiffies: 2,
    },
    isRequested: false,
    gpSeqNeeded: -1196,
  };
}

/**
 * Grace period -1199 (number -300) at 10 ms, started at 8 ms, in its first wait. Every CPU but 0 owes its bit; none has
 * learned of it.
 */
export function makeRcuState(changes: Partial<RcuStateAt> = {}, cpus = 4, leafFanout = 16): RcuStateAt {
  const geometry = createGeometry(cpus, leafFanout);
  const count = geometry.nodes.length;
  const fill = (value: number) => new Float64Array(count).fill(value);
  const bits = Uint32Array.from(geometry.nodes, ({ children }) => 2 ** Math.min(children, 32) - 1);
  const owed = Uint32Array.from(bits, (mask, node) =>
    geometry.nodes[node]?.grplo === 0 && node >= geometry.firstLeaf ? mask - 1 : mask,
  );
  return {
    timeNs: 10_000_000,
    row: 100,
    track: cpus + 3,
    jiffies: 2,
    geometry,
    gpSeq: -1199,
    gpNumber: -300,
    isRunning: true,
    gpStartNs: 8_000_000,
    gpStartRow: 80,
    gpStartJiffies: 2,
    ageJiffies: 0,
    schedQs: 25,
    kthread: kthread(cpus + 2),
    nodes: {
      gpSeq: fill(-1199),
      gpSeqNeeded: fill(-1196),
      qsmaskLo: owed,
      qsmaskHi: new Uint32Array(count),
      initLo: bits,
      initHi: new Uint32Array(count),
      gpTasks: new Uint16Array(count),
      expmaskLo: new Uint32Array(count),
      expmaskHi: new Uint32Array(count),
      expTasks: new Uint16Array(count),
    },
    cpus: {
      gpSeq: new Int32Array(cpus).fill(-1200),
      stage: new Uint8Array(cpus).fill(RCU_STAGE.owes, 1),
      stageNs: new Float64Array(cpus).fill(8_000_000),
      stageRow: new Int32Array(cpus).fill(80),
      expStage: new Uint8Array(cpus),
      watching: new Uint8Array(cpus).fill(1),
    },
    owing: cpus - 1,
    blocking: 0,
    callbacks: [],
    blocked: [],
    readers: [],
    callers: [],
    expedited: NO_EXPEDITED,
    srNormal: { isEnabled: false, callers: [], dummies: 0, isWorkQueued: false },
    polled: { seq: 0, cookies: [] },
    ...changes,
  };
}
