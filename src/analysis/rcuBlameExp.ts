/** Why an expedited grace period took so long (tree R5.7). */
import { KIND, RCU_EXP } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { Cutter } from './cutter.ts';
import { count, duration, trackName } from './phrase.ts';
import { readerOn } from './rcuSections.ts';
import { LAST_REPORT, type RunIndex } from './types.ts';

/** What the rows of one expedited grace period say. */
interface ExpFacts {
  /** "reset": the worker has begun. */
  resetNs: number;
  resetRow: number;
  ipis: number;
  /** Of the last CPU: IPI sent, handled, with what result (rcu_exp_handler a, -1 none). */
  sentNs: number;
  handledNs: number;
  handledRow: number;
  result: number;
}

/** Cuts expedited grace period `gp` from where the cutter is. */
export function cutExpedited(log: EventLog, index: RunIndex, gp: number, cutter: Cutter): void {
  const { gps, info, endNs: runEndNs } = index;
  const startRow = gps.startRow[gp] as number;
  const finished = gps.endRow[gp] !== -1;
  const endNs = finished ? (gps.endNs[gp] as number) : runEndNs;
  const selectedNs = gps.initEndNs[gp] as number;
  const lastNs = gps.lastReportNs[gp] as number;
  const lastRow = gps.lastReportRow[gp] as number;
  const cpu = gps.lastCpu[gp] as number;
  const facts = expFacts(log, startRow, finished ? (gps.endRow[gp] as number) : log.length - 1, cpu);
  const { ipis } = facts;
  cutter.to(
    facts.resetNs,
    'expWorker',
    facts.resetRow,
    (ns) => `The worker that makes it was woken and began (reset) after ${duration(ns)}.`,
  );
  cutter.to(
    selectedNs,
    'expSelect',
    facts.resetRow,
    (ns) =>
      `It chose the CPUs to wait for and sent ${count(ipis, 'IPI')}${ipis > 1 ? ', one after the other' : ''}: ${duration(ns)}.`,
  );
  if (lastRow >= 0 && gps.lastHow[gp] === LAST_REPORT.reader) {
    const thread = gps.lastReader[gp] as number;
    cutter.to(
      lastNs,
      'expReader',
      lastRow,
      (ns) => `${trackName(thread, info)}, preempted inside its section, left it after ${duration(ns)}.`,
      undefined,
      { thread, cpu },
    );
  } else if (lastRow >= 0) cutCpu(log, index, facts, { cpu, lastNs, lastRow }, cutter);
  if (!finished) {
    cutter.to(endNs, 'expCpu', startRow, (ns) => `The run ends while it waits: ${duration(ns)}.`);
    return;
  }
  cutter.to(
    endNs,
    'gpWake',
    gps.endRow[gp] as number,
    (ns) => `Nobody owed any more; its worker ended it after ${duration(ns)}.`,
  );
}

/** The slowest CPU: the IPI's way, its handler, and what the handler found. */
function cutCpu(
  log: EventLog,
  { info }: RunIndex,
  facts: ExpFacts,
  last: { readonly cpu: number; readonly lastNs: number; readonly lastRow: number },
  cutter: Cutter,
): void {
  const { cpu, lastNs, lastRow } = last;
  const who = { thread: -1, cpu };
  cutter.to(
    Math.min(facts.handledNs, lastNs),
    'expCpu',
    facts.handledRow,
    (ns) => `CPU ${cpu}, the last one, had the IPI in its handler after another ${duration(ns)}.`,
    undefined,
    who,
  );
  const reader = facts.result === 2 ? readerOn(log, facts.handledRow, cpu) : -1;
  if (facts.result === 2) {
    const name = reader < 0 ? 'A reader' : trackName(reader, info);
    const text = (ns: number) =>
      `${name} was inside its section on CPU ${cpu} as the IPI came: ${duration(ns)} until it reported.`;
    cutter.to(lastNs, 'expReader', lastRow, text, undefined, { thread: reader, cpu });
    return;
  }
  const resched = facts.result === 1 ? ' at its next context switch' : '';
  cutter.to(
    lastNs,
    'expCpu',
    lastRow,
    (ns) => `CPU ${cpu}, the last one, reported${resched} after ${duration(ns)}.`,
    undefined,
    who,
  );
}

function expFacts(log: EventLog, from: number, to: number, cpu: number): ExpFacts {
  const none = Number.NEGATIVE_INFINITY;
  const facts = {
    resetNs: none,
    resetRow: from,
    ipis: 0,
    sentNs: none,
    handledNs: none,
    handledRow: from,
    result: -1,
  };
  log.forEach(
    (event, row) => {
      if (event.kind === KIND.rcu_exp_grace_period && event.a === RCU_EXP.reset && facts.resetNs === none) {
        facts.resetNs = event.timeNs;
        facts.resetRow = row;
      } else if (event.kind === KIND.rcu_exp_ipi) {
        facts.ipis++;
        if (event.a === cpu) facts.sentNs = event.timeNs;
      } else if (event.kind === KIND.rcu_exp_handler && event.track === cpu) {
        facts.handledNs = event.timeNs;
        facts.handledRow = row;
        facts.result = event.a;
      }
    },
    from,
    to + 1,
  );
  return facts;
}
