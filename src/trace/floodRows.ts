/**
 * What a flood of kfree_rcu() looks like from outside: grace periods, monitor runs, batches that wait, and what is freed,
 * from a trace of a kernel or from the log of a run. Both give the same rows (floodPattern.ts).
 */
import { KIND, RCU_FUNC, RCU_GP, WORK_FN } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import type { TraceEvent } from './parseTrace.ts';

/** One row. `worker`: name of the kworker; of attach "" where kvfree_rcu_barrier() attaches. */
export type FloodRow =
  | { readonly step: 'gp'; readonly word: 'start' | 'end' }
  /** kfree_rcu_monitor() or kfree_rcu_work() begins, either ends. */
  | { readonly step: 'monitor' | 'work' | 'end'; readonly worker: string }
  /** A batch is queued with call_rcu(), on the callback list of this CPU. */
  | { readonly step: 'attach'; readonly cpu: number; readonly worker: string }
  /** A batch's grace period has passed: its work is queued from this CPU. */
  | { readonly step: 'callback'; readonly cpu: number }
  /** A block is freed, or objects one by one. */
  | {
      readonly step: 'bulk' | 'head';
      readonly cpu: number;
      readonly worker: string;
      readonly objects: number;
    };

const RCU_WORK = 'rcu_work_rcufn';
const KTHREAD_STRINGS: Readonly<Record<string, 'start' | 'end'>> = { start: 'start', end: 'end' };
const KWORKER = /^kworker\//;
const FUNCTION = /function (\w+)$/;
const STEPS: Readonly<Record<string, 'monitor' | 'work'>> = {
  kfree_rcu_monitor: 'monitor',
  kfree_rcu_work: 'work',
};
/** The rcu_head is at the start of the objects that the measured module queues; the kernel's own have theirs elsewhere. */
const OFFSET = 0;

function workRow(name: string, text: string, worker: string): FloodRow[] {
  const step = STEPS[FUNCTION.exec(text.trimEnd())?.[1] ?? ''];
  if (step === undefined) return [];
  if (name === 'workqueue_execute_start') return [{ step, worker }];
  return name === 'workqueue_execute_end' ? [{ step: 'end', worker }] : [];
}

function traceRow(row: TraceEvent): FloodRow[] {
  const { cpu, comm } = row;
  switch (row.event) {
    case 'rcu_grace_period': {
      const word = KTHREAD_STRINGS[row.data.gpevent];
      return word === undefined ? [] : [{ step: 'gp', word }];
    }
    case 'rcu_callback':
      if (row.data.func !== RCU_WORK) return [];
      return [{ step: 'attach', cpu, worker: KWORKER.test(comm) ? comm : '' }];
    case 'rcu_invoke_callback':
      return row.data.func === RCU_WORK ? [{ step: 'callback', cpu }] : [];
    case 'rcu_invoke_kfree_bulk_callback':
      return [{ step: 'bulk', cpu, worker: comm, objects: row.data.nr_records }];
    case 'rcu_invoke_kvfree_callback':
      return row.data.offset === OFFSET ? [{ step: 'head', cpu, worker: comm, objects: 1 }] : [];
    case 'other':
      return workRow(row.data.name, row.data.text, comm);
    default:
      return [];
  }
}

/** The rows of a trace, in its order. */
export function traceFloodRows(events: readonly TraceEvent[]): FloodRow[] {
  return events.flatMap(traceRow);
}

/** Follows who runs on each CPU and which monitors run. */
class LogReader {
  readonly #info: RunInfo;
  /** By CPU the track that runs. */
  readonly #running = new Map<number, number>();
  /** By CPU of the krc the worker that runs its monitor. */
  readonly #monitors = new Map<number, string>();
  /** Who has just attached a batch whose rcu_callback follows. */
  #attaches: string | undefined;

  constructor(info: RunInfo) {
    this.#info = info;
  }

  row(event: EventRow): FloodRow | undefined {
    const { kind, track, a, b } = event;
    switch (kind) {
      case KIND.rcu_grace_period:
        if (a !== RCU_GP.start && a !== RCU_GP.end) return undefined;
        return { step: 'gp', word: a === RCU_GP.start ? 'start' : 'end' };
      case KIND.sched_switch:
        this.#running.set(track, a);
        return undefined;
      case KIND.workqueue_execute_start:
      case KIND.workqueue_execute_end:
        return this.#work(event);
      case KIND.kvfree_attach:
        this.#attaches = this.#monitors.get(track) ?? '';
        return undefined;
      case KIND.rcu_callback: {
        if (b !== RCU_FUNC.rcu_work_rcufn) return undefined;
        const worker = this.#attaches ?? '';
        this.#attaches = undefined;
        return { step: 'attach', cpu: track, worker };
      }
      case KIND.rcu_invoke_callback:
        return b === RCU_FUNC.rcu_work_rcufn ? { step: 'callback', cpu: track } : undefined;
      case KIND.rcu_invoke_kfree_bulk_callback:
        return { step: 'bulk', cpu: track, worker: this.#name(this.#running.get(track)), objects: a };
      case KIND.rcu_invoke_kvfree_callback:
        return { step: 'head', cpu: track, worker: this.#name(this.#running.get(track)), objects: a };
    }
    return undefined;
  }

  #name(track: number | undefined): string {
    return this.#info.tracks[track ?? -1]?.name ?? '';
  }

  #work({ kind, track, a: fn, b: krc }: EventRow): FloodRow | undefined {
    if (fn !== WORK_FN.kfree_rcu_monitor && fn !== WORK_FN.kfree_rcu_work) return undefined;
    const worker = this.#name(track);
    const isMonitor = fn === WORK_FN.kfree_rcu_monitor;
    if (kind === KIND.workqueue_execute_start) {
      if (isMonitor) this.#monitors.set(krc, worker);
      return { step: isMonitor ? 'monitor' : 'work', worker };
    }
    if (isMonitor) this.#monitors.delete(krc);
    return { step: 'end', worker };
  }
}

/** The rows of a run's log, in its order. */
export function logFloodRows(log: EventLog, info: RunInfo): FloodRow[] {
  const reader = new LogReader(info);
  const rows: FloodRow[] = [];
  log.forEach((event) => {
    const row = reader.row(event);
    if (row !== undefined) rows.push(row);
  });
  return rows;
}
