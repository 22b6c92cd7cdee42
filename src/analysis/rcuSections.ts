/** Who ran and who was inside a section, at a time in the past. */
import { KIND } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';

/** Rows before a place that are searched for what was the case there. */
const LOOK_BACK = 2 ** 17;

/** The section of a thread that was open at row `row`: its rcu_read_lock row; -1: none found. */
export function openSection(log: EventLog, row: number, thread: number): number {
  for (let at = row; at >= Math.max(0, row - LOOK_BACK); at--) {
    const kind = log.kind(at);
    if (kind !== KIND.rcu_read_lock && kind !== KIND.rcu_read_unlock) continue;
    if (log.row(at).track !== thread) continue;
    return kind === KIND.rcu_read_lock ? at : -1;
  }
  return -1;
}

/** A thread that was inside its section on a CPU at row `row`, -1: none. */
export function readerOn(log: EventLog, row: number, cpu: number): number {
  const left = new Set<number>();
  for (let at = row; at >= Math.max(0, row - LOOK_BACK); at--) {
    const kind = log.kind(at);
    if (kind !== KIND.rcu_read_lock && kind !== KIND.rcu_read_unlock) continue;
    const { track, a } = log.row(at);
    if (a !== cpu || left.has(track)) continue;
    if (kind === KIND.rcu_read_lock) return track;
    left.add(track);
  }
  return -1;
}

/** The track that a CPU ran at row `row` where the log says so, -1: idle or not known. */
export function runningOn(log: EventLog, row: number, cpu: number): number {
  for (let at = row; at >= Math.max(0, row - LOOK_BACK); at--) {
    if (log.kind(at) !== KIND.sched_switch) continue;
    const { track, a } = log.row(at);
    if (track === cpu) return a;
  }
  return -1;
}
