import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { SimConfig } from '../config.ts';
import { coalesce } from '../core/coalesce.ts';
import { logDigest } from '../core/digest.ts';
import type { EventLog } from '../core/eventLog.ts';
import { createRun, type Run } from '../run.ts';
import { randomConfig } from './randomConfig.testkit.ts';
import { createStepByStepRun } from './stepByStep.ts';

const RUNS = 2000;
/** Long polls make the step-by-step model slow; both models stop at the same virtual time. */
const AFTER_NS = 30_000_000;

function finish(run: Run): EventLog {
  while (run.advance(100_000).state === 'running');
  return coalesce(run.log);
}

function bounded(config: SimConfig): SimConfig {
  return {
    ...config,
    stop: { ...config.stop, afterNs: Math.min(config.stop.afterNs ?? AFTER_NS, AFTER_NS) },
  };
}

/** The first row in which two logs differ, for the message. */
function firstDifference(x: EventLog, y: EventLog): string {
  const rows = Math.min(x.length, y.length);
  for (let i = 0; i < rows; i++) {
    const [a, b] = [JSON.stringify(x.row(i)), JSON.stringify(y.row(i))];
    if (a !== b) return `row ${i}: ${a} against ${b}`;
  }
  return `lengths ${x.length} and ${y.length}`;
}

test('closed forms and the step-by-step model write the same log', () => {
  const seed = Number(process.env.RCUSCOPE_SEED ?? Date.now() % 2 ** 31);
  console.log(`stepByStep.test.ts: ${RUNS} cases, RCUSCOPE_SEED=${seed}`);
  let bursts = 0;
  fc.assert(
    fc.property(randomConfig(), (config) => {
      const limits = { maxEvents: 60_000 };
      const fast = createRun(bounded(config), limits);
      const slow = createStepByStepRun(bounded(config), limits);
      const [x, y] = [finish(fast), finish(slow)];
      if (x.length >= limits.maxEvents || slow.log.length >= limits.maxEvents) return;
      if (slow.log.length > fast.log.length) bursts++;
      if (logDigest(x) !== logDigest(y)) expect.fail(firstDifference(x, y));
    }),
    { numRuns: RUNS, seed },
  );
  // the test must have seen what it is for
  expect(bursts).toBeGreaterThan(RUNS / 20);
});
