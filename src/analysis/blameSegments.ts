/** Cuts a grace period into stretches of one reason each. */
import type { RunInfo } from '../engine/core/info.ts';
import type { BlameKind, BlameSegment, Remedy } from './blameTypes.ts';
import type { Holder, PassFact, PeriodFacts, ScanFact, SleepFact, SwitchFact } from './periodFacts.ts';
import { count, duration, trackName } from './phrase.ts';
import { expedited, morePolls, passBefore, sleepReason, withoutPreemption } from './remedy.ts';

/** A stretch before it gets its sentence. */
interface Stretch {
  readonly kind: BlameKind;
  readonly startNs: number;
  endNs: number;
  readonly scan: ScanFact;
  readonly pass: PassFact | undefined;
  readonly sleep: SleepFact | undefined;
  readonly thread: number;
  readonly cpu: number;
  readonly row: number;
}

/**
 * The part [fromNs, toNs) of a grace period in segments without gaps. `cbDelayNs`: what its callback waited for a timer,
 * where that counts.
 */
export function gpSegments(
  facts: PeriodFacts,
  fromNs: number,
  toNs: number,
  info: RunInfo,
  cbDelayNs = 0,
): BlameSegment[] {
  const cuts = new Set([fromNs, toNs]);
  const cut = (ns: number) => {
    if (ns > fromNs && ns < toNs) cuts.add(ns);
  };
  for (const span of [...facts.passes, ...facts.sleeps, ...facts.scans]) {
    cut(span.startNs);
    cut(span.endNs);
  }
  for (const { timeNs } of facts.switches) cut(timeNs);
  for (const scan of facts.scans) if (scan.holder !== undefined) cut(scan.holder.leaveNs);
  const times = [...cuts].sort((x, y) => x - y);
  const stretches: Stretch[] = [];
  for (let i = 0; i + 1 < times.length; i++) {
    const startNs = times[i] as number;
    const next = stretchAt(facts, startNs, times[i + 1] as number);
    const last = stretches.at(-1);
    if (last !== undefined && isSame(last, next)) last.endNs = next.endNs;
    else stretches.push(next);
  }
  return stretches.map((stretch) => segmentOf(stretch, facts, info, cbDelayNs));
}

function isSame(a: Stretch, b: Stretch): boolean {
  return a.kind === b.kind && a.scan === b.scan && a.sleep === b.sleep && a.thread === b.thread;
}

/** What [startNs, endNs) is, which no event divides. */
function stretchAt(facts: PeriodFacts, startNs: number, endNs: number): Stretch {
  const isIn = (span: { startNs: number; endNs: number }) => span.startNs <= startNs && startNs < span.endNs;
  const scan = facts.scans.find(isIn) ?? (facts.scans.at(-1) as ScanFact);
  const sleep = facts.sleeps.find(isIn);
  const pass = facts.passes.find(isIn);
  const holder = scan.holder !== undefined && startNs < scan.holder.leaveNs ? scan.holder : undefined;
  const base = { startNs, endNs, scan, pass, sleep };
  const nobody = { thread: -1, cpu: pass?.info.cpu ?? -1, row: pass?.row ?? sleep?.row ?? -1 };
  if (sleep !== undefined) {
    if (sleep.isFirst) return { ...base, ...nobody, kind: 'firstDelay' };
    if (holder !== undefined) return { ...base, ...blamed(holder), kind: 'sleepHeld' };
    const left = scan.holder;
    return { ...base, ...(left === undefined ? nobody : blamed(left)), kind: 'sleepWaste', row: sleep.row };
  }
  const off = intruder(facts, pass ?? facts.passes.find((next) => next.startNs >= endNs), startNs);
  if (off !== undefined) return { ...base, kind: 'offCpu', thread: off.track, cpu: off.cpu, row: off.row };
  if (pass === undefined) return { ...base, ...nobody, kind: 'wake' };
  if (holder === undefined) return { ...base, ...nobody, kind: 'scan' };
  return { ...base, ...blamed(holder), kind: holder.own ? 'pollRequester' : 'pollHeld' };
}

/** Another task that has the CPU of a pass (the present or the next one). */
function intruder(facts: PeriodFacts, pass: PassFact | undefined, timeNs: number): SwitchFact | undefined {
  if (pass === undefined) return undefined;
  const { cpu } = pass.info;
  const last = facts.switches.findLast((change) => change.cpu === cpu && change.timeNs <= timeNs);
  return last === undefined || last.track < 0 || last.track === facts.workers[cpu] ? undefined : last;
}

function blamed(holder: Holder): { thread: number; cpu: number; row: number } {
  return { thread: holder.thread, cpu: holder.cpu, row: holder.row };
}

function segmentOf(stretch: Stretch, facts: PeriodFacts, info: RunInfo, cbDelayNs: number): BlameSegment {
  const { kind, startNs, endNs, thread, cpu, row } = stretch;
  const remedy = remedyOf(stretch, facts, info, cbDelayNs);
  const text = sentenceOf(stretch, facts, info);
  const jump = row >= 0 ? row : (facts.passes[0]?.row ?? facts.sleeps[0]?.row ?? -1);
  return { kind, startNs, endNs, thread, cpu, row: jump, text, ...(remedy === undefined ? {} : { remedy }) };
}

function remedyOf(
  stretch: Stretch,
  facts: PeriodFacts,
  info: RunInfo,
  cbDelayNs: number,
): Remedy | undefined {
  const { kind, sleep, scan } = stretch;
  if (kind === 'firstDelay') return expedited(facts, cbDelayNs, info);
  if (kind === 'pollRequester') return withoutPreemption(facts, info);
  if (kind === 'sleepWaste' && sleep !== undefined) return morePolls(facts, sleep, scan, info);
  return undefined;
}

function sentenceOf(stretch: Stretch, facts: PeriodFacts, info: RunInfo): string {
  const { kind, scan, sleep, thread, cpu } = stretch;
  const length = duration(stretch.endNs - stretch.startNs);
  const who = cpu < 0 ? trackName(thread, info) : `${trackName(thread, info)} on CPU ${cpu}`;
  switch (kind) {
    case 'firstDelay':
      return `A normal grace period waits ${jiffies(sleep)} before its first pass: ${length}.`;
    case 'sleepHeld':
      return `${reasonText(facts, sleep, info)} It slept ${length} of ${jiffies(sleep)} while ${who} was still in its section.`;
    case 'sleepWaste':
      return `${trackName(thread, info)} had left, but process_srcu() slept on until its timer of ${jiffies(sleep)} fired: ${length} wasted.`;
    case 'wake':
      return `process_srcu() was on its way to the CPU: ${length}.`;
    case 'offCpu':
      return `process_srcu() was runnable, but ${trackName(thread, info)} had CPU ${cpu}: ${length}.`;
    case 'pollHeld': {
      const others = scan.others > 0 ? ` (the last of ${scan.others + 1} readers)` : '';
      return `SCAN${scan.scan} polled ${polls(stretch, facts)} while ${who}${others} was in its section of index ${scan.idx}, ${entered(scan, facts)}.`;
    }
    case 'pollRequester':
      return `SCAN${scan.scan} polled ${polls(stretch, facts)} for its own requester ${who}, which the worker had preempted inside its section: ${length}.`;
    default:
      return `${scan.scan === 1 ? 'SCAN1' : 'SCAN2'} found nobody on index ${scan.idx}: ${length}.`;
  }
}

function jiffies(sleep: SleepFact | undefined): string {
  return count(sleep?.delay ?? 0, 'jiffy', 'jiffies');
}

/** Failed checks of the passes that overlap a stretch. */
function polls(stretch: Stretch, facts: PeriodFacts): string {
  const of = facts.passes.filter((pass) => pass.startNs < stretch.endNs && pass.endNs > stretch.startNs);
  return count(
    of.reduce((sum, pass) => sum + pass.count * pass.info.failedChecks, 0),
    'time',
  );
}

function entered(scan: ScanFact, facts: PeriodFacts): string {
  const enteredNs = scan.holder?.enteredNs ?? Number.NaN;
  if (Number.isNaN(enteredNs)) return 'entered before the log begins';
  const beforeNs = facts.startNs - enteredNs;
  if (beforeNs === 0) return 'entered as the grace period started';
  return beforeNs >= 0
    ? `entered ${duration(beforeNs)} before the grace period started`
    : `entered ${duration(-beforeNs)} after the grace period started, before the flip`;
}

/** Why process_srcu went to sleep. */
function reasonText(facts: PeriodFacts, sleep: SleepFact | undefined, info: RunInfo): string {
  if (sleep === undefined) return '';
  const passes = facts.passes.reduce(
    (sum, pass) => (pass.endNs <= sleep.startNs ? sum + pass.count : sum),
    0,
  );
  const after = `After ${count(passes, 'pass', 'passes')}`;
  switch (sleepReason(facts, sleep, info)) {
    case 'phase':
      return `${after} srcu_n_exp_nodelay ${nAfter(facts, sleep)} exceeded its limit ${info.srcu.phaseLimit}.`;
    case 'jiffy':
      return `${after} the limit of ${info.srcu.jiffyLimit} passes per jiffy was reached.`;
    case 'age':
      return `${after} the grace period was too old to poll on.`;
    default:
      return `${after} a normal grace period sleeps.`;
  }
}

function nAfter(facts: PeriodFacts, sleep: SleepFact): number {
  return passBefore(facts, sleep)?.info.nAfter ?? 0;
}
