/** Objects queued many at once change nothing: the engine against the model that queues one at a time (kvfree K19). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRun } from '../run.ts';
import { finish, firstDifference, wasCut } from './compareLogs.testkit.ts';
import { createEveryObjectRun } from './everyObject.ts';
import { randomKfreeConfig } from './randomKfreeConfig.testkit.ts';

const RUNS = 300;
const LIMITS = { maxEvents: 20_000 };

test('many objects at once or one at a time, the log is the same', () => {
  const seed = Number(process.env.RCUSCOPE_SEED ?? Math.floor(Math.random() * 2 ** 31));
  console.log(`everyObject.test.ts: ${RUNS} cases, RCUSCOPE_SEED=${seed}`);
  let joined = 0;
  fc.assert(
    fc.property(randomKfreeConfig(), (config) => {
      const fast = createRun(config, LIMITS);
      const slow = createEveryObjectRun(config, LIMITS);
      const [x, y] = [finish(fast), finish(slow)];
      if (wasCut(x) || wasCut(y)) return;
      if (slow.eventCount > fast.eventCount) joined++;
      expect(firstDifference(x, y)).toBeUndefined();
    }),
    { numRuns: RUNS, seed },
  );
  // the test must have seen what it is for
  expect(joined).toBeGreaterThan(RUNS / 4);
});
