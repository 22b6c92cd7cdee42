/** The rcu_node tree as one way from the root to a leaf: a row of children a level, never all nodes at once. */
import { hasBit, maskHex } from '../../analysis/rcuGeometry.ts';
import { RCU_STAGE, type RcuStateAt } from '../../analysis/rcuStateTypes.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import type { NodeShape } from '../../engine/tree/geometry.ts';
import { formatDuration, formatSeq, plural } from '../format.ts';
import type { ModelNote } from '../modelNote.ts';

/** What a child is to the running grace period. */
export type CellState = 'owes' | 'learned' | 'noted' | 'blocked' | 'done' | 'none';

/** A child of a node: a node below, or a CPU of a leaf. */
export interface TreeCell {
  /** Position in the parent: its bit. */
  readonly bit: number;
  readonly label: string;
  readonly state: CellState;
  /** For tooltip and screen readers. */
  readonly text: string;
}

/** A node on the way, with its children. */
export interface TreeRow {
  readonly node: number;
  readonly title: string;
  /** qsmask of qsmaskinit, in hexadecimal. */
  readonly mask: string;
  readonly cells: readonly TreeCell[];
  /** Bit of the child that the next row shows; -1 in a leaf. */
  readonly chosen: number;
}

/** Somebody who holds the grace period up. */
export interface Owner {
  readonly key: string;
  readonly text: string;
  /** Row to jump to, or -1. */
  readonly row: number;
}

export interface TreeView {
  readonly rows: readonly TreeRow[];
  readonly verdict: string;
  readonly verdictTone: 'poll' | 'gp' | 'quiet';
  readonly owners: readonly Owner[];
  readonly moreOwners: number;
}

export const TREE_NOTES: readonly ModelNote[] = [
  { what: 'Levels and masks', fidelity: 'exact', kernel: 'rcu_init_one()', rule: 'tree R1.8 to R1.11' },
  { what: 'How bits are cleared', fidelity: 'exact', kernel: 'rcu_report_qs_rnp()', rule: 'tree R2.20' },
  { what: 'Preempted readers', fidelity: 'exact', kernel: 'rcu_preempt_ctxt_queue()', rule: 'tree R2.21' },
  {
    what: 'Who gets the lock of a leaf',
    fidelity: 'simplified',
    kernel: 'raw_spin_trylock_rcu_node()',
    rule: 'tree R2.16b',
  },
  {
    what: 'CPU hotplug, boosting',
    fidelity: 'not modelled',
    kernel: 'rcu_gp_init()',
    rule: 'tree R2.5, R2.21',
  },
];

const MAX_OWNERS = 4;

/** Does this bit of a node still stand for somebody? */
function owesBit(state: RcuStateAt, node: number, bit: number): boolean {
  return hasBit(state.nodes.qsmaskLo[node] as number, state.nodes.qsmaskHi[node] as number, bit);
}

/** Has the walk of rcu_gp_init() come to this node? Before it has, the node knows nothing of the grace period (V6). */
function isInitialised(state: RcuStateAt, node: number): boolean {
  return state.isRunning && (state.nodes.gpSeq[node] as number) >= state.gpSeq;
}

function cpuState(state: RcuStateAt, cpu: number, node: number, owes: boolean): CellState {
  if (!isInitialised(state, node)) return 'none';
  if (!owes) return 'done';
  const stage = state.cpus.stage[cpu];
  if (stage === RCU_STAGE.learned) return 'learned';
  return stage === RCU_STAGE.noted ? 'noted' : 'owes';
}

const STATE_TEXT: Readonly<Record<CellState, string>> = {
  owes: 'owes a quiescent state',
  learned: 'has learned of the grace period, has not passed a quiescent state',
  noted: 'has noted a quiescent state, reports at its next tick',
  blocked: 'a preempted reader blocks it',
  done: 'is done',
  none: 'no grace period is known here',
};

function cpuCell(state: RcuStateAt, shape: NodeShape, bit: number): TreeCell {
  const cpu = shape.grplo + bit;
  const cell = cpuState(state, cpu, shape.index, owesBit(state, shape.index, bit));
  return { bit, label: String(cpu), state: cell, text: `CPU ${cpu} ${STATE_TEXT[cell]}` };
}

/** A node below is done when its bit is clear; while it is set, something in it owes or blocks. */
function nodeCell(state: RcuStateAt, parent: NodeShape, child: NodeShape): TreeCell {
  const owes = owesBit(state, parent.index, child.grpnum);
  const isEmpty = state.nodes.qsmaskLo[child.index] === 0 && state.nodes.qsmaskHi[child.index] === 0;
  const isBlocked = owes && isEmpty && (state.nodes.gpTasks[child.index] as number) > 0;
  const cell: CellState = !isInitialised(state, parent.index)
    ? 'none'
    : isBlocked
      ? 'blocked'
      : owes
        ? 'owes'
        : 'done';
  const label = `${child.grplo}\u2013${child.grphi}`;
  return { bit: child.grpnum, label, state: cell, text: `CPUs ${label}: ${STATE_TEXT[cell]}` };
}

/** The children of a node, in the order of their bits. */
function childrenOf(state: RcuStateAt, shape: NodeShape): readonly NodeShape[] {
  return state.geometry.nodes.filter(({ parent }) => parent === shape.index);
}

/** Child to open: the one asked for, else the first that is not done, else the first. */
function chosenChild(cells: readonly TreeCell[], asked: number | undefined): number {
  if (asked !== undefined && cells.some(({ bit }) => bit === asked)) return asked;
  return (cells.find(({ state }) => state === 'owes' || state === 'blocked') ?? cells[0])?.bit ?? -1;
}

/** The rows from the root down; `path`: the bits that somebody has chosen, level by level. */
function rowsOf(state: RcuStateAt, path: readonly number[]): readonly TreeRow[] {
  const rows: TreeRow[] = [];
  let shape = state.geometry.nodes[0];
  while (shape !== undefined) {
    const node = shape;
    const below = childrenOf(state, node);
    const cells =
      below.length > 0
        ? below.map((child) => nodeCell(state, node, child))
        : Array.from({ length: node.children }, (_, bit) => cpuCell(state, node, bit));
    const chosen = below.length > 0 ? chosenChild(cells, path[node.level]) : -1;
    const { qsmaskLo, qsmaskHi, initLo, initHi } = state.nodes;
    const { index } = node;
    const left = maskHex(qsmaskLo[index] as number, qsmaskHi[index] as number);
    const all = maskHex(initLo[index] as number, initHi[index] as number);
    rows.push({
      node: index,
      title: `${node.level === 0 ? 'root' : below.length === 0 ? 'leaf' : 'node'} ${node.grplo}\u2013${node.grphi}`,
      mask: `${left} of ${all}`,
      cells,
      chosen,
    });
    shape = below.find(({ grpnum }) => grpnum === chosen);
  }
  return rows;
}

function cpuOwner(state: RcuStateAt, cpu: number, info: RunInfo): Owner {
  const { stage, stageRow, watching } = state.cpus;
  const row = stageRow[cpu] as number;
  const reader = state.readers.find((open) => open.cpu === cpu && !open.isBlocked);
  const name = `CPU ${cpu}`;
  if (stage[cpu] === RCU_STAGE.noted)
    return { key: name, row, text: `${name}: noted, reports at its next tick` };
  if (reader !== undefined) {
    const who = info.tracks[reader.thread]?.name ?? 'a reader';
    const since = formatDuration(state.timeNs - reader.sinceNs);
    return { key: name, row: reader.row, text: `${name}: ${who} has been in its section for ${since}` };
  }
  if (watching[cpu] === 0) return { key: name, row, text: `${name}: idle, the next scan reports it` };
  if (stage[cpu] === RCU_STAGE.learned)
    return { key: name, row, text: `${name}: learned, waits for a context switch or tick` };
  return { key: name, row, text: `${name}: has not learned of it, looks at its next tick` };
}

function ownersOf(state: RcuStateAt, info: RunInfo): readonly Owner[] {
  const owners: Owner[] = [];
  for (const shape of state.geometry.nodes.slice(state.geometry.firstLeaf)) {
    for (let bit = 0; bit < shape.children && owners.length <= MAX_OWNERS; bit++)
      if (owesBit(state, shape.index, bit)) owners.push(cpuOwner(state, shape.grplo + bit, info));
  }
  for (const reader of state.blocked.filter(({ blocksNormal }) => blocksNormal)) {
    const who = info.tracks[reader.thread]?.name ?? 'a reader';
    const text = `${who}, preempted in its section on CPU ${reader.cpu}, blocks leaf ${reader.leaf - state.geometry.firstLeaf}`;
    owners.push({ key: `thread ${reader.thread}`, row: reader.row, text });
  }
  return owners;
}

/** What the panel shows of `state`; `path`: children chosen by hand, root first. */
export function treeView(state: RcuStateAt, info: RunInfo, path: readonly number[]): TreeView {
  const owners = state.isRunning ? ownersOf(state, info) : [];
  const total = state.owing + state.blocking;
  const readers = state.blocking === 0 ? '' : ` and ${plural(state.blocking, 'preempted reader')}`;
  const verdict = !state.isRunning
    ? `no grace period runs; ${formatSeq(state.gpNumber)} was the last`
    : !isInitialised(state, state.geometry.nodes.length - 1)
      ? 'it is starting: node by node gets its mask'
      : total === 0
        ? 'nobody is missing: it ends now'
        : `${plural(state.owing, 'CPU')}${readers} missing`;
  return {
    rows: rowsOf(state, path),
    verdict,
    verdictTone: !state.isRunning ? 'quiet' : total === 0 ? 'gp' : 'poll',
    owners: owners.slice(0, MAX_OWNERS),
    moreOwners: Math.max(0, total - Math.min(owners.length, MAX_OWNERS)),
  };
}
