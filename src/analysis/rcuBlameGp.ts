/** Why a grace period of Tree RCU took so long: its last reporter, step by step (tree 2.7). */

import { KIND } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import type { Blame, Remedy } from './blameTypes.ts';
import { Cutter } from './cutter.ts';
import { count, duration, trackName } from './phrase.ts';
import { cutExpedited } from './rcuBlameExp.ts';
import { type RcuGpFacts, rcuGpFacts } from './rcuGpFacts.ts';
import { openSection, readerOn, runningOn } from './rcuSections.ts';
import { GP_FLAVOR, LAST_REPORT, type RunIndex } from './types.ts';

/** Shorter than a tick could be, and not worth advice. */
const HARDLY_NS = 100_000;

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
  return {
    ...{ of: 'gp', index: gp, startNs, endNs, finished, segments: cutter.segments },
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
      cutScans(facts, info, cutter);
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

function treeNodes({ config }: RunInfo): string {
  return config.cpus === 1 ? 'its node' : `the rcu_node tree of ${config.cpus} CPUs`;
}

/** The last one was a CPU that reported itself: learn, note, report (R2.15). */
function cutSelf(log: EventLog, facts: RcuGpFacts, info: RunInfo, cutter: Cutter): void {
  const { cpu, learned, noted, lastNs, lastRow, lostTrylocks } = facts;
  const who = { thread: -1, cpu };
  const byIpi = (ns: number) => expeditedRemedy(ns, cpu);
  if (learned !== undefined) {
    const lost = lostTrylocks === 0 ? '' : `; the lock of its leaf was taken ${count(lostTrylocks, 'time')}`;
    const text = (ns: number) =>
      `CPU ${cpu} learned of it only in rcu_core() behind its tick (cpustart): ${duration(ns)}${lost}.`;
    cutter.to(learned.ns, 'learn', learned.row, text, byIpi, who);
  }
  if (noted !== undefined && noted.row < lastRow) {
    const from = learned?.row ?? facts.startRow;
    const reader = readerOn(log, from, cpu);
    const running = reader >= 0 ? reader : runningOn(log, from, cpu);
    const inside = reader >= 0 ? ' inside its section' : '';
    const what = running >= 0 ? `, where ${trackName(running, info)} ran${inside},` : '';
    const text = (ns: number) =>
      `CPU ${cpu}${what} passed its first quiescent state after that (cpuqs) only after ${duration(ns)}.`;
    cutter.to(
      noted.ns,
      'note',
      noted.row,
      text,
      (ns) => schedQsRemedy(facts, info, ns) ?? (reader >= 0 ? sectionRemedy(ns) : byIpi(ns)),
      {
        thread: running,
        cpu,
      },
    );
  }
  const text = (ns: number) =>
    ns < HARDLY_NS
      ? `CPU ${cpu}, the last one, reported it in its rcu_core() after ${duration(ns)}.`
      : `CPU ${cpu}, the last one, had noted its quiescent state and reported it only behind its next tick: ${duration(ns)}.`;
  cutter.to(lastNs, 'report', lastRow, text, byIpi, who);
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
    cutter.to(sinceNs, 'learn', section, text, (ns) => expeditedRemedy(ns, cpu), { thread: -1, cpu });
  }
  if (preempted !== undefined) {
    const text = (ns: number) => `${name} ran on CPU ${cpu} ${began}: ${duration(ns)}.`;
    cutter.to(preempted.ns, 'note', preempted.row, text, undefined, who);
  }
  const by = preemptedBy >= 0 ? ` by ${trackName(preemptedBy, info)}` : '';
  const text = (ns: number) =>
    `${name} had been preempted${by} on CPU ${cpu} ${began}, and left it (rcu_read_unlock()) after ${duration(ns)}.`;
  const off = (ns: number) => ({
    text: `A reader that is not preempted inside its section holds nobody up from its queue: up to ${duration(ns)} less.`,
    savesNs: ns,
  });
  cutter.to(lastNs, 'blockedReader', preempted?.row ?? lastRow, text, off, who);
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
  cutter.to(log.timeNs(row), 'note', row, text, undefined, { thread: reader, cpu });
}

/** The last one was found by a scan: waits and scans, one after the other (R2.8 to R2.12). */
function cutScans(facts: RcuGpFacts, info: RunInfo, cutter: Cutter): void {
  const { waits, cpu, lastRow, lastNs } = facts;
  const { firstFqs, nextFqs } = treeConstants(info.config, info.rules);
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
    const ofRule = i === 0 ? firstFqs : nextFqs;
    const remedy = () => scanRemedy(facts, info, i, ofRule);
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

/** An interrupt instead of a tick (§5). */
function expeditedRemedy(ns: number, cpu: number): Remedy | undefined {
  if (ns < HARDLY_NS) return undefined;
  const text = `synchronize_rcu_expedited() interrupts CPU ${cpu} instead of waiting for its tick: about ${duration(ns)} less.`;
  return { text, savesNs: ns };
}

/** rcu_exp_handler() inside a section: its end reports (R5.4). */
function sectionRemedy(ns: number): Remedy {
  const text = `With synchronize_rcu_expedited() the end of the section reports, without a tick: up to ${duration(ns)} less.`;
  return { text, savesNs: ns };
}

/** From jiffies_to_sched_qs on scans ask CPUs to hurry (R2.12). */
function schedQsRemedy(facts: RcuGpFacts, { config, rules }: RunInfo, ns: number): Remedy | undefined {
  const { schedQs } = treeConstants(config, rules);
  const jiffyNs = 1e9 / config.hz;
  if (facts.endNs - facts.startNs <= schedQs * jiffyNs) return undefined;
  const text = `Scans ask a CPU to hurry from ${count(schedQs, 'jiffy', 'jiffies')} on; a smaller rcutree.jiffies_till_sched_qs asks earlier: up to ${duration(ns)} less.`;
  return { text, savesNs: ns };
}

/** What an earlier scan, or one scan fewer, would have saved: never more than the CPUs that report themselves allow. */
function scanRemedy(facts: RcuGpFacts, info: RunInfo, wait: number, jiffies: number): Remedy | undefined {
  const { lastNs, lastSelfNs, waits, kthreadCpu, cpu } = facts;
  if (Number.isNaN(lastNs)) return undefined;
  const [first] = waits;
  const isOwn = wait > 0 && cpu === kthreadCpu && info.rules['tree.earlyReport'] !== 'next';
  if (isOwn && first?.scan !== undefined) {
    const savesNs = Math.max(0, lastNs - Math.max(first.scan.ns, lastSelfNs));
    const text = `The last CPU was the kthread's own. With the rule tree.earlyReport it reports in rcu_gp_init() and the first scan is enough: ${duration(savesNs)} less.`;
    return savesNs > HARDLY_NS ? { text, savesNs } : undefined;
  }
  const least = wait === 0 ? 0 : 1;
  if (jiffies <= least) return undefined;
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  const jiffyNs = ticks.timeNs(1) - ticks.timeNs(0);
  const earlierNs = lastNs - (jiffies - least) * jiffyNs;
  const savesNs = lastNs - Math.max(earlierNs, lastSelfNs, facts.initEndNs);
  if (savesNs < jiffyNs / 10) return undefined;
  const name = `rcutree.jiffies_till_${wait === 0 ? 'first' : 'next'}_fqs`;
  const text = `${name}=${least} makes scan ${wait + 1} come ${count(jiffies - least, 'jiffy', 'jiffies')} earlier: ${duration(savesNs)} less.`;
  return { text, savesNs, param: { name, value: least } };
}
