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
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import { seqCtr, seqEnd } from '../engine/tree/gpSeq.ts';
import { unpackSegcb } from '../engine/tree/segcbCode.ts';
import type { KvfreeKind } from './narrateKvfree.ts';
import type { TasksKind } from './narrateTasks.ts';
import { count, duration } from './phrase.ts';
import { maskHex, maskWords, nodeWords, rcuGeometry } from './rcuGeometry.ts';

/** Added to `a` of rcu_poll rows with full cookies. */
const FULL_COOKIE = 4;

/** The kinds of Tree RCU. */
export type RcuKind = Exclude<
  Extract<Kind, (typeof KIND)[`rcu_${string}` & keyof typeof KIND]>,
  KvfreeKind | TasksKind
>;

/** A row with what it takes to name its parts. */
interface RcuContext {
  readonly row: EventRow;
  readonly who: string;
  readonly name: (track: number) => string;
  readonly info: RunInfo;
}

/** The key of a table of strings, or "unknown". */
function word(table: Readonly<Record<string, number>>, code: number): string {
  return Object.keys(table).find((key) => table[key] === code) ?? 'unknown';
}

/** A grace period by its number and the gp_seq that it runs with. */
function gp(seq: number): string {
  return `grace period ${seqCtr(seq)}`;
}

/** The one that ends with this gp_seq. */
function gpEndingAt(seq: number): string {
  return `grace period ${seqCtr(seq) - 1}`;
}

/** Where a rcu_grace_period row comes from: the kthread (by name) or a CPU. */
const GP_SENTENCES: Readonly<Record<number, (seq: number, who: string, kthread: string) => string>> = {
  [RCU_GP.newreq]: (seq, who) =>
    `${who} asks for ${gp(seq)}, which sets GP_FLAG_INIT (newreq): gp_seq ${seq}.`,
  [RCU_GP.start]: (seq, who, kthread) => `${kthread} on ${who} starts ${gp(seq)} (start): gp_seq ${seq}.`,
  [RCU_GP.reqwait]: (seq, who, kthread) =>
    `${kthread} on ${who} waits until somebody asks for a grace period (reqwait): gp_seq ${seq}.`,
  [RCU_GP.reqwaitsig]: (seq, who, kthread) =>
    `${kthread} on ${who} was woken, but nobody asks for a grace period (reqwaitsig): gp_seq ${seq}.`,
  [RCU_GP.fqswait]: (seq, who, kthread) =>
    `${kthread} on ${who} waits before it scans for quiescent states (fqswait), ${gp(seq)}.`,
  [RCU_GP.fqsstart]: (seq, who, kthread) =>
    `${kthread} on ${who} scans the CPUs that owe a quiescent state (fqsstart), ${gp(seq)}.`,
  [RCU_GP.fqsend]: (seq, who, kthread) => `${kthread} on ${who} has scanned them (fqsend), ${gp(seq)}.`,
  [RCU_GP.fqswaitsig]: (seq, who, kthread) =>
    `${kthread} on ${who} was woken too early to scan and waits on (fqswaitsig), ${gp(seq)}.`,
  [RCU_GP.end]: (seq, who, kthread) =>
    `${kthread} on ${who} ends ${gp(seq)} (end): gp_seq becomes ${seqEnd(seq)}.`,
  [RCU_GP.cpustart]: (seq, who) =>
    `${who} learns of ${gp(seq)} (cpustart): a quiescent state counts from now on.`,
  [RCU_GP.cpuend]: (seq, who) =>
    `${who} learns that ${gp(seq)} has ended (cpuend): callbacks that waited for it are ready.`,
  [RCU_GP.cpuqs]: (seq, who) =>
    `${who} notes a quiescent state for ${gp(seq)} (cpuqs); its next rcu_core() reports it.`,
  [RCU_GP.AccWaitCB]: (seq, who) =>
    `${who} numbers callbacks (AccWaitCB): asked for now, the end of ${gpEndingAt(seq)} would do.`,
  [RCU_GP.AccReadyCB]: (seq, who) =>
    `${who} numbers callbacks (AccReadyCB): asked for now, the end of ${gpEndingAt(seq)} would do.`,
};

/** What each string of rcu_future_grace_period means (R2.1, R2.23). */
const FUTURE_WORDS: Readonly<Record<number, string>> = {
  [RCU_FUTURE.Startleaf]: 'the request begins at its leaf',
  [RCU_FUTURE.Prestarted]: 'somebody has asked before, or it has begun',
  [RCU_FUTURE.Startedleaf]: 'noted here; the running grace period will see it at its end',
  [RCU_FUTURE.Startedleafroot]: 'noted up to the root; the running grace period will see it at its end',
  [RCU_FUTURE.Startedroot]: 'noted up to the root; the kthread has to be woken',
};

/** What rcuog does or is told, by its strings (R3.9, R3.10). */
const NOCB_WORDS: Readonly<Record<number, string>> = {
  [RCU_NOCB.AlreadyAwake]: 'rcuog is awake',
  [RCU_NOCB.Bypass]: 'rcuog sees callbacks on the bypass list',
  [RCU_NOCB.CBSleep]: 'rcuop sleeps',
  [RCU_NOCB.Check]: 'rcuog looks at the list',
  [RCU_NOCB.DeferredWake]: 'rcuog is woken, as was put off before',
  [RCU_NOCB.DoWake]: 'rcuog is woken',
  [RCU_NOCB.EndSleep]: 'rcuog wakes up',
  [RCU_NOCB.FirstBQ]: 'the first callback on the bypass list',
  [RCU_NOCB.FirstBQnoWake]: 'rcuog need not be woken for the bypass list',
  [RCU_NOCB.FirstBQwake]: 'rcuog must be woken for the bypass list',
  [RCU_NOCB.FirstQ]: 'the first callback on the list',
  [RCU_NOCB.Lazy]: 'rcuog sees lazy callbacks only',
  [RCU_NOCB.NeedWaitGP]: 'rcuog has to wait for a grace period',
  [RCU_NOCB.Poll]: 'rcuog polls',
  [RCU_NOCB.Sleep]: 'rcuog sleeps, nothing is pending',
  [RCU_NOCB.Timer]: 'its timer wakes rcuog',
  [RCU_NOCB.WakeEmpty]: 'the list was empty: rcuog is woken',
  [RCU_NOCB.WakeEmptyIsDeferred]: 'the list was empty: rcuog is woken later',
  [RCU_NOCB.WakeLazy]: 'lazy callbacks: rcuog is woken after a long time',
  [RCU_NOCB.WakeLazyIsDeferred]: 'lazy callbacks: rcuog is woken later',
  [RCU_NOCB.WakeNot]: 'rcuog need not be woken',
  [RCU_NOCB.WakeNotPoll]: 'rcuog polls and need not be woken',
  [RCU_NOCB.WakeOvfIsDeferred]: 'too many callbacks: rcuog is woken later',
  [RCU_NOCB.WakeBypassIsDeferred]: 'the bypass list is old: rcuog is woken later',
  [RCU_NOCB.WokeEmpty]: 'rcuog was woken and found nothing',
};

/** What each string of rcu_exp_grace_period means (R5.1 to R5.6). */
const EXP_WORDS: Readonly<Record<number, string>> = {
  [RCU_EXP.snap]: 'asks for',
  [RCU_EXP.start]: 'starts',
  [RCU_EXP.reset]: 'sets the masks of',
  [RCU_EXP.select]: 'chooses the CPUs for',
  [RCU_EXP.selectofl]: 'passes over offline CPUs in',
  [RCU_EXP.startwait]: 'waits for the CPUs of',
  [RCU_EXP.end]: 'ends',
  [RCU_EXP.endwake]: 'has woken the callers of',
  [RCU_EXP.done]: 'finds that somebody has made',
};

/** What each string of rcu_barrier means (R3.13). */
const BARRIER_WORDS: Readonly<Record<number, (cpu: number, onCpu: string) => string>> = {
  [RCU_BARRIER.Begin]: (_, who) => `is called on ${who}`,
  [RCU_BARRIER.EarlyExit]: () => 'returns: another barrier has passed meanwhile',
  [RCU_BARRIER.Inc1]: () => 'has the mutex and begins',
  [RCU_BARRIER.NQ]: (cpu) => `passes CPU ${cpu} over: no callbacks there`,
  [RCU_BARRIER.OnlineQ]: (cpu) => `has asked CPU ${cpu}`,
  [RCU_BARRIER.OfflineNoCBQ]: (cpu) => `queues on offline CPU ${cpu}`,
  [RCU_BARRIER.IRQ]: (_, who) => `queues its callback behind those of ${who}`,
  [RCU_BARRIER.IRQNQ]: (_, who) => `finds no callbacks on ${who} any more`,
  [RCU_BARRIER.CB]: (_, who) => `has a callback of its own invoked on ${who}`,
  [RCU_BARRIER.LastCB]: (_, who) => `has its last callback invoked on ${who} and is woken`,
  [RCU_BARRIER.Inc2]: () => 'is over',
};

const funcName = (func: number) => (func === RCU_FUNC.call_rcu ? 'callback' : word(RCU_FUNC, func));

function kthreadName(info: RunInfo): string {
  return treeConstants(info.config, info.rules).isPreemptible ? 'rcu_preempt' : 'rcu_sched';
}

/** One sentence per kind of Tree RCU. */
export const RCU_SENTENCES: { readonly [K in RcuKind]: (context: RcuContext) => string } = {
  [KIND.rcu_grace_period]: ({ row, who, info }) =>
    GP_SENTENCES[row.a]?.(row.b, who, kthreadName(info)) ?? 'unknown event',
  [KIND.rcu_future_grace_period]: ({ row, who, info }) => {
    const where = nodeWords(rcuGeometry(info), row.d);
    const string = word(RCU_FUTURE, row.a);
    switch (row.a) {
      case RCU_FUTURE.Cleanup:
        return `${kthreadName(info)} on ${who} tells ${where} of the end (Cleanup): gp_seq ${row.b}, nothing more is asked for.`;
      case RCU_FUTURE.CleanupMore:
        return `${kthreadName(info)} on ${who} tells ${where} of the end (CleanupMore): gp_seq ${row.b}, ${gpEndingAt(row.c)} is asked for.`;
      case RCU_FUTURE.StartWait:
        return `rcuog on ${who} goes to sleep until ${gpEndingAt(row.c)} has ended (StartWait).`;
      case RCU_FUTURE.EndWait:
        return `rcuog on ${who} is awake, it waited for ${gpEndingAt(row.c)} (EndWait).`;
      default:
        return `${who} asks ${where} for ${gpEndingAt(row.c)} (${string}): ${FUTURE_WORDS[row.a]}.`;
    }
  },
  [KIND.rcu_grace_period_init]: ({ row, info }) => {
    const geometry = rcuGeometry(info);
    const owing = maskWords(geometry, row.b, row.c, row.d);
    return `${kthreadName(info)} sets up ${nodeWords(geometry, row.b)} for ${gp(row.a)}: ${owing} ${/^CPU \d/.test(owing) ? 'owes' : 'owe'} a quiescent state, qsmask ${maskHex(row.c, row.d)}.`;
  },
  [KIND.rcu_quiescent_state_report]: ({ row, who, info }) => {
    const geometry = rcuGeometry(info);
    const node = row.b >> 1;
    const where = nodeWords(geometry, node);
    if (row.c === 0 && row.d === 0)
      return `${who}: the last preempted reader of ${where} has left its section, ${gp(row.a)} waits for none there any more.`;
    const blocked = (row.b & 1) === 1 ? '; preempted readers still block it' : '';
    return `${who} reports ${maskWords(geometry, node, row.c, row.d)} at ${where} for ${gp(row.a)}: mask ${maskHex(row.c, row.d)}${blocked}.`;
  },
  [KIND.rcu_fqs]: ({ row, who }) =>
    `The scan on ${who} finds that CPU ${row.b} is or was idle, a quiescent state (dti).`,
  [KIND.rcu_preempt_task]: ({ row, who, name }) => {
    const expedited = (row.c & 2) === 2 ? ' and the expedited one' : '';
    return row.c === 0
      ? `${name(row.b)} is preempted on ${who} inside its section (rcu_preempt_task); it blocks nothing before ${gpEndingAt(row.a)}.`
      : `${name(row.b)} is preempted on ${who} inside its section and blocks ${(row.c & 1) === 1 ? gp(row.a) : 'no normal grace period'}${expedited} (rcu_preempt_task).`;
  },
  [KIND.rcu_unlock_preempted_task]: ({ row, who, name }) =>
    row.c === 1
      ? `${name(row.b)} was preempted inside its section before: it blocks ${gp(row.a)}, which starts (rcu_preempt-GPS).`
      : `${name(row.b)}, preempted before, leaves its section on ${who} (rcu_unlock_preempted_task).`,
  [KIND.rcu_stall_warning]: ({ row, who }) =>
    `${who} warns of a stall after ${count(row.b, 'jiffy', 'jiffies')} (${word(RCU_STALL, row.a)}): ${count(row.c, 'CPU')} and ${count(row.d, 'preempted reader')} are missing.`,
  [KIND.rcu_utilization]: ({ row, who }) =>
    row.a === 0
      ? `${who} runs rcu_core() in softirq (Start RCU core).`
      : `${who} is through with rcu_core() (End RCU core).`,
  [KIND.rcu_watching]: ({ row, who }) =>
    row.a === 1
      ? `${who} leaves idle: RCU watches it again (rcu_watching).`
      : `${who} goes idle, an extended quiescent state: RCU does not watch it (rcu_watching).`,
  [KIND.rcu_callback]: ({ row, who, name }) =>
    `${name(row.d)} queues ${row.b === RCU_FUNC.wakeme_after_rcu ? 'its wake-up (wakeme_after_rcu)' : `a ${funcName(row.b)}`}, number ${row.a}, on ${who} (call_rcu): ${count(row.c, 'callback')} there.`,
  [KIND.rcu_segcb_stats]: ({ row }) => {
    const list = unpackSegcb(row.b, row.c, row.d);
    const when = word(RCU_SEGCB, row.a % 16);
    const wait = list.wait > 0 ? ` (for ${list.waitSeq})` : '';
    const ready = list.nextReady > 0 ? ` (for ${list.nextReadySeq})` : '';
    return `Callbacks of CPU ${Math.floor(row.a / 16)} (${when}): DONE ${list.done}, WAIT ${list.wait}${wait}, NEXT_READY ${list.nextReady}${ready}, NEXT ${list.next}.`;
  },
  [KIND.rcu_batch_start]: ({ row, who }) =>
    `${who} begins to invoke callbacks of CPU ${row.c} (rcu_do_batch()): ${row.a} on its list, ${row.b} at most.`,
  [KIND.rcu_invoke_callback]: ({ row, who }) =>
    `${who} invokes ${funcName(row.b)} ${row.a}, ${duration(row.d)} after it was queued.`,
  [KIND.rcu_batch_end]: ({ row, who }) =>
    `${who} has invoked ${count(row.a, 'callback')} of CPU ${row.c} (rcu_batch_end)${(row.b & 1) === 1 ? '; more are ready' : ''}.`,
  [KIND.rcu_sr_normal]: ({ row, who }) =>
    row.a === 0
      ? `${who} waits in synchronize_rcu() from gp_seq ${row.c} on (rcu_sr_normal request, ${row.b}).`
      : `${who} is through with synchronize_rcu() at gp_seq ${row.c} (rcu_sr_normal complete, ${row.b}).`,
  [KIND.rcu_barrier]: ({ row, who }) =>
    `rcu_barrier() ${BARRIER_WORDS[row.a]?.(row.b, who) ?? 'unknown'} (${word(RCU_BARRIER, row.a)}): remaining ${row.c}, # ${row.d}.`,
  [KIND.rcu_nocb_wake]: ({ row, who }) =>
    `Callbacks of CPU ${row.b}: ${NOCB_WORDS[row.a] ?? 'unknown'} (${word(RCU_NOCB, row.a)}, on ${who}).`,
  [KIND.rcu_exp_grace_period]: ({ row, who }) =>
    `${who} ${EXP_WORDS[row.a] ?? 'unknown'} expedited ${gpEndingAt(row.b)} (${word(RCU_EXP, row.a)}): s ${row.b}.`,
  [KIND.rcu_exp_funnel_lock]: ({ row, who, info }) => {
    const where = nodeWords(rcuGeometry(info), row.b);
    return row.a === 0
      ? `${who} asks ${where} for expedited ${gpEndingAt(row.c)} and goes on up (nxtlvl).`
      : `${who} waits at ${where}: somebody asked for expedited ${gpEndingAt(row.c)} before (wait).`;
  },
  [KIND.rcu_exp_select]: ({ row, who, info }) => {
    const geometry = rcuGeometry(info);
    return `${who} looks at ${nodeWords(geometry, row.a)}: ${maskWords(geometry, row.a, row.b, row.c)} left in expmask ${maskHex(row.b, row.c)}, ${count(row.d, 'IPI')} to send.`;
  },
  [KIND.rcu_exp_ipi]: ({ row, who }) =>
    `${who} sends CPU ${row.a} an IPI for expedited ${gpEndingAt(row.b)}.`,
  [KIND.rcu_exp_handler]: ({ row, who }) => {
    const what = [
      'it is outside any section and reports at once',
      'it must go through a context switch first',
      'it is inside a reader section, whose end will report',
    ][row.a];
    return `${who} handles the IPI of expedited ${gpEndingAt(row.b)} (rcu_exp_handler()): ${what ?? 'unknown'}.`;
  },
  [KIND.rcu_exp_report]: ({ row, who, info }) => {
    const geometry = rcuGeometry(info);
    const node = row.b >> 1;
    if (row.c === 0 && row.d === 0)
      return `${who}: the last preempted reader of ${nodeWords(geometry, node)} has left its section, expedited ${gpEndingAt(row.a)} waits for none there any more.`;
    return `${who} reports ${maskWords(geometry, node, row.c, row.d)} at ${nodeWords(geometry, node)} for expedited ${gpEndingAt(row.a)}: mask ${maskHex(row.c, row.d)}.`;
  },
  [KIND.rcu_read_lock]: ({ row, who }) => `${who} enters a section on CPU ${row.a} (rcu_read_lock()).`,
  [KIND.rcu_read_unlock]: ({ row, who }) => `${who} leaves its section on CPU ${row.a} (rcu_read_unlock()).`,
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
