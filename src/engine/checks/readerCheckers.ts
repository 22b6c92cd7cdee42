/** I1, I4, I14: who is waited for, and who is not. */
import { KIND } from '../core/eventKinds.ts';
import { PASS_OUTCOME } from '../core/passCode.ts';
import type { Checker, CheckerFactory, Row } from './checker.ts';
import type { DomainState, Section } from './domainState.ts';
import { perDomain } from './perDomain.ts';

/** I1. */
export const readersBeforeRequest: CheckerFactory = (context): Checker => {
  const { report } = context;
  /** By target: the row of the last request for it. */
  const requests = perDomain(() => new Map<number, number>());
  return {
    id: 'I1',
    title: 'a reader that began before a request has left before the grace period of that request ends',
    rule: 'docs/model/srcu.md 5.7 I1',
    kinds: [KIND.srcu_request, KIND.srcu_gp_end],
    onRow(row) {
      const open = requests(row.track);
      if (row.kind === KIND.srcu_request) {
        open.set(row.a, row.index);
        return;
      }
      let request = -1;
      for (const [target, index] of open) {
        if (target > row.a) continue;
        request = Math.max(request, index);
        open.delete(target);
      }
      if (request < 0) return;
      const oldest: Section | undefined = context.domain(row.track).sections.values().next().value;
      report.judge(this.id, oldest === undefined || oldest.lockIndex > request, row, () => {
        const who = context.name(oldest?.track ?? -1);
        return `seq reaches ${row.a} while ${who} is in the section of row ${oldest?.lockIndex}, before row ${request}`;
      });
    },
  };
};

/** I4. */
export const counters: CheckerFactory = (context): Checker => {
  const { report } = context;
  return {
    id: 'I4',
    title: 'no index has fewer locks than unlocks; a reader counts and leaves on the index it fetched',
    rule: 'docs/model/srcu.md 5.7 I4, 5.1',
    kinds: [KIND.srcu_fetch, KIND.srcu_lock, KIND.srcu_unlock],
    onRow(row) {
      const domain = context.domain(row.a);
      const current = domain.srcuIdx % 2;
      const { track, b: idx } = row;
      if (row.kind === KIND.srcu_fetch) {
        report.judge(this.id, idx === current, row, () => `index ${idx} fetched, srcu_idx & 1 is ${current}`);
        return;
      }
      const section = domain.sections.get(track);
      if (row.kind === KIND.srcu_lock) {
        const fetched = domain.fetches.get(track)?.idx ?? current;
        report.judge(this.id, idx === fetched, row, () => `counted on index ${idx}, fetched ${fetched}`);
        const isFree = section === undefined;
        report.judge(this.id, isFree, row, () => `${context.name(track)} is in a section already`);
        return;
      }
      const active = domain.locks[idx as 0 | 1] - domain.unlocks[idx as 0 | 1];
      report.judge(this.id, active > 0, row, () => `index ${idx} has ${active} readers, and one leaves`);
      report.judge(this.id, section?.idx === idx, row, () => {
        return section === undefined
          ? `${context.name(track)} leaves a section it is not in`
          : `${context.name(track)} fetched index ${section.idx} and leaves on ${idx}`;
      });
    },
  };
};

/** What a failed check of the present scan may have seen: readers of the index scanned that are owed a wait. */
interface Scan {
  /** Their number now; when it last became 0, and last rose from 0. */
  owed: number;
  emptyFromNs: number;
  emptyToNs: number;
  /** A row of several passes, some of which may lie ahead. */
  burst: {
    readonly startNs: number;
    readonly lengthNs: number;
    readonly count: number;
    readonly offsets: number[];
  };
}

const NO_BURST = { startNs: 0, lengthNs: 0, count: 0, offsets: [] };

/** Does a check of the burst lie inside (fromNs, toNs)? */
function checksInside({ burst }: Scan, fromNs: number, toNs: number): boolean {
  return burst.offsets.some((offset) => {
    const first = burst.startNs + offset;
    const k = burst.lengthNs === 0 ? 0 : Math.max(0, Math.floor((fromNs - first) / burst.lengthNs) + 1);
    const atNs = first + k * burst.lengthNs;
    return k < burst.count && atNs > fromNs && atNs < toNs;
  });
}

function isOwed(domain: DomainState, section: Section): boolean {
  if (section.idx !== domain.scannedIdx) return false;
  return domain.state === 1 || section.fetchIndex < domain.flipIndex;
}

/** I14. */
export const lateReaders: CheckerFactory = (context): Checker => {
  const { report } = context;
  const scans = perDomain<Scan>(() => ({ owed: 0, emptyFromNs: 0, emptyToNs: 0, burst: NO_BURST }));
  const judgeBurst = (id: string, scan: Scan, toNs: number, row: Row) => {
    if (scan.burst.count === 0) return;
    report.judge(id, !checksInside(scan, scan.emptyFromNs, toNs), row, () => {
      return `checks failed after ${scan.emptyFromNs} ns, when the last reader they may wait for had left`;
    });
  };
  const beginScan = (id: string, row: Row) => {
    const scan = scans(row.track);
    if (scan.owed === 0) judgeBurst(id, scan, Number.POSITIVE_INFINITY, row);
    scan.burst = NO_BURST;
    // the row itself has not changed the domain yet
    const { state, scannedIdx, sections } = context.domain(row.track);
    const idx = row.kind === KIND.srcu_flip && state === 1 ? 1 - scannedIdx : scannedIdx;
    scan.owed = 0;
    for (const section of sections.values()) if (section.idx === idx) scan.owed++;
    scan.emptyFromNs = row.timeNs;
    scan.emptyToNs = row.timeNs;
  };
  const onReader = (id: string, row: Row) => {
    const scan = scans(row.a);
    const domain = context.domain(row.a);
    const { track, b: idx, index } = row;
    if (row.kind === KIND.srcu_lock) {
      const fetchIndex = domain.fetches.get(track)?.index ?? index;
      if (!isOwed(domain, { track, idx, lockIndex: index, fetchIndex })) return;
      if (scan.owed++ > 0) return;
      judgeBurst(id, scan, row.timeNs, row);
      scan.emptyToNs = row.timeNs;
      return;
    }
    const section = domain.sections.get(track);
    if (section === undefined || !isOwed(domain, section) || --scan.owed > 0) return;
    scan.emptyFromNs = row.timeNs;
    scan.emptyToNs = Number.POSITIVE_INFINITY;
  };
  const onPass = (id: string, row: Row) => {
    const { info, count, startNs, lengthNs, lastDecision } = context.pass;
    if (count === 0 || info.outcome !== PASS_OUTCOME.again || info.scanEnd === 0) return;
    const scan = scans(row.track);
    if (scan.owed === 0) judgeBurst(id, scan, Number.POSITIVE_INFINITY, row);
    scan.burst = NO_BURST;
    // its last check failed, and then it decided
    const [earliest, latest] = count === 1 ? lastDecision : context.pass.firstDecision;
    const toNs = scan.owed === 0 ? Number.POSITIVE_INFINITY : scan.emptyToNs;
    report.judge(id, !(earliest > scan.emptyFromNs && latest < toNs), row, () => {
      return `a check failed though no reader from before the flip was on the index since ${scan.emptyFromNs} ns`;
    });
    if (count > 1) scan.burst = { startNs, lengthNs, count, offsets: context.pass.checkOffsets() };
  };
  return {
    id: 'I14',
    title: 'a check fails only because of readers that the grace period is owed',
    rule: 'docs/model/srcu.md 5.7 I14, 5.3',
    kinds: [
      ...[KIND.srcu_gp_start, KIND.srcu_flip, KIND.srcu_gp_end],
      ...[KIND.srcu_lock, KIND.srcu_unlock, KIND.srcu_pass],
    ],
    onRow(row) {
      if (row.kind === KIND.srcu_pass) onPass(this.id, row);
      else if (row.kind === KIND.srcu_lock || row.kind === KIND.srcu_unlock) onReader(this.id, row);
      else beginScan(this.id, row);
    },
  };
};
