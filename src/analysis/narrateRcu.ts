/** Sentences for the rows of Tree RCU (docs/model/tree.md), one per kind. */
import {
  KIND,
  type Kind,
  RCU_BARRIER,
  RCU_EXP,
  RCU_FUNC,
  RCU_FUTURE,
  RCU_GP,
  RCU_NOCB,
  RCU_SEGCB,
  RCU_STALL,
} from '../engine/core/eventKinds.ts';
import type { EventRow } from '../engine/core/eventLog.ts';
import { unpackSegcb } from '../engine/tree/segcbCode.ts';
import { count, duration } from './phrase.ts';

/** Added to `a` of rcu_poll rows with full cookies. */
const FULL_COOKIE = 4;

/** The kinds of Tree RCU. */
export type RcuKind = Extract<Kind, (typeof KIND)[`rcu_${string}` & keyof typeof KIND]>;

/** A row with what it takes to name its parts. */
interface RcuContext {
  readonly row: EventRow;
  readonly who: string;
  readonly name: (track: number) => string;
}

/** The key of a table of strings, or "unknown". */
function word(table: Readonly<Record<string, number>>, code: number): string {
  return Object.keys(table).find((key) => table[key] === code) ?? 'unknown';
}

const GP_SENTENCES: Readonly<Record<number, (seq: number, who: string) => string>> = {
  [RCU_GP.newreq]: (seq) => `A grace period is requested (newreq): gp_seq is ${seq}.`,
  [RCU_GP.start]: (seq) => `Grace period ${seq} starts.`,
  [RCU_GP.reqwait]: (seq) => `The grace-period kthread waits for a request (reqwait): gp_seq ${seq}.`,
  [RCU_GP.reqwaitsig]: (seq) => `The grace-period kthread was woken for nothing (reqwaitsig): gp_seq ${seq}.`,
  [RCU_GP.fqswait]: (seq) => `Grace period ${seq}: the kthread waits before it looks (fqswait).`,
  [RCU_GP.fqsstart]: (seq) => `Grace period ${seq}: the kthread scans for quiescent states (fqsstart).`,
  [RCU_GP.fqsend]: (seq) => `Grace period ${seq}: the scan is done (fqsend).`,
  [RCU_GP.fqswaitsig]: (seq) => `Grace period ${seq}: the kthread was woken for nothing (fqswaitsig).`,
  [RCU_GP.end]: (seq) => `Grace period ${seq} ends.`,
  [RCU_GP.cpustart]: (seq, who) => `${who} learns of grace period ${seq} (cpustart).`,
  [RCU_GP.cpuend]: (seq, who) => `${who} learns that grace period ${seq} has ended (cpuend).`,
  [RCU_GP.cpuqs]: (seq, who) => `${who} notes a quiescent state for ${seq} (cpuqs).`,
  [RCU_GP.AccWaitCB]: (seq, who) => `${who} numbers callbacks; a new one would wait for ${seq} (AccWaitCB).`,
  [RCU_GP.AccReadyCB]: (seq, who) =>
    `${who} numbers callbacks; a new one would wait for ${seq} (AccReadyCB).`,
};

const funcName = (func: number) => (func === RCU_FUNC.call_rcu ? 'callback' : word(RCU_FUNC, func));

function mask(lo: number, hi: number): string {
  return hi === 0 ? `0x${lo.toString(16)}` : `0x${hi.toString(16)}${lo.toString(16).padStart(8, '0')}`;
}

/** One sentence per kind of Tree RCU. */
export const RCU_SENTENCES: { readonly [K in RcuKind]: (context: RcuContext) => string } = {
  [KIND.rcu_grace_period]: ({ row, who }) => GP_SENTENCES[row.a]?.(row.b, who) ?? 'unknown event',
  [KIND.rcu_future_grace_period]: ({ row, who }) =>
    `${who} asks node ${row.d} for grace period ${row.c} (${word(RCU_FUTURE, row.a)}): its gp_seq is ${row.b}.`,
  [KIND.rcu_grace_period_init]: ({ row }) =>
    `Grace period ${row.a} waits on node ${row.b} for qsmask ${mask(row.c, row.d)}.`,
  [KIND.rcu_quiescent_state_report]: ({ row, who }) =>
    row.c === 0 && row.d === 0
      ? `${who}: the last blocked reader of node ${row.b >> 1} has left (grace period ${row.a}).`
      : `${who} reports ${mask(row.c, row.d)} at node ${row.b >> 1} for grace period ${row.a}.`,
  [KIND.rcu_fqs]: ({ row, who }) =>
    `${who} finds CPU ${row.b} in an extended quiescent state (dti); it knows gp_seq ${row.a}.`,
  [KIND.rcu_preempt_task]: ({ row, who, name }) =>
    row.c === 0
      ? `${name(row.b)} is preempted on ${who} inside its section; it blocks nothing before ${row.a}.`
      : `${name(row.b)} is preempted on ${who} inside its section and blocks grace period ${row.a}.`,
  [KIND.rcu_unlock_preempted_task]: ({ row, who, name }) =>
    row.c === 1
      ? `${name(row.b)}, preempted before, blocks grace period ${row.a} (${who}).`
      : `${name(row.b)}, preempted before, leaves its section on ${who} (${row.a}).`,
  [KIND.rcu_stall_warning]: ({ row, who }) =>
    `${who} warns of a stall (${word(RCU_STALL, row.a)}) after ${count(row.b, 'jiffy', 'jiffies')}: ${count(row.c, 'CPU')} and ${count(row.d, 'blocked reader')} are missing.`,
  [KIND.rcu_utilization]: ({ row, who }) =>
    row.a === 0 ? `${who} enters rcu_core().` : `${who} leaves rcu_core().`,
  [KIND.rcu_watching]: ({ row, who }) =>
    row.a === 1 ? `RCU watches ${who} again.` : `${who} enters an extended quiescent state.`,
  [KIND.rcu_callback]: ({ row, who, name }) =>
    `${name(row.d)} queues a ${funcName(row.b)} (${row.a}) on ${who}: ${count(row.c, 'callback')} there.`,
  [KIND.rcu_segcb_stats]: ({ row }) => {
    const list = unpackSegcb(row.b, row.c, row.d);
    const when = word(RCU_SEGCB, row.a % 16);
    const wait = list.wait > 0 ? ` (for ${list.waitSeq})` : '';
    const ready = list.nextReady > 0 ? ` (for ${list.nextReadySeq})` : '';
    return `Callbacks of CPU ${Math.floor(row.a / 16)} (${when}): DONE ${list.done}, WAIT ${list.wait}${wait}, NEXT_READY ${list.nextReady}${ready}, NEXT ${list.next}.`;
  },
  [KIND.rcu_batch_start]: ({ row, who }) =>
    `${who} begins to invoke callbacks of CPU ${row.c}: ${row.a} on the list, limit ${row.b}.`,
  [KIND.rcu_invoke_callback]: ({ row, who }) =>
    `${who} invokes ${funcName(row.b)} ${row.a}, ${duration(row.d)} after it was queued.`,
  [KIND.rcu_batch_end]: ({ row, who }) =>
    `${who} has invoked ${count(row.a, 'callback')} of CPU ${row.c}${(row.b & 1) === 1 ? '; more are ready' : ''}.`,
  [KIND.rcu_sr_normal]: ({ row, who }) =>
    row.a === 0
      ? `${who} joins the list of synchronize_rcu() callers (${row.b}); gp_seq is ${row.c}.`
      : `${who} is through with synchronize_rcu() (${row.b}); gp_seq is ${row.c}.`,
  [KIND.rcu_barrier]: ({ row, who }) =>
    `rcu_barrier() on ${who}: ${word(RCU_BARRIER, row.a)}${row.b >= 0 ? ` CPU ${row.b}` : ''}, remaining ${row.c}, sequence ${row.d}.`,
  [KIND.rcu_nocb_wake]: ({ row, who }) => `${who}: rcu_nocb_wake CPU ${row.b} ${word(RCU_NOCB, row.a)}.`,
  [KIND.rcu_exp_grace_period]: ({ row, who }) =>
    `Expedited grace period ${row.b}: ${word(RCU_EXP, row.a)} (${who}).`,
  [KIND.rcu_exp_funnel_lock]: ({ row, who }) =>
    row.a === 0
      ? `${who} asks node ${row.b} for expedited grace period ${row.c} (nxtlvl).`
      : `${who} waits at node ${row.b}: somebody asked for expedited grace period ${row.c} before (wait).`,
  [KIND.rcu_exp_select]: ({ row, who }) =>
    `${who} selects the CPUs of node ${row.a} to wait for: ${mask(row.b, row.c)}, ${count(row.d, 'IPI')}.`,
  [KIND.rcu_exp_ipi]: ({ row, who }) =>
    `${who} sends CPU ${row.a} an IPI for expedited grace period ${row.b}.`,
  [KIND.rcu_exp_handler]: ({ row, who }) => {
    const what = ['it reports at once', 'it must reschedule first', 'it is inside a reader section'][row.a];
    return `${who} gets the IPI of expedited grace period ${row.b}: ${what ?? 'unknown'}.`;
  },
  [KIND.rcu_exp_report]: ({ row, who }) =>
    `${who} reports ${mask(row.c, row.d)} at node ${row.b >> 1} for expedited grace period ${row.a}.`,
  [KIND.rcu_read_lock]: ({ row, who }) => `${who} enters a section of RCU on CPU ${row.a}.`,
  [KIND.rcu_read_unlock]: ({ row, who }) => `${who} leaves its section of RCU on CPU ${row.a}.`,
  [KIND.rcu_poll]: ({ row, name }) => {
    const what = [
      'takes cookie',
      'takes cookie and asks for a grace period',
      'takes cookie and asks for an expedited grace period',
      'sees that a grace period has passed for cookie',
    ][row.a & 3];
    if (row.a >= FULL_COOKIE) return `${name(row.d)} ${what} {${row.b}, ${row.c}}.`;
    return `${name(row.d)} ${what} ${row.b}; gp_seq_polled is ${row.c}.`;
  },
  [KIND.rcu_poll_gp_seq]: ({ row }) => `gp_seq_polled is ${row.a}.`,
};
