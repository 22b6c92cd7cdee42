/** What process_srcu did in a time window, counted by time: what lies inside, whether or not its grace period ended. */
import type { EventLog } from '../engine/core/eventLog.ts';
import type { SrcuConstants } from '../engine/core/info.ts';
import { SPAN_CLASS, type Spans } from './laneTypes.ts';
import { type PassShape, PassShapes, passChecks } from './passChecks.ts';
import type { SelectedSrcu } from './types.ts';

/** `workers`: the spans of each domain's worker lane, of which the window [t0Ns, t1Ns) is taken. */
export function selectedSrcu(
  log: EventLog,
  constants: SrcuConstants,
  workers: readonly Spans[],
  t0Ns: number,
  t1Ns: number,
): SelectedSrcu {
  const shapes = new PassShapes(constants);
  const pollsOf = (row: number) => {
    const { a: count, b: startNs, c: code, d: passNs } = log.row(row);
    return pollsIn({ count, startNs, passNs, shape: shapes.get(code) }, constants, t0Ns, t1Ns);
  };
  const sums = { polls: 0, pollNs: 0, sleeps: 0, sleptNs: 0, wastedNs: 0 };
  for (const spans of workers) {
    let passRow = -1;
    let heldUntilNs = Number.NaN;
    for (let i = 0; i < spans.length; i++) {
      const startNs = spans.startNs[i] as number;
      const endNs = spans.endNs[i] as number;
      if (startNs >= t1Ns) break;
      if (endNs <= t0Ns) continue;
      const insideNs = Math.min(endNs, t1Ns) - Math.max(startNs, t0Ns);
      const cls = spans.cls[i] as number;
      if (cls === SPAN_CLASS.poll) {
        sums.pollNs += insideNs;
        const row = spans.row[i] as number;
        // Passes that were preempted have several spans.
        if (row !== passRow) sums.polls += pollsOf(row);
        passRow = row;
      } else if (SLEEPS.has(cls)) {
        // A sleep goes on as waste when the last reader leaves.
        if (startNs !== heldUntilNs) sums.sleeps += 1;
        heldUntilNs = cls === SPAN_CLASS.sleepHeld ? endNs : Number.NaN;
        sums.sleptNs += insideNs;
        if (cls === SPAN_CLASS.sleepWaste) sums.wastedNs += insideNs;
      }
    }
  }
  return sums;
}

const SLEEPS: ReadonlySet<number> = new Set([
  SPAN_CLASS.sleepFirst,
  SPAN_CLASS.sleepHeld,
  SPAN_CLASS.sleepWaste,
]);

/** Equal passes back to back. */
interface Passes {
  readonly count: number;
  readonly startNs: number;
  readonly passNs: number;
  readonly shape: PassShape;
}

/** How many of their checks failed in the window. */
function pollsIn(passes: Passes, constants: SrcuConstants, t0Ns: number, t1Ns: number): number {
  const { count, startNs, passNs, shape } = passes;
  if (startNs >= t0Ns && startNs + count * passNs < t1Ns) return count * shape.failedChecks;
  const madeBefore = (timeNs: number, offsetNs: number) =>
    Math.min(count, Math.max(0, Math.ceil((timeNs - startNs - offsetNs) / passNs)));
  return passChecks(shape, constants)
    .filter(({ failed }) => failed)
    .reduce((sum, { offsetNs }) => sum + madeBefore(t1Ns, offsetNs) - madeBefore(t0Ns, offsetNs), 0);
}
