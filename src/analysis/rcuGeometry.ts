/** The rcu_node tree of a run, and finding one's way in its masks. */
import type { RunInfo } from '../engine/core/info.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import { createGeometry, type Geometry } from '../engine/tree/geometry.ts';

/** Track of the flavor; -1 in runs without Tree RCU. */
export function rcuTrack(info: RunInfo): number {
  return info.tracks.find((track) => track.kind === 'rcu')?.id ?? -1;
}

/** The tree that the kernel of this run has. */
export function rcuGeometry(info: RunInfo): Geometry {
  const { fanoutLeaf, fanoutExact } = treeConstants(info.config, info.rules);
  return createGeometry(info.config.cpus, fanoutLeaf, fanoutExact);
}

/** Node of the leaf of a CPU. */
export function leafOf(geometry: Geometry, cpu: number): number {
  return geometry.firstLeaf + Math.floor(cpu / geometry.leafSpan);
}

/** Is bit `bit` of a mask in two halves set? */
export function hasBit(lo: number, hi: number, bit: number): boolean {
  return ((bit < 32 ? lo >>> bit : hi >>> (bit - 32)) & 1) === 1;
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
