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

/** A section of a reader. */
export interface Section {
  readonly thread: number;
  /** CPU that it was entered on. */
  readonly cpu: number;
  /** When it was left; Infinity: not before the row that was looked up to. */
  leftNs: number;
}

/** The sections that were open at row `row`, and when they were left, looking up to row `toRow`. */
export function sectionsAt(log: EventLog, row: number, toRow: number): Section[] {
  const seen = new Set<number>();
  const open = new Map<number, Section>();
  for (let at = row; at >= Math.max(0, row - LOOK_BACK); at--) {
    const kind = log.kind(at);
    if (kind !== KIND.rcu_read_lock && kind !== KIND.rcu_read_unlock) continue;
    const { track: thread, a: cpu } = log.row(at);
    if (seen.has(thread)) continue;
    seen.add(thread);
    if (kind === KIND.rcu_read_lock) open.set(thread, { thread, cpu, leftNs: Number.POSITIVE_INFINITY });
  }
  let left = 0;
  for (let at = row + 1; at <= toRow && left < open.size; at++) {
    if (log.kind(at) !== KIND.rcu_read_unlock) continue;
    const { track, timeNs } = log.row(at);
    const section = open.get(track);
    if (section === undefined || section.leftNs !== Number.POSITIVE_INFINITY) continue;
    section.leftNs = timeNs;
    left++;
  }
  return [...open.values()];
}

/** The CPUs of a set that were not idle at some time from row `row` on, up to `toNs`. */
export function awakeIn(
  log: EventLog,
  row: number,
  toNs: number,
  cpus: ReadonlySet<number>,
): ReadonlySet<number> {
  const awake = new Set<number>();
  const known = new Set<number>();
  for (let at = row; at >= Math.max(0, row - LOOK_BACK) && known.size < cpus.size; at--) {
    if (log.kind(at) !== KIND.rcu_watching) continue;
    const { track, a } = log.row(at);
    if (!cpus.has(track) || known.has(track)) continue;
    known.add(track);
    if (a === 1) awake.add(track);
  }
  for (let at = row + 1; at < log.length && log.timeNs(at) <= toNs; at++) {
    if (log.kind(at) !== KIND.rcu_watching) continue;
    const { track, a } = log.row(at);
    if (a === 1 && cpus.has(track)) awake.add(track);
  }
  return awake;
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
