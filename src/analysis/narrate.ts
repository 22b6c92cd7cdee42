/** Every row as one English sentence, with the kernel's names: the narrated log, the table and the tooltips. */
import { APIS } from '../engine/config.ts';
import {
  CALLBACK,
  KIND,
  type Kind,
  kindName,
  STOP_REASON,
  TIMER_FN,
  WORK_FN,
} from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { PASS_OUTCOME, type PassInfo, unpackPass } from '../engine/core/passCode.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { KVFREE_SENTENCES } from './narrateKvfree.ts';
import { RCU_SENTENCES } from './narrateRcu.ts';
import { TASKS_SENTENCES } from './narrateTasks.ts';
import { count, duration, trackName } from './phrase.ts';

/** A row with what it takes to name its parts. */
interface Context {
  readonly row: EventRow;
  /** Name of the row's own track. */
  readonly who: string;
  readonly name: (track: number) => string;
  readonly info: RunInfo;
}
type Sentence = (context: Context) => string;

const api = (index: number) => `${APIS[index] ?? 'unknown call'}()`;
const scanName = (scan: number) => (scan === 1 ? 'SCAN1' : scan === 2 ? 'SCAN2' : 'idle');
const timerName = (fn: number) =>
  fn === TIMER_FN.delayed_work_timer_fn
    ? 'the timer of process_srcu()'
    : fn === TIMER_FN.kfree_rcu_monitor
      ? 'the timer of kfree_rcu_monitor()'
      : ((Object.keys(TIMER_FN) as (keyof typeof TIMER_FN)[]).find((key) => TIMER_FN[key] === fn) ??
        'a timer');
const workName = (fn: number) =>
  `${(Object.keys(WORK_FN) as (keyof typeof WORK_FN)[]).find((key) => WORK_FN[key] === fn) ?? 'unknown'}()`;
const startedWith = (fn: number, n: number) => {
  if (fn === WORK_FN.kfree_rcu_work) return `, batch ${n}`;
  if (fn === WORK_FN.kfree_rcu_monitor) return `: ${count(n, 'object')} queued`;
  return fn === WORK_FN.fill_page_cache_func ? '' : `: ${count(n, 'callback')} ready`;
};
const cbName = (kind: number) =>
  kind === CALLBACK.wakeme ? 'wake-up callback' : kind === CALLBACK.barrier ? 'barrier callback' : 'callback';

const STOPS = new Map<number, string>([
  [STOP_REASON.done, 'all finite actors have finished'],
  [STOP_REASON.afterNs, 'the time asked for is over'],
  [STOP_REASON.eventLimit, 'the limit of events is reached'],
  [STOP_REASON.memoryLimit, 'the limit of memory is reached'],
  [STOP_REASON.stuck, 'nothing can happen any more'],
  [STOP_REASON.trackLimit, 'the limit of CPUs, threads and workers is reached'],
  [STOP_REASON.timeLimit, 'the end of virtual time is reached'],
]);
const SENTENCES: { readonly [K in Kind]: Sentence } = {
  ...RCU_SENTENCES,
  ...KVFREE_SENTENCES,
  ...TASKS_SENTENCES,
  [KIND.sched_switch]: ({ row, who, name }) => {
    const left = ['blocked', 'preempted', 'gave way'][row.c] ?? 'left';
    const from = row.b < 0 ? 'from idle' : `from ${name(row.b)} (${left})`;
    return `${who} switches ${from} to ${row.a < 0 ? 'idle' : name(row.a)}.`;
  },
  [KIND.sched_waking]: ({ row, who }) => `${who} is woken on CPU ${row.a}.`,
  [KIND.tick]: ({ row, who }) => `Tick on ${who}: jiffies are ${row.a}.`,
  [KIND.hrtimer_expire_entry]: ({ row, who, name }) =>
    `The sleep of ${name(row.a)} is over (hrtimer on ${who}).`,
  [KIND.timer_start]: ({ row, who, name }) =>
    `${who} arms ${timerName(row.a)} of ${name(row.d)} for ${count(row.b, 'jiffy', 'jiffies')}: it fires at jiffy ${row.c}.`,
  [KIND.timer_expire_entry]: ({ row, who, name }) => {
    const late = row.b > row.c ? `, due at ${row.c}` : '';
    const timer = timerName(row.a);
    return `${timer.replace(/^the/, 'The')} of ${name(row.d)} fires on ${who} at jiffy ${row.b}${late}.`;
  },
  [KIND.workqueue_queue_work]: ({ row, who, name }) =>
    row.c === 1
      ? `${workName(row.a)} of ${name(row.b)} is queued on ${who}.`
      : `${workName(row.a)} of ${name(row.b)} is queued already on ${who}: no effect.`,
  [KIND.workqueue_execute_start]: ({ row, who, name }) =>
    `${who} starts ${workName(row.a)} of ${name(row.b)}${startedWith(row.a, row.c)}.`,
  [KIND.workqueue_execute_end]: ({ row, who, name }) =>
    `${who} is through with ${workName(row.a)} of ${name(row.b)}.`,
  [KIND.thread_done]: ({ who }) => `${who} has finished.`,
  [KIND.run_end]: ({ row }) => `The run ends: ${STOPS.get(row.a) ?? 'unknown reason'}.`,

  [KIND.api_call]: ({ row, who, name }) => `${who} calls ${api(row.a)} on ${name(row.c)}, call ${row.b}.`,
  [KIND.api_return]: ({ row, who }) =>
    `${api(row.a)} returns to ${who} after ${duration(row.c)}, call ${row.b}.`,
  [KIND.srcu_request]: ({ row, who, name }) =>
    `${name(row.c)} asks ${who} for ${row.b === 1 ? 'an expedited' : 'a normal'} grace period up to srcu_gp_seq ${row.a}.`,
  [KIND.srcu_gp_start]: ({ row, who }) =>
    `Grace period ${row.d} of ${who} starts${row.c === 1 ? ', expedited' : ''}: srcu_gp_seq ${row.a}, jiffy ${row.b}.`,
  [KIND.srcu_pass]: ({ row, who }) => passSentence(row, unpackPass(row.c), who),
  [KIND.srcu_check]: ({ row, who }) =>
    `${scanName(row.d)} of ${who} finds no reader on index ${row.a}: ${row.b} unlocks, ${row.c} locks.`,
  [KIND.srcu_flip]: ({ row, who }) =>
    `${who} flips srcu_idx to ${row.a}: new readers count on index ${row.a & 1}, SCAN2 waits for index ${1 - (row.a & 1)}.`,
  [KIND.srcu_gp_end]: ({ row, who }) => {
    const callbacks =
      row.b === 0 ? 'its callbacks are queued at once' : 'its callbacks wait for srcu_delay_timer';
    return `Grace period ${row.d} of ${who} ends${row.c === 1 ? ', expedited' : ''}: srcu_gp_seq ${row.a}, ${callbacks}.`;
  },
  [KIND.srcu_fetch]: ({ row, who, name }) =>
    `${who} reads index ${row.b} of ${name(row.a)} on CPU ${row.c} and counts itself later.`,
  [KIND.srcu_lock]: ({ row, who, name }) =>
    `${who} enters ${row.d === 1 ? 'its own section' : 'a section'} of ${name(row.a)} on index ${row.b}, CPU ${row.c}.`,
  [KIND.srcu_unlock]: ({ row, who, name }) =>
    `${who} leaves ${row.d === 1 ? 'its own section' : 'its section'} of ${name(row.a)} on index ${row.b}, CPU ${row.c}.`,
  [KIND.srcu_cb_queue]: ({ row, who }) =>
    `A ${cbName(row.d)} (${row.a}) of ${who} is queued on CPU ${row.c} for srcu_gp_seq ${row.b}.`,
  [KIND.srcu_cb_invoke]: ({ row, who }) => `The ${cbName(row.d)} ${row.a} of ${who} runs on CPU ${row.c}.`,
  [KIND.srcu_credit]: ({ row, who }) =>
    row.b === 0
      ? `${who} has a credit of ${duration(row.a)}: the worker cannot preempt it.`
      : `${who} has a credit of ${duration(row.a)}: the worker preempts it inside its own section and keeps the CPU for ${duration(row.b)}.`,
};

function passSentence(row: EventRow, pass: PassInfo, who: string): string {
  if (row.a === 0)
    return `process_srcu() of ${who} on CPU ${pass.cpu} begins to poll, and is interrupted at once.`;
  const where = `of ${who} on CPU ${pass.cpu}`;
  const what =
    row.a === 1
      ? `process_srcu() ${where}`
      : `${row.a} passes of process_srcu() ${where}, ${duration(row.d)} each`;
  if (pass.scanStart === 0) return `${what}: nothing to do.`;
  const polls = row.a * pass.failedChecks;
  const found =
    polls === 0
      ? `${scanName(pass.scanStart)} finds no reader at once`
      : `${scanName(pass.scanEnd === 0 ? 2 : pass.scanEnd)} finds a reader ${count(polls, 'time')}`;
  const then =
    pass.outcome === PASS_OUTCOME.idle
      ? 'the grace period ends'
      : pass.outcome === PASS_OUTCOME.next
        ? 'the grace period ends and the next one starts'
        : pass.delay === 0
          ? 'again at once'
          : `again after ${count(pass.delay, 'jiffy', 'jiffies')}`;
  return `${what}: ${found}, ${then}.`;
}

/** The row as a sentence. */
export function narrateRow(row: EventRow, info: RunInfo): string {
  const name = (track: number) => trackName(track, info);
  // kindName() throws for a kind that is none.
  return SENTENCES[KIND[kindName(row.kind)]]({ row, who: name(row.track), name, info });
}
