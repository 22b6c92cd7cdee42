/** The engine against a slow model of it: both logs to their end, row by row. */
import { KIND, STOP_REASON } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import type { Run } from '../run.ts';

/** A run that a limit ended: the two count their steps differently. */
const CUT: readonly number[] = [STOP_REASON.eventLimit, STOP_REASON.memoryLimit, STOP_REASON.timeLimit];

/** The whole log of a run. */
export function finish(run: Run): EventLog {
  while (run.advance(100_000).state === 'running');
  return run.log;
}

/** A limit ended the run. */
export function wasCut(log: EventLog): boolean {
  const last = log.row(log.length - 1);
  return last.kind === KIND.run_end && CUT.includes(last.a);
}

/** The first row in which two logs differ, for the message; undefined: none. */
export function firstDifference(x: EventLog, y: EventLog): string | undefined {
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const [a, b] = [JSON.stringify(x.row(i)), JSON.stringify(y.row(i))];
    if (a !== b) return `row ${i}: ${a} against ${b}`;
  }
  return x.length === y.length ? undefined : `lengths ${x.length} and ${y.length}`;
}
