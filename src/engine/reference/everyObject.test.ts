/** Objects queued many at once change nothing: the engine against the model that queues one at a time (kvfree K19). */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createRun } from '../run.ts';
import { finish, firstDifference, wasCut } from './compareLogs.testkit.ts';
import { createEveryObjectRun } from './everyObject.ts';
import { kfree, randomKfreeConfig } from './randomKfreeConfig.testkit.ts';
import { simConfig } from './simConfig.testkit.ts';

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

test('kswapd sees all objects that are there when it looks whether it may rest', () => {
  const config = simConfig({
    ...{ kernel: 'v5.19-rc1', preset: 'virtual-1gips', hz: 100, cpus: 3, seed: 187 },
    machine: { memoryBytes: 2 ** 20, pageSize: 16_384, kfreeRetention: 3 },
    actors: [
      kfree({
        cpu: 1,
        count: 8,
        stagger: 28_000,
        loops: 1,
        allocs: 635,
        sizes: [32, 64, 96, 128],
        resched: false,
      }),
    ],
    stop: { afterNs: 50_000_000, whenDone: true },
  });
  const [fast, slow] = [finish(createRun(config, LIMITS)), finish(createEveryObjectRun(config, LIMITS))];
  expect(firstDifference(fast, slow)).toBeUndefined();
});
