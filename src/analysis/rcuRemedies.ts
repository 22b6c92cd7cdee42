/** What would have made a grace period of Tree RCU, or a wait for it, shorter: computed from its rows. */
import { APIS } from '../engine/config.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import type { BlameKind, BlameSegment, Remedy } from './blameTypes.ts';
import { count, duration, trackName } from './phrase.ts';
import type { RcuGpFacts, ReportFact } from './rcuGpFacts.ts';
import { awakeIn, type Section, sectionsAt } from './rcuSections.ts';
import { LAST_REPORT, type RunIndex } from './types.ts';

/** Shorter than a tick could be, and not worth advice. */
export const HARDLY_NS = 100_000;

/** Longer than a scan or a tick handler keeps an idle CPU awake. */
const TICK_WORK_NS = 50_000;

/** A tick, ns. */
function jiffyOf({ config }: RunInfo): number {
  return Math.round(1e9 / config.hz);
}

/** When the last of some sections was left; `fromNs` if there are none. */
export function leftNs(sections: readonly Section[], fromNs: number): number {
  return sections.reduce((latest, section) => Math.max(latest, section.leftNs), fromNs);
}

/** The last of some reports; -Infinity: there was none. */
function lastOf(reports: readonly ReportFact[]): number {
  return reports.at(-1)?.ns ?? Number.NEGATIVE_INFINITY;
}

/** When everybody else was done: CPUs but the last one, which a reader on it may have kept from its report, too. */
function othersNs({ reports, cpu }: RcuGpFacts): number {
  return lastOf(reports.filter((report) => report.isScan || report.cpu !== cpu));
}

/** The last CPU that reported itself: an earlier scan would have found that one missing. */
function lastSelfNs({ reports }: RcuGpFacts): number {
  return lastOf(reports.filter(({ isScan }) => !isScan));
}

/** A reader that was gone before the grace period began: it would have ended with the report of the others. */
export function sectionRemedy(facts: RcuGpFacts, reader: number, info: RunInfo): Remedy | undefined {
  const savesNs = facts.lastNs - Math.max(othersNs(facts), facts.initEndNs);
  if (!(savesNs > HARDLY_NS)) return undefined;
  const text = `Sections that end before a grace period begins hold nobody up: a shorter one of ${trackName(reader, info)} means up to ${duration(savesNs)} less.`;
  return { text, savesNs };
}

const SCHED_QS = 'rcutree.jiffies_till_sched_qs';

/**
 * From jiffies_to_sched_qs on scans ask CPUs to hurry (R2.12): what it saves if the first scan after a jiffy does. No
 * scan can hurry a section that was there before the grace period.
 */
export function schedQsRemedy(
  facts: RcuGpFacts,
  held: readonly Section[],
  info: RunInfo,
): Remedy | undefined {
  const { schedQs } = treeConstants(info.config, info.rules);
  const askedBy = (jiffies: number) =>
    facts.waits.find(({ scan }) => scan !== undefined && scan.ns >= facts.startNs + jiffies * jiffyOf(info))
      ?.scan?.ns ?? Number.NaN;
  const askedNs = askedBy(schedQs);
  // those that needed no asking
  const others = lastOf(facts.reports.filter(({ ns }) => ns < askedNs));
  const toNs = Math.max(facts.lastNs - askedNs + askedBy(1), leftNs(held, facts.startNs), others);
  const savesNs = facts.lastNs - toNs;
  if (!(savesNs > jiffyOf(info))) return undefined;
  const text = `Scans ask a CPU to hurry from ${count(schedQs, 'jiffy', 'jiffies')} on; with ${SCHED_QS}=1 the first one does: about ${duration(savesNs)} less.`;
  return { text, savesNs, param: { name: SCHED_QS, value: 1 } };
}

/** What the rule tree.earlyReport, or fewer jiffies before scan `wait` + 1, would have saved. */
export function scanRemedy(
  log: EventLog,
  facts: RcuGpFacts,
  info: RunInfo,
  wait: number,
): Remedy | undefined {
  const { lastNs, waits, kthreadCpu, cpu, lastRow } = facts;
  if (Number.isNaN(lastNs)) return undefined;
  const [first] = waits;
  const isOwn = wait > 0 && cpu === kthreadCpu && info.rules['tree.earlyReport'] !== 'next';
  if (isOwn && first?.scan !== undefined) {
    const savesNs = Math.max(0, lastNs - Math.max(first.scan.ns, lastSelfNs(facts)));
    const text = `The last CPU was the kthread's own. With the rule tree.earlyReport it reports in rcu_gp_init() and the first scan is enough: about ${duration(savesNs)} less.`;
    return savesNs > HARDLY_NS ? { text, savesNs } : undefined;
  }
  // where a scan did not find everybody, one more tick for the CPUs that it missed may be what counted
  const scans = waits.filter(({ scan }) => scan !== undefined && scan.row < lastRow).length;
  if (wait !== scans - 1 || wait > 1) return undefined;
  return earlierScan(log, facts, info, wait);
}

/** The last scan as early as its parameter lets it come, if all CPUs that it found were idle by then. */
function earlierScan(log: EventLog, facts: RcuGpFacts, info: RunInfo, wait: number): Remedy | undefined {
  const { lastNs, foundCpus, waits } = facts;
  const { firstFqs, nextFqs } = treeConstants(info.config, info.rules);
  const jiffies = wait === 0 ? firstFqs : nextFqs;
  const least = wait === 0 ? 0 : 1;
  const dueNs = waits[wait]?.dueNs ?? Number.NaN;
  if (jiffies <= least || Number.isNaN(dueNs)) return undefined;
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  const atNs = ticks.timeNs(ticks.numberAt(dueNs) - (jiffies - least));
  const savesNs = lastNs - Math.max(lastNs - (dueNs - atNs), lastSelfNs(facts), facts.initEndNs);
  if (savesNs < jiffyOf(info) / 10) return undefined;
  if (awakeIn(log, log.lowerBound(atNs) - 1, atNs + TICK_WORK_NS, foundCpus).size > 0) return undefined;
  const name = `rcutree.jiffies_till_${wait === 0 ? 'first' : 'next'}_fqs`;
  const text = `${name}=${least} makes scan ${wait + 1} come ${count(jiffies - least, 'jiffy', 'jiffies')} earlier: about ${duration(savesNs)} less.`;
  return { text, savesNs, param: { name, value: least } };
}

/** A wait for a normal grace period, of somebody who could have made it an expedited one. */
export interface NormalWait {
  readonly fromNs: number;
  readonly fromRow: number;
  /** NaN: it has not ended. */
  readonly endNs: number;
  readonly endRow: number;
  /** The grace period, index in the GpTable. */
  readonly gp: number;
  /** Who waits, -1: nobody in particular. */
  readonly thread: number;
}

/** Has the CPU of a thread other threads, too? Then it, and the worker of an expedited grace period, may wait for it. */
function sharesCpu({ tracks }: RunInfo, thread: number): boolean {
  return tracks.some(
    ({ id, kind, cpu }) => kind === 'thread' && id !== thread && cpu === tracks[thread]?.cpu,
  );
}

/** What waits for ticks and scans, and for grace periods before this one: an expedited one does not. */
const AVOIDED: ReadonlySet<BlameKind> = new Set(['learn', 'note', 'report', 'residual']);

/**
 * The same segments, of which one (the longest of those that it avoids and that have no other remedy) says what
 * synchronize_rcu_expedited() would have saved: all but the sections that were there when it was called (§5, R5.4).
 */
export function withExpedited(
  segments: readonly BlameSegment[],
  log: EventLog,
  index: RunIndex,
  wait: NormalWait,
): readonly BlameSegment[] {
  const { info } = index;
  const free = segments.filter(({ kind, remedy }) => AVOIDED.has(kind) && remedy === undefined);
  const longest = free.toSorted((x, y) => y.endNs - y.startNs - x.endNs + x.startNs)[0];
  if (longest === undefined || isStuckInKernel(segments, index, wait.gp)) return segments;
  const { expedited, normal } = treeConstants(info.config, info.rules);
  if (expedited || normal) return segments;
  const held = sectionsAt(log, wait.fromRow, wait.endRow);
  const savesNs = wait.endNs - leftNs(held, wait.fromNs);
  if (!(savesNs > jiffyOf(info) / 10)) return segments;
  const last = held.toSorted((x, y) => y.leftNs - x.leftNs)[0];
  const but = last === undefined ? '' : `, only for ${trackName(last.thread, info)} to leave its section`;
  const how = sharesCpu(info, wait.thread) ? 'up to' : 'about';
  const text = `synchronize_rcu_expedited() interrupts CPUs and waits for no tick and no scan${but}: ${how} ${duration(savesNs)} less.`;
  return segments.map((segment) =>
    segment === longest ? { ...segment, remedy: { text, savesNs } } : segment,
  );
}

/** Without preemption a CPU in the kernel reports no sooner because of an interrupt: nobody knows when it would have. */
function isStuckInKernel(segments: readonly BlameSegment[], { gps, info }: RunIndex, gp: number): boolean {
  if (treeConstants(info.config, info.rules).isPreemptible) return false;
  return gps.lastHow[gp] === LAST_REPORT.self && segments.some(({ kind }) => kind === 'note');
}

/** Is a call a synchronize_rcu() whose caller could as well have made it an expedited one? */
export function couldExpedite({ calls, info }: RunIndex, call: number): boolean {
  const actor = info.tracks[calls.thread[call] as number]?.actor ?? -1;
  return (
    APIS[calls.api[call] as number] === 'synchronize_rcu' && info.config.actors[actor]?.kind === 'updater'
  );
}

/** Does such a call wait for this grace period? */
export function servesSynchronize(index: RunIndex, gp: number): boolean {
  return index.calls.gp.some((of, call) => of === gp && couldExpedite(index, call));
}
