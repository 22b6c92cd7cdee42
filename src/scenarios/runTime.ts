import type { ScenarioResult } from './scenario.ts';

/** How long the whole run takes, ns; NaN where it was stopped before its end. */
export function runTimeNs({ virtualNs, isDone }: ScenarioResult): number {
  return isDone ? virtualNs : Number.NaN;
}
