/**
 * What a grace period looks like from outside: the rows of four events, from a trace of a kernel or from the log of a
 * run. Both give the same rows, so that they can be compared (gpPattern.ts).
 */
import { KIND, RCU_GP } from '../engine/core/eventKinds.ts';
import type { EventLog, EventRow } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import { createGeometry, type NodeShape } from '../engine/tree/geometry.ts';
import type { TraceEvent } from './parseTrace.ts';
import type { RcuPayload } from './payloads.ts';

/** Events of a grace period: its kthread, and how each CPU learns, notes and is reported. */
export const GP_EVENTS = [
  'rcu_grace_period',
  'rcu_grace_period_init',
  'rcu_quiescent_state_report',
  'rcu_fqs',
] as const;
export type GpEventName = (typeof GP_EVENTS)[number];

/** One row. `byKthread`: written by the grace-period kthread itself, not by an interrupt on its CPU or another task. */
export type GpRow = { readonly cpu: number; readonly byKthread: boolean } & {
  [N in GpEventName]: { readonly event: N; readonly data: RcuPayload<N> };
}[GpEventName];

const KTHREAD = /^rcu_(preempt|sched)$/;
/** Third of the flags: s softirq, h hardirq, H hardirq in a softirq. */
const IN_INTERRUPT = /^..[shH]/;

/** The rows of a trace, in its order. */
export function traceGpRows(events: readonly TraceEvent[]): GpRow[] {
  return events.flatMap((row) =>
    GP_EVENTS.some((name) => name === row.event)
      ? [{ ...row, byKthread: KTHREAD.test(row.comm) && !IN_INTERRUPT.test(row.flags) } as GpRow]
      : [],
  );
}

const BITS = 32n;
const maskOf = (lo: number, hi: number): bigint => (BigInt(hi) << BITS) | BigInt(lo);
const GP_STRINGS = new Map<number, keyof typeof RCU_GP>(
  Object.entries(RCU_GP).map(([name, code]) => [code, name as keyof typeof RCU_GP]),
);
/** Strings between which the kthread initialises, scans and cleans up: rows of its CPU are its own there. */
const OPENS = new Set<number>([RCU_GP.start, RCU_GP.fqsstart]);
const CLOSES = new Set<number>([RCU_GP.fqswait, RCU_GP.fqsend]);
const OWN = new Set<number>([
  ...[RCU_GP.start, RCU_GP.reqwait, RCU_GP.reqwaitsig, RCU_GP.end],
  ...[RCU_GP.fqswait, RCU_GP.fqsstart, RCU_GP.fqsend, RCU_GP.fqswaitsig],
]);

/** Follows the kthread and what is left of each node's qsmask, row by row. */
class LogReader {
  readonly #nodes: readonly NodeShape[];
  readonly #rcuname: string;
  readonly #qsmask = new Map<number, bigint>();
  /** CPU on which the kthread is inside its own code, -1. */
  #busyCpu = -1;

  constructor(info: RunInfo) {
    const { fanoutLeaf, fanoutExact, isPreemptible } = treeConstants(info.config, info.rules);
    this.#nodes = createGeometry(info.config.cpus, fanoutLeaf, fanoutExact).nodes;
    this.#rcuname = isPreemptible ? 'rcu_preempt' : 'rcu_sched';
  }

  row(event: EventRow): GpRow | undefined {
    const { track: cpu, a, b, c, d } = event;
    const own = { cpu, byKthread: cpu === this.#busyCpu };
    const rcuname = this.#rcuname;
    switch (event.kind) {
      case KIND.rcu_grace_period: {
        if (OPENS.has(a)) this.#busyCpu = cpu;
        else if (CLOSES.has(a)) this.#busyCpu = -1;
        const gpevent = GP_STRINGS.get(a) as string;
        const byKthread = OWN.has(a) || own.byKthread;
        return { cpu, byKthread, event: 'rcu_grace_period', data: { rcuname, gp_seq: b, gpevent } };
      }
      case KIND.rcu_grace_period_init: {
        const qsmask = maskOf(c, d);
        this.#qsmask.set(b, qsmask);
        const data = { rcuname, gp_seq: a, ...this.#place(b), qsmask };
        return { ...own, event: 'rcu_grace_period_init', data };
      }
      case KIND.rcu_quiescent_state_report: {
        const node = Math.floor(b / 2);
        const mask = maskOf(c, d);
        const qsmask = (this.#qsmask.get(node) ?? 0n) & ~mask;
        this.#qsmask.set(node, qsmask);
        const name = mask === 0n ? 'preempt_rcu' : rcuname;
        const data = { rcuname: name, gp_seq: a, mask, qsmask, ...this.#place(node), gp_tasks: b % 2 };
        return { ...own, event: 'rcu_quiescent_state_report', data };
      }
      case KIND.rcu_fqs:
        return { ...own, event: 'rcu_fqs', data: { rcuname, gp_seq: a, cpu: b, qsevent: 'dti' } };
    }
    return undefined;
  }

  #place(node: number): Pick<NodeShape, 'level' | 'grplo' | 'grphi'> {
    const { level, grplo, grphi } = this.#nodes[node] as NodeShape;
    return { level, grplo, grphi };
  }
}

/** The rows of a run's log, in its order. */
export function logGpRows(log: EventLog, info: RunInfo): GpRow[] {
  const reader = new LogReader(info);
  const rows: GpRow[] = [];
  log.forEach((event) => {
    const row = reader.row(event);
    if (row !== undefined) rows.push(row);
  });
  return rows;
}
