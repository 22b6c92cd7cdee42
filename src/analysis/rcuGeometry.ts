/** The rcu_node tree of a run, and finding one's way in its masks. */
import type { RunInfo } from '../engine/core/info.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import { createGeometry, type Geometry } from '../engine/tree/geometry.ts';

/** Track of the flavor; -1 in runs without Tree RCU. */
export function rcuTrack(info: RunInfo): number {
  return info.tracks.find((track) => track.kind === 'rcu')?.id ?? -1;
}

const KNOWN = new WeakMap<RunInfo, Geometry>();

/** The tree that the kernel of this run has. */
export function rcuGeometry(info: RunInfo): Geometry {
  let geometry = KNOWN.get(info);
  if (geometry === undefined) {
    const { fanoutLeaf, fanoutExact } = treeConstants(info.config, info.rules);
    geometry = createGeometry(info.config.cpus, fanoutLeaf, fanoutExact);
    KNOWN.set(info, geometry);
  }
  return geometry;
}

/** A node in words: "the root", "the leaf of CPUs 16-31"; on small machines the root is the leaf. */
export function nodeWords({ nodes, firstLeaf }: Geometry, node: number): string {
  const { grplo, grphi } = nodes[node] ?? { grplo: 0, grphi: 0 };
  if (node === 0) return firstLeaf === 0 ? 'the only rcu_node' : 'the root';
  const cpus = grplo === grphi ? `CPU ${grplo}` : `CPUs ${grplo}-${grphi}`;
  return `the ${node >= firstLeaf ? 'leaf' : 'node'} of ${cpus}`;
}

/** What the bits of a mask of a node stand for: "CPU 3", "CPUs 4-6, 9", "CPUs 16-31" for a leaf below. */
export function maskWords(
  { nodes, firstLeaf, leafSpan }: Geometry,
  node: number,
  lo: number,
  hi: number,
): string {
  const shape = nodes[node];
  if (shape === undefined) return 'no CPU';
  const ranges: [first: number, last: number][] = [];
  const step = node >= firstLeaf ? 1 : childSpan(nodes, node, leafSpan);
  forEachBit(lo, hi, (bit) => {
    const first = shape.grplo + bit * step;
    const last = Math.min(first + step - 1, shape.grphi);
    const before = ranges.at(-1);
    if (before !== undefined && before[1] === first - 1) before[1] = last;
    else ranges.push([first, last]);
  });
  if (ranges.length === 0) return 'no CPU';
  const isOne = ranges.length === 1 && ranges[0]?.[0] === ranges[0]?.[1];
  const text = ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
  return `CPU${isOne ? '' : 's'} ${text}`;
}

/** CPUs below one child of an inner node. */
function childSpan(nodes: Geometry['nodes'], node: number, otherwise: number): number {
  const child = nodes.find(({ parent }) => parent === node);
  return child === undefined ? otherwise : child.grphi - child.grplo + 1;
}

/** Node of the leaf of a CPU. */
export function leafOf(geometry: Geometry, cpu: number): number {
  return geometry.firstLeaf + Math.floor(cpu / geometry.leafSpan);
}

/** Is bit `bit` of a mask in two halves set? */
export function hasBit(lo: number, hi: number, bit: number): boolean {
  return ((bit < 32 ? lo >>> bit : hi >>> (bit - 32)) & 1) === 1;
}

/** A mask in two halves as trace events print it: 0x and hexadecimal digits. */
export function maskHex(lo: number, hi: number): string {
  return hi === 0 ? `0x${lo.toString(16)}` : `0x${hi.toString(16)}${lo.toString(16).padStart(8, '0')}`;
}

/** Number of bits set in a half. */
function bitsIn(half: number): number {
  let n = 0;
  for (let rest = half; rest !== 0; rest &= rest - 1) n++;
  return n;
}

/** Number of bits set in both halves. */
export function countBits(lo: number, hi: number): number {
  return bitsIn(lo | 0) + bitsIn(hi | 0);
}

/** Calls `visit` with the number of every bit that is set, ascending. */
export function forEachBit(lo: number, hi: number, visit: (bit: number) => void): void {
  for (let rest = lo | 0; rest !== 0; rest &= rest - 1) visit(31 - Math.clz32(rest & -rest));
  for (let rest = hi | 0; rest !== 0; rest &= rest - 1) visit(63 - Math.clz32(rest & -rest));
}

/** CPUs that owe a normal quiescent state: bits of the leaves. */
export function countOwing(geometry: Geometry, lo: Uint32Array, hi: Uint32Array): number {
  let owing = 0;
  for (let leaf = geometry.firstLeaf; leaf < geometry.nodes.length; leaf++)
    owing += countBits(lo[leaf] as number, hi[leaf] as number);
  return owing;
}
