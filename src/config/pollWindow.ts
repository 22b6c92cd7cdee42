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
  const count = 4 * (passes - 1);
  const isDelay = (asked: number, atNs: number) => count + asked > model.phaseLimit || atNs >= ageNs;
  return isDelay(2, startNs + model.passNs + model.retryNs);
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
  const ends: [WindowEnd, number][] = [
    ['phase', passesOfPhaseLimit(model)],
    ['jiffy', kM],
    ['age', Math.ceil(ageNs / periodNs)],
  ];
  const [endedBy, passes] = ends.reduce((least, end) => (end[1] < least[1] ? end : least));
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

/** Times from the start to the next tick at which something changes: a tick meets the end of a pass or a check. */
function changesToTickNs(model: PollingModel): Set<number> {
  const { tickNs, retryNs, passNs } = model;
  const periodNs = passPeriodNs(model);
  const passes = Math.ceil((2 * tickNs) / periodNs);
  const step = Math.ceil(passes / MAX_INSTANTS);
  const changes = new Set([1, tickNs]);
  for (let pass = 0; pass <= passes; pass += step) {
    for (const offsetNs of [0, passNs, passNs + retryNs]) {
      const atNs = pass * periodNs + offsetNs;
      for (const toTickNs of [atNs, atNs + 1, atNs - tickNs, atNs - tickNs + 1]) {
        if (toTickNs >= 1 && toTickNs <= tickNs) changes.add(toTickNs);
      }
    }
  }
  return changes;
}

/**
 * The range of windows over all phases of the tick; undefined where nothing ends a window. Exact up to
 * MAX_INSTANTS passes in two ticks, beyond that short of one pass.
 */
export function windowRange(model: PollingModel): WindowRange | undefined {
  if (model.rules['srcu.delay'] === 'exp-only' || passPeriodNs(model) <= 0) return undefined;
  let minNs = Number.POSITIVE_INFINITY;
  let maxNs = 0;
  const endedBy = new Set<WindowEnd>();
  for (const toTickNs of changesToTickNs(model)) {
    const window = windowAt(model, model.tickNs - toTickNs) as Window;
    minNs = Math.min(minNs, window.windowNs);
    maxNs = Math.max(maxNs, window.windowNs);
    endedBy.add(window.endedBy);
  }
  return { minNs, maxNs, endedBy: [...endedBy] };
}
