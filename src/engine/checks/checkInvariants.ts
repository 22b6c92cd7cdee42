/**
 * The invariant checker: judges the log of a run by the rules of docs/model/srcu.md 5.7 (I1 to I15), by those of
 * docs/model/tree-invariants.md (V1 to V17) where it has Tree RCU, of kvfree-invariants.md (W1 to W14) where it has
 * kvfree_rcu(), of tasks-invariants.md (T1 to T11) where it has RCU Tasks, and by what holds in any log (L1 to L7), in one
 * pass over the rows. A grace period cut by the end of the run is not judged.
 */
import { usesKvfree, usesRcu, usesTasks } from '../config.ts';
import type { EventLog } from '../core/eventLog.ts';
import type { RunInfo } from '../core/info.ts';
import { barrier, callbackOrder, returnAfterCallback } from './callbackCheckers.ts';
import { ANY_KIND, type Checker, type CheckerFactory, type Row, type Violation } from './checker.ts';
import { CheckContext } from './context.ts';
import { needed, scanBeforeStep, sequence, snapshot } from './gracePeriodCheckers.ts';
import { pageCache, sleepers } from './kvfree/cacheCheckers.ts';
import { batches, counters as channelCounters, conservation, drainsOldest } from './kvfree/countCheckers.ts';
import { monitorDelay, monitorPending } from './kvfree/monitorCheckers.ts';
import { printedFigures } from './kvfree/testCheckers.ts';
import { blocksFill, freedOnce, graceBeforeFree } from './kvfree/unitCheckers.ts';
import { barrierWaits, oneWorkAtATime } from './kvfree/workCheckers.ts';
import {
  callsReturn,
  causeOrder,
  oneTaskPerCpu,
  runEndIsLast,
  timeOrder,
  wokenWasBlocked,
} from './logCheckers.ts';
import {
  delayLength,
  noDelayCount,
  oneQueueingPerPass,
  oneWindow,
  sleepsOnlyIfItMust,
} from './passCheckers.ts';
import { counters, lateReaders, readersBeforeRequest } from './readerCheckers.ts';
import { laziness, notTooEarly, sleepsByRule } from './tasks/callbackCheckers.ts';
import { neverItself, shrinks, staysUntilQuiescent, waitsForAll } from './tasks/holdoutCheckers.ts';
import { innerGps, oneGpPerRound, sleepsBetween, states } from './tasks/periodCheckers.ts';
import { timers } from './timerCheckers.ts';
import { callbackSafety, invoker, noLostRequest, segments } from './tree/callbackCheckers.ts';
import { noTickNoWork, qsAfterLearning, readerSafety } from './tree/quiescentCheckers.ts';
import { gpSequence, masks, nodeNumbers, oneAtATime } from './tree/sequenceCheckers.ts';
import { expedited, polled, srNormal } from './tree/synchronizeCheckers.ts';
import { endsAtOnce, liveness, scansInTime } from './tree/waitCheckers.ts';

/** All invariants, in the order of their ids. */
const CHECKERS: readonly CheckerFactory[] = [
  ...[readersBeforeRequest, sequence, scanBeforeStep, counters, callbackOrder, snapshot, oneQueueingPerPass],
  ...[noDelayCount, sleepsOnlyIfItMust, timers, oneWindow, needed, returnAfterCallback, lateReaders, barrier],
  ...[timeOrder, causeOrder, oneTaskPerCpu, wokenWasBlocked, runEndIsLast, callsReturn, delayLength],
];
/** Those of Tree RCU, for logs that have it. */
const RCU_CHECKERS: readonly CheckerFactory[] = [
  ...[gpSequence, readerSafety, callbackSafety, qsAfterLearning, masks, nodeNumbers, oneAtATime],
  ...[segments, noLostRequest, liveness, srNormal, expedited, polled, noTickNoWork, endsAtOnce],
  ...[invoker, scansInTime],
];

/** Those of kvfree_rcu(). */
const KVFREE_CHECKERS: readonly CheckerFactory[] = [
  ...[freedOnce, graceBeforeFree, conservation, channelCounters, blocksFill, batches, monitorPending],
  ...[monitorDelay, pageCache, sleepers, drainsOldest, oneWorkAtATime, barrierWaits, printedFigures],
];

/** Those of RCU Tasks. */
const TASKS_CHECKERS: readonly CheckerFactory[] = [
  ...[waitsForAll, notTooEarly, shrinks, states, innerGps, sleepsByRule, sleepsBetween],
  ...[staysUntilQuiescent, neverItself, laziness, oneGpPerRound],
];

function createCheckers(context: CheckContext): Checker[] {
  const { actors } = context.info.config;
  return [
    ...CHECKERS,
    ...(usesRcu(actors) ? RCU_CHECKERS : []),
    ...(usesKvfree(actors) ? KVFREE_CHECKERS : []),
    ...(usesTasks(actors) ? TASKS_CHECKERS : []),
  ].map((create) => create(context));
}

/** Section `invariants` of a result (docs/configuration.md). */
export interface InvariantReport {
  /** Judgements made. */
  readonly checked: number;
  readonly violations: readonly Violation[];
}

const NO_ROW: Readonly<Row> = { index: -1, timeNs: 0, kind: 0, track: 0, cause: -1, a: 0, b: 0, c: 0, d: 0 };

/** Checkers by the kind of row they want to see. */
function byKind(checkers: readonly Checker[]): (kind: number) => readonly Checker[] {
  const table: (readonly Checker[])[] = [];
  return (kind) => {
    let wanted = table[kind];
    if (wanted === undefined) {
      wanted = checkers.filter(({ kinds }) => kinds === ANY_KIND || kinds.includes(kind));
      table[kind] = wanted;
    }
    return wanted;
  };
}

/**
 * Checks the log of a run that has ended. `info` is read after the run, as tracks may have been added. Never throws
 * on what a log says. At most MAX_LISTED violations of an invariant are listed, with the total behind them.
 */
export function checkInvariants(log: EventLog, info: RunInfo): InvariantReport {
  const context = new CheckContext(info);
  const checkers = createCheckers(context);
  const wanted = byKind(checkers);
  const row: Row = { ...NO_ROW };
  log.forEach((event, index) => {
    row.index = index;
    row.timeNs = event.timeNs;
    row.kind = event.kind;
    row.track = event.track;
    row.cause = event.cause;
    row.a = event.a;
    row.b = event.b;
    row.c = event.c;
    row.d = event.d;
    context.prepare(row);
    for (const checker of wanted(row.kind)) checker.onRow(row);
    context.apply(row);
  });
  for (const checker of checkers) checker.onEnd?.(row);
  return { checked: context.report.checked, violations: context.report.violations(row) };
}

/** Id, title and source of every invariant, for lists. */
export function listInvariants(
  info: RunInfo,
): { readonly id: string; readonly title: string; readonly rule: string }[] {
  const context = new CheckContext(info);
  return createCheckers(context).map(({ id, title, rule }) => ({ id, title, rule }));
}
