/**
 * Rows of a run's log as the kernel's RCU trace events print them: the fields of payloads.ts, with the kernel's own names
 * and strings, from the codes and node numbers of a row (core/eventKinds.ts).
 */
import {
  KIND,
  RCU_BARRIER,
  RCU_EXP,
  RCU_FUNC,
  RCU_FUTURE,
  RCU_GP,
  RCU_NOCB,
  RCU_SEGCB,
  RCU_STALL,
  RCU_UTILIZATION,
} from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import { createGeometry, type NodeShape } from '../engine/tree/geometry.ts';
import { unpackSegcb } from '../engine/tree/segcbCode.ts';
import type { RcuEventName, RcuPayload } from './payloads.ts';

/** Events of a grace period: its kthread, and how each CPU learns, notes and is reported. */
export const GP_EVENTS = [
  'rcu_grace_period',
  'rcu_grace_period_init',
  'rcu_quiescent_state_report',
  'rcu_fqs',
] as const;
export type GpEventName = (typeof GP_EVENTS)[number];

/** One of these events with all its fields. */
export type GpPayload = {
  [N in GpEventName]: { readonly event: N; readonly data: RcuPayload<N> };
}[GpEventName];

/** Fields of an event; those that a run does not have are absent. */
type Fields = Readonly<Record<string, string | number | bigint>>;
/** Only fields that the event has. */
type FieldsOf<N extends RcuEventName> = { readonly [F in keyof RcuPayload<N>]?: string | number | bigint };

const BITS = 32n;
const maskOf = (lo: number, hi: number): bigint => (BigInt(hi) << BITS) | BigInt(lo);

const NAMES = new Map<object, ReadonlyMap<number, string>>();
/** The string that a code stands for in one of the tables of eventKinds.ts. */
function stringOf(table: Readonly<Record<string, number>>, code: number): string {
  let names = NAMES.get(table);
  if (names === undefined) {
    names = new Map(Object.entries(table).map(([name, number]) => [number, name]));
    NAMES.set(table, names);
  }
  return names.get(code) ?? `unknown (${code})`;
}

/** "CSIR", a dot for each that is not: callbacks left, need_resched, idle task, callbacks kthread. */
const batchFlags = (bits: number): string =>
  ['C', 'S', 'I', 'R'].map((letter, i) => ((bits >> i) & 1 ? letter : '.')).join('');

/** Reads rows in the order of the log: what is left of each node's qsmask follows from the rows before. */
export class LogPayloads {
  readonly #info: RunInfo;
  readonly #nodes: readonly NodeShape[];
  readonly #rcuname: string;
  readonly #qsmask = new Map<number, bigint>();

  constructor(info: RunInfo) {
    const { fanoutLeaf, fanoutExact, isPreemptible } = treeConstants(info.config, info.rules);
    this.#info = info;
    this.#nodes = createGeometry(info.config.cpus, fanoutLeaf, fanoutExact).nodes;
    this.#rcuname = isPreemptible ? 'rcu_preempt' : 'rcu_sched';
  }

  /** The payload of one of GP_EVENTS, complete; undefined for other rows. */
  gp({ kind, a, b, c, d }: EventRow): GpPayload | undefined {
    const rcuname = this.#rcuname;
    switch (kind) {
      case KIND.rcu_grace_period:
        return { event: 'rcu_grace_period', data: { rcuname, gp_seq: b, gpevent: stringOf(RCU_GP, a) } };
      case KIND.rcu_grace_period_init: {
        const qsmask = maskOf(c, d);
        this.#qsmask.set(b, qsmask);
        return {
          event: 'rcu_grace_period_init',
          data: { rcuname, gp_seq: a, ...this.#place(b), qsmask },
        };
      }
      case KIND.rcu_quiescent_state_report: {
        const node = Math.floor(b / 2);
        const mask = maskOf(c, d);
        const qsmask = (this.#qsmask.get(node) ?? 0n) & ~mask;
        this.#qsmask.set(node, qsmask);
        const name = mask === 0n ? 'preempt_rcu' : rcuname;
        const data = { rcuname: name, gp_seq: a, mask, qsmask, ...this.#place(node), gp_tasks: b % 2 };
        return { event: 'rcu_quiescent_state_report', data };
      }
      case KIND.rcu_fqs:
        return { event: 'rcu_fqs', data: { rcuname, gp_seq: a, cpu: b, qsevent: 'dti' } };
    }
    return undefined;
  }

  /**
   * The payload of any RCU trace event; undefined for rows that are none. `rhp` is the number of a callback or of a
   * caller, `p` of a block, `pid` the name of a thread. Absent are old and new nesting and counter of rcu_watching, and
   * numbers of segments that mean nothing.
   */
  of(row: EventRow): Fields | undefined {
    const { kind, a, b, c, d } = row;
    const rcuname = this.#rcuname;
    switch (kind) {
      case KIND.rcu_future_grace_period: {
        const gpevent = stringOf(RCU_FUTURE, a);
        const seqs = { gp_seq: b, gp_seq_req: c };
        return { rcuname, ...seqs, ...this.#place(d), gpevent } satisfies FieldsOf<'rcu_future_grace_period'>;
      }
      case KIND.rcu_preempt_task:
        return { rcuname, gp_seq: a, pid: this.#nameOf(b) } satisfies FieldsOf<'rcu_preempt_task'>;
      case KIND.rcu_unlock_preempted_task: {
        const name = c === 1 ? `${rcuname}-GPS` : rcuname;
        return {
          rcuname: name,
          gp_seq: a,
          pid: this.#nameOf(b),
        } satisfies FieldsOf<'rcu_unlock_preempted_task'>;
      }
      case KIND.rcu_exp_grace_period:
        return {
          rcuname,
          gpseq: b,
          gpevent: stringOf(RCU_EXP, a),
        } satisfies FieldsOf<'rcu_exp_grace_period'>;
      case KIND.rcu_exp_funnel_lock: {
        const gpevent = a === 0 ? 'nxtlvl' : 'wait';
        return { rcuname, ...this.#place(b), gpevent } satisfies FieldsOf<'rcu_exp_funnel_lock'>;
      }
      case KIND.rcu_nocb_wake:
        return { rcuname, cpu: b, reason: stringOf(RCU_NOCB, a) } satisfies FieldsOf<'rcu_nocb_wake'>;
      case KIND.rcu_stall_warning:
        return { rcuname, msg: stringOf(RCU_STALL, a) } satisfies FieldsOf<'rcu_stall_warning'>;
      case KIND.rcu_utilization:
        return { s: stringOf(RCU_UTILIZATION, a) } satisfies FieldsOf<'rcu_utilization'>;
      case KIND.rcu_watching:
        return { polarity: this.#polarity(a === 1) } satisfies FieldsOf<'rcu_watching'>;
      case KIND.rcu_sr_normal: {
        const srevent = a === 0 ? 'request' : 'complete';
        return { rcuname, rhp: b, srevent } satisfies FieldsOf<'rcu_sr_normal'>;
      }
      case KIND.rcu_barrier: {
        const s = stringOf(RCU_BARRIER, a);
        return { rcuname, s, cpu: b, cnt: c, done: d } satisfies FieldsOf<'rcu_barrier'>;
      }
      default:
        return this.gp(row)?.data ?? this.#ofCallbacks(row);
    }
  }

  #ofCallbacks({ kind, a, b, c, d }: EventRow): Fields | undefined {
    const rcuname = this.#rcuname;
    switch (kind) {
      case KIND.rcu_callback: {
        const func = stringOf(RCU_FUNC, b);
        return { rcuname, rhp: a, func, qlen: c } satisfies FieldsOf<'rcu_callback'>;
      }
      case KIND.rcu_segcb_stats: {
        const { done, wait, nextReady, next, waitSeq, nextReadySeq } = unpackSegcb(b, c, d);
        return {
          ctx: stringOf(RCU_SEGCB, a % 16),
          ...{ done, wait, nextReady, next },
          ...(wait > 0 ? { waitSeq } : {}),
          ...(nextReady > 0 ? { nextReadySeq } : {}),
        } satisfies FieldsOf<'rcu_segcb_stats'>;
      }
      case KIND.rcu_batch_start:
        return { rcuname, qlen: a, blimit: b } satisfies FieldsOf<'rcu_batch_start'>;
      case KIND.rcu_invoke_callback:
        return { rcuname, rhp: a, func: stringOf(RCU_FUNC, b) } satisfies FieldsOf<'rcu_invoke_callback'>;
      case KIND.rcu_batch_end: {
        const flags = batchFlags(b);
        return { rcuname, callbacks_invoked: a, flags } satisfies FieldsOf<'rcu_batch_end'>;
      }
      case KIND.rcu_invoke_kfree_bulk_callback:
        return { rcuname, p: b, nr_records: a } satisfies FieldsOf<'rcu_invoke_kfree_bulk_callback'>;
    }
    return undefined;
  }

  /** Up to 6.11 the event is rcu_dyntick, and its strings have the opposite meaning (rule tree.watchEvent). */
  #polarity(isWatching: boolean): 'Start' | 'End' {
    const isOpposite = this.#info.rules['tree.watchEvent'] === 'rcu_dyntick';
    return isWatching === isOpposite ? 'End' : 'Start';
  }

  #nameOf(track: number): string {
    return this.#info.tracks[track]?.name ?? String(track);
  }

  #place(node: number): Pick<NodeShape, 'level' | 'grplo' | 'grphi'> {
    const { level, grplo, grphi } = this.#nodes[node] as NodeShape;
    return { level, grplo, grphi };
  }
}
