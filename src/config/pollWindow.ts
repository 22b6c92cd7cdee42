/**
 * The window of a single phase: how long process_srcu polls for one reader before it first sleeps (spec srcu 4.1).
 * Expedited grace period from an idle domain, old index empty, the worker keeps its CPU.
 */
import type { RuleSet } from '../engine/profiles/profiles.ts';

/** What the window depends on. Times in ns. */
export interface PollingModel {
  /** One tick, T. */
  readonly tickNs: number;
  /** First and second busy-wait of a pass, each with its check: r'. */
  readonly retryNs: number;
  readonly secondRetryNs: number;
  /** Everything else of a pass: c. */
  readonly passNs: number;
  /** L and M; Infinity: no limit. */
  readonly phaseLimit: number;
  readonly jiffyLimit: number;
  readonly rules: Pick<RuleSet, 'srcu.delay' | 'srcu.tryCheck'>;
}

/** Which rule ends a window. */
export type WindowEnd = 'phase' | 'jiffy' | 'age';

/** A window for one phase of the tick. */
export interface Window {
  readonly windowNs: number;
  /** Passes before the first sleep, the one that decides it included. */
  readonly passes: number;
  readonly endedBy: WindowEnd;
}

/** P: a pass that finds a reader in SCAN2. */
export function passPeriodNs({ retryNs, secondRetryNs, passNs }: PollingModel): number {
  return retryNs + secondRetryNs + passNs;
}

/** kL of spec 4.1. */
function passesOfPhaseLimit({ phaseLimit, rules }: PollingModel): number {
  if (phaseLimit === Number.POSITIVE_INFINITY) return phaseLimit;
  return Math.floor(phaseLimit / (rules['srcu.tryCheck'] === 'once' ? 2 : 4)) + 1;
}

/** True if the last pass makes two checks instead of three: the first answer in it is already a delay. */
function endsEarly(model: PollingModel, passes: number, toTickNs: number): boolean {
  const periodNs = passPeriodNs(model);
  const ageJiffies = model.rules['srcu.delay'] === 'age-1' ? 1 : 2;
  const ageNs = toTickNs + (ageJiffies - 1) * model.tickNs;
  const startNs = (passes - 1) * periodNs;
  if (model.rules['srcu.tryCheck'] === 'once') {
    return 2 * passes - 1 > model.phaseLimit || startNs + model.passNs >= ageNs;
  }
  // Per check: asked after the first and the second failed check; the count before this pass is 4 per pass.
  return 4 * passes - 2 > model.phaseLimit || startNs + model.passNs + model.retryNs >= ageNs;
}

/** The window of a grace period that starts `phaseNs` after a tick; undefined where nothing ends it (5.18). */
export function windowAt(model: PollingModel, phaseNs: number): Window | undefined {
  if (model.rules['srcu.delay'] === 'exp-only') return undefined;
  const periodNs = passPeriodNs(model);
  const toTickNs = model.tickNs - phaseNs;
  const ageNs = model.rules['srcu.delay'] === 'age-1' ? toTickNs : toTickNs + model.tickNs;
  const inFirstJiffy = Math.ceil(toTickNs / periodNs) - 1;
  // The first pass of a fresh jiffy is never tested against the limit (2.4 step 3): 0 acts as 1.
  const perJiffy = Math.max(model.jiffyLimit, 1) + 1;
  const kM = perJiffy <= inFirstJiffy ? perJiffy : inFirstJiffy + perJiffy;
  // The page asks for thousands of phases while a slider is dragged: nothing is allocated but the answer.
  let passes = passesOfPhaseLimit(model);
  let endedBy: WindowEnd = 'phase';
  if (kM < passes) {
    passes = kM;
    endedBy = 'jiffy';
  }
  const kA = Math.ceil(ageNs / periodNs);
  if (kA < passes) {
    passes = kA;
    endedBy = 'age';
  }
  const shorterNs = endsEarly(model, passes, toTickNs) ? model.secondRetryNs : 0;
  return { windowNs: passes * periodNs - shorterNs, passes, endedBy };
}

/** Shortest and longest window over all phases of the tick. */
export interface WindowRange {
  readonly minNs: number;
  readonly maxNs: number;
  /** What ends it, depending on the phase. */
  readonly endedBy: readonly WindowEnd[];
}

/** Most instants of passes within a tick that are looked at one by one. */
const MAX_INSTANTS = 3000;

/**
 * Visits the times from the start to the next tick at which something changes: a tick meets the end of a pass or a
 * check. Some more than once.
 */
function visitChanges(model: PollingModel, visit: (toTickNs: number) => void): void {
  const { tickNs, retryNs, passNs } = model;
  const visitInTick = (toTickNs: number) => {
    if (toTickNs >= 1 && toTickNs <= tickNs) visit(toTickNs);
  };
  const periodNs = passPeriodNs(model);
  const passes = Math.ceil((2 * tickNs) / periodNs);
  const step = Math.ceil(passes / MAX_INSTANTS);
  visit(1);
  visit(tickNs);
  for (let pass = 0; pass <= passes; pass += step) {
    for (let instant = 0; instant < 3; instant++) {
      const atNs = pass * periodNs + (instant > 0 ? passNs : 0) + (instant > 1 ? retryNs : 0);
      visitInTick(atNs);
      visitInTick(atNs + 1);
      visitInTick(atNs - tickNs);
      visitInTick(atNs - tickNs + 1);
    }
  }
}

/**
 * The range of windows over all phases of the tick; undefined where nothing ends a window. Exact up to
 * MAX_INSTANTS passes in two ticks, beyond that short of one pass.
 */
export function windowRange(model: PollingModel): WindowRange | undefined {
  if (model.rules['srcu.delay'] === 'exp-only' || passPeriodNs(model) <= 0) return undefined;
  let minNs = Number.POSITIVE_INFINITY;
  let maxNs = 0;
  const endedBy: WindowEnd[] = [];
  visitChanges(model, (toTickNs) => {
    const window = windowAt(model, model.tickNs - toTickNs) as Window;
    minNs = Math.min(minNs, window.windowNs);
    maxNs = Math.max(maxNs, window.windowNs);
    if (!endedBy.includes(window.endedBy)) endedBy.push(window.endedBy);
  });
  return { minNs, maxNs, endedBy };
}
