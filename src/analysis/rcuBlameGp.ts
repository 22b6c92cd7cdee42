/** Why a grace period of Tree RCU took so long: its last reporter, step by step (tree 2.7). */

import { KIND } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { Blame, Remedy } from './blameTypes.ts';
import { Cutter } from './cutter.ts';
import { count, duration, trackName } from './phrase.ts';
import { cutExpedited } from './rcuBlameExp.ts';
import { type RcuGpFacts, rcuGpFacts } from './rcuGpFacts.ts';
import {
  HARDLY_NS,
  scanRemedy,
  schedQsRemedy,
  sectionRemedy,
  servesSynchronize,
  withExpedited,
} from './rcuRemedies.ts';
import { openSection, readerOn, runningOn, sectionsAt } from './rcuSections.ts';
import { GP_FLAVOR, LAST_REPORT, type RunIndex } from './types.ts';

/** Explains a normal or expedited grace period of the GpTable. */
export function blameRcuGp(log: EventLog, index: RunIndex, gp: number): Blame {
  const { gps, endNs: runEndNs } = index;
  const startNs = gps.startNs[gp] as number;
  const finished = gps.endRow[gp] !== -1;
  const endNs = finished ? (gps.endNs[gp] as number) : runEndNs;
  const isExpedited = gps.flavor[gp] === GP_FLAVOR.exp;
  const verb = finished ? 'take' : 'not end within';
  const name = `${isExpedited ? 'expedited ' : ''}grace period ${gps.number[gp]} of RCU`;
  const cutter = new Cutter(startNs, endNs, -1, -1);
  if (isExpedited) cutExpedited(log, index, gp, cutter);
  else cutRcuGp(log, index, gp, cutter);
  const startRow = gps.startRow[gp] as number;
  const wait = {
    fromNs: startNs,
    fromRow: startRow,
    endNs,
    endRow: gps.endRow[gp] as number,
    gp,
    thread: -1,
  };
  const isAdvised = finished && !isExpedited && servesSynchronize(index, gp);
  const { segments } = cutter;
  return {
    ...{ of: 'gp', index: gp, startNs, endNs, finished },
    segments: isAdvised ? withExpedited(segments, log, index, wait) : segments,
    title: `Why did ${name} ${verb} ${duration(endNs - startNs)}?`,
  };
}

/** Cuts what is left of grace period `gp` from where the cutter is; segments that lie before that are left out. */
export function cutRcuGp(log: EventLog, index: RunIndex, gp: number, cutter: Cutter): void {
  const { info } = index;
  const facts = rcuGpFacts(log, index, gp);
  const { startRow, lastRow, finished, endNs } = facts;
  const nodes = treeNodes(info);
  cutter.to(
    facts.initEndNs,
    'gpInit',
    startRow,
    (ns) => `rcu_gp_init() went over ${nodes}: ${duration(ns)}.`,
  );
  switch (facts.how) {
    case LAST_REPORT.self:
      cutSelf(log, facts, info, cutter);
      break;
    case LAST_REPORT.reader:
      cutReader(log, facts, info, cutter);
      break;
    default:
      cutSectionBefore(log, facts, info, cutter);
      cutScans(log, facts, info, cutter);
  }
  if (!finished) {
    cutter.to(endNs, 'fqsWait', startRow, (ns) => `The run ends while it waits: ${duration(ns)}.`);
    return;
  }
  cutter.to(
    facts.cleanupNs,
    'gpWake',
    lastRow,
    (ns) => `Nothing was owed any more; the kthread was woken and came to its cleanup after ${duration(ns)}.`,
  );
  cutter.to(endNs, 'cleanup', lastRow, (ns) => `rcu_gp_cleanup() went over ${nodes}: ${duration(ns)}.`);
}

/** The same, with no advice but that which `keeps` lets through. */
export function cutRcuGpAdvised(
  log: EventLog,
  index: RunIndex,
  gp: number,
  cutter: Cutter,
  keeps: (remedy: Remedy) => boolean,
): void {
  const parts = new Cutter(cutter.atNs, cutter.endNs, cutter.caller.thread, cutter.caller.cpu);
  cutRcuGp(log, index, gp, parts);
  cutter.add(
    parts.segments.map(({ remedy, ...segment }) =>
      remedy === undefined || !keeps(remedy) ? segment : { ...segment, remedy },
    ),
  );
}

function treeNodes({ config }: RunInfo): string {
  return config.cpus === 1 ? 'its node' : `the rcu_node tree of ${config.cpus} CPUs`;
}

/** The last one was a CPU that reported itself: learn, note, report (R2.15). */
function cutSelf(log: EventLog, facts: RcuGpFacts, info: RunInfo, cutter: Cutter): void {
  const { cpu, learned, noted, lastNs, lastRow, lostTrylocks } = facts;
  const who = { thread: -1, cpu };
  if (learned !== undefined) {
    const lost = lostTrylocks === 0 ? '' : `; the lock of its leaf was taken ${count(lostTrylocks, 'time')}`;
    const text = (ns: number) =>
      `CPU ${cpu} learned of it only in rcu_core() behind its tick (cpustart): ${duration(ns)}${lost}.`;
    cutter.to(learned.ns, 'learn', learned.row, text, undefined, who);
  }
  if (noted !== undefined && noted.row < lastRow) {
    const from = learned?.row ?? facts.startRow;
    const reader = readerOn(log, from, cpu);
    const running = reader >= 0 ? reader : runningOn(log, from, cpu);
    const inside = reader >= 0 ? ' inside its section' : '';
    const what = running >= 0 ? `, where ${trackName(running, info)} ran${inside},` : '';
    const text = (ns: number) =>
      `CPU ${cpu}${what} passed its first quiescent state after that (cpuqs) only after ${duration(ns)}.`;
    cutter.to(noted.ns, 'note', noted.row, text, () => noteRemedy(log, facts, info), {
      thread: running,
      cpu,
    });
  }
  const text = (ns: number) =>
    ns < HARDLY_NS
      ? `CPU ${cpu}, the last one, reported it in its rcu_core() after ${duration(ns)}.`
      : `CPU ${cpu}, the last one, had noted its quiescent state and reported it only behind its next tick: ${duration(ns)}.`;
  cutter.to(lastNs, 'report', lastRow, text, undefined, who);
}

/** Scans that ask earlier; or, where a section was in the way that had begun before the grace period, a shorter one. */
function noteRemedy(log: EventLog, facts: RcuGpFacts, info: RunInfo): Remedy | undefined {
  const held = sectionsAt(log, facts.startRow, facts.lastRow);
  const holder = held.find(({ cpu, leftNs }) => cpu === facts.cpu && leftNs > (facts.learned?.ns ?? 0));
  return (
    schedQsRemedy(facts, held, info) ??
    (holder === undefined ? undefined : sectionRemedy(facts, holder.thread, info))
  );
}

/** The last one was a reader that had been preempted inside its section (R2.21). */
function cutReader(log: EventLog, facts: RcuGpFacts, info: RunInfo, cutter: Cutter): void {
  const { cpu, reader, preempted, preemptedBy, lastNs, lastRow } = facts;
  const section = openSection(log, preempted?.row ?? facts.startRow, reader);
  const name = trackName(reader, info);
  const who = { thread: reader, cpu };
  const sinceNs = section < 0 ? facts.startNs : log.timeNs(section);
  const began =
    sinceNs <= facts.startNs
      ? `in a section that began ${duration(facts.startNs - sinceNs)} before the grace period`
      : `in a section that began ${duration(sinceNs - facts.startNs)} after the start, while CPU ${cpu} still owed`;
  if (sinceNs > facts.startNs) {
    const text = (ns: number) =>
      `CPU ${cpu} had not reported: ${duration(ns)} until ${name} entered its section there.`;
    cutter.to(sinceNs, 'learn', section, text, undefined, { thread: -1, cpu });
  }
  if (preempted !== undefined) {
    const text = (ns: number) => `${name} ran on CPU ${cpu} ${began}: ${duration(ns)}.`;
    cutter.to(preempted.ns, 'note', preempted.row, text, undefined, who);
  }
  const by = preemptedBy >= 0 ? ` by ${trackName(preemptedBy, info)}` : '';
  const text = (ns: number) =>
    `${name} had been preempted${by} on CPU ${cpu} ${began}, and left it (rcu_read_unlock()) after ${duration(ns)}.`;
  const remedy = () => (sinceNs > facts.startNs ? undefined : sectionRemedy(facts, reader, info));
  cutter.to(lastNs, 'blockedReader', preempted?.row ?? lastRow, text, remedy, who);
}

/** The CPU that a scan found last was inside a section when it began: until its end no scan could have found it. */
function cutSectionBefore(log: EventLog, facts: RcuGpFacts, info: RunInfo, cutter: Cutter): void {
  const { startRow, startNs, cpu, lastRow } = facts;
  const reader = cpu < 0 ? -1 : readerOn(log, startRow, cpu);
  const section = reader < 0 ? -1 : openSection(log, startRow, reader);
  if (section < 0) return;
  const isEnd = (row: number) => log.kind(row) === KIND.rcu_read_unlock && log.row(row).track === reader;
  let row = startRow;
  while (row < lastRow && !isEnd(row)) row++;
  if (row >= lastRow) return;
  const began = duration(startNs - log.timeNs(section));
  const text = (ns: number) =>
    `${trackName(reader, info)} ran on CPU ${cpu} in a section that began ${began} before the grace period: ${duration(ns)}.`;
  cutter.to(log.timeNs(row), 'note', row, text, () => sectionRemedy(facts, reader, info), {
    thread: reader,
    cpu,
  });
}

/** The last one was found by a scan: waits and scans, one after the other (R2.8 to R2.12). */
function cutScans(log: EventLog, facts: RcuGpFacts, info: RunInfo, cutter: Cutter): void {
  const { waits, cpu, lastRow, lastNs } = facts;
  const who = { thread: -1, cpu };
  waits.forEach(({ start, dueNs, lateTicks, scan, scanEndNs, delay }, i) => {
    const name = i === 0 ? 'jiffies_till_first_fqs' : 'jiffies_till_next_fqs';
    const wait = count(delay, 'jiffy', 'jiffies');
    const idle = cpu < 0 ? '' : ` Idle CPUs (the last one found was CPU ${cpu}) are reported by a scan only.`;
    const isRest = cutter.atNs > start.ns;
    const text = (ns: number) =>
      isRest
        ? `Then only scan ${i + 1} was waited for, ${duration(ns)}.${idle}`
        : `The kthread waited ${wait} (${name}) and the tick that was under way, ${duration(ns)}, for scan ${i + 1}.${idle}`;
    const remedy = () => scanRemedy(log, facts, info, i);
    const scanNs = scan?.ns ?? Number.NaN;
    cutter.to(
      Math.min(dueNs, Number.isNaN(scanNs) ? dueNs : scanNs),
      'fqsWait',
      start.row,
      text,
      remedy,
      who,
    );
    if (scan === undefined) return;
    if (lateTicks > 0) {
      const late = (ns: number) =>
        `Its timer was due, but CPU ${facts.kthreadCpu} looked before the timekeeper had advanced jiffies: ${count(lateTicks, 'tick')} late, ${duration(ns)}.`;
      cutter.to(scanNs, 'timerLate', scan.row, late);
    }
    cutter.to(
      scanNs,
      'gpWake',
      scan.row,
      (ns) => `The timer had fired; the kthread ran after ${duration(ns)}.`,
    );
    const toNs = scan.row < lastRow && lastNs <= scanEndNs ? lastNs : scanEndNs;
    cutter.to(
      toNs,
      'fqsScan',
      scan.row,
      (ns) => `Scan ${i + 1} looked at the CPUs that owed: ${duration(ns)}.`,
      undefined,
      who,
    );
  });
}
