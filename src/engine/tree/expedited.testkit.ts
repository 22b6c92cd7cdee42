/** What the log of a run says of its expedited grace periods, for tests. */
import { KIND, RCU_EXP } from '../core/eventKinds.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import type { Run } from '../run.ts';
import { createGeometry } from './geometry.ts';
import { NodeMask } from './nodeMask.ts';

/** The value at a share of the sorted list (nearest rank, as results have it). */
export function percentile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor((p * (sorted.length - 1)) / 100)] as number;
}

/** Start and end of every expedited grace period that ended, ns. */
export function expeditedPeriods(run: Run): { s: number; startNs: number; endNs: number }[] {
  const rows = rowsOf(run.log, KIND.rcu_exp_grace_period);
  return rows
    .filter((row) => row.a === RCU_EXP.end)
    .map(({ b: s, timeNs: endNs }) => {
      const start = rows.find((row) => row.a === RCU_EXP.start && row.b === s);
      return { s, startNs: start?.timeNs ?? -1, endNs };
    });
}

/**
 * V12 by hand: faults found in the log. One grace period at a time; nobody reports who is not waited for; at the end
 * nobody is, on no node.
 */
export function expeditedFaults(run: Run): string[] {
  const { cpus } = run.info.config;
  const { nodes } = createGeometry(cpus, 16);
  const masks = nodes.map(() => new NodeMask());
  const faults: string[] = [];
  let running: number | undefined;
  for (let i = 0; i < run.log.length; i++) {
    const { kind, a, b, c, d } = run.log.row(i);
    if (kind === KIND.rcu_exp_grace_period) {
      if (a === RCU_EXP.start) {
        if (running !== undefined) faults.push(`${b} starts while ${running} runs`);
        running = b;
      }
      if (a === RCU_EXP.reset) for (const [n, mask] of masks.entries()) mask.fill(nodes[n]?.children ?? 0);
      if (a === RCU_EXP.end) {
        if (running !== b) faults.push(`${b} ends, ${running} runs`);
        if (masks.some((mask) => !mask.isEmpty)) faults.push(`${b} ends while CPUs are waited for`);
        running = undefined;
      }
    } else if (kind === KIND.rcu_exp_report) {
      const mask = masks[b >> 1] as NodeMask;
      const isOwed = (mask.lo & c) >>> 0 === c && (mask.hi & d) >>> 0 === d;
      if (!isOwed) faults.push(`row ${i}: ${c},${d} is not waited for at node ${b >> 1}`);
      if (a !== running) faults.push(`row ${i}: report for ${a}, ${running} runs`);
      mask.deleteAll(c, d);
    }
  }
  return faults;
}

/** V2 by hand: sections that were open at the start of an expedited grace period and still are at its end. */
export function outlivedSections(run: Run): string[] {
  const faults: string[] = [];
  const open = new Map<number, number>();
  let start = -1;
  for (let i = 0; i < run.log.length; i++) {
    const { kind, track, a } = run.log.row(i);
    if (kind === KIND.rcu_read_lock) open.set(track, i);
    if (kind === KIND.rcu_read_unlock) open.delete(track);
    if (kind !== KIND.rcu_exp_grace_period) continue;
    if (a === RCU_EXP.start) start = i;
    if (a !== RCU_EXP.end) continue;
    for (const [thread, since] of open)
      if (since < start) faults.push(`row ${i}: the section of ${thread} since row ${since} goes on`);
  }
  return faults;
}
