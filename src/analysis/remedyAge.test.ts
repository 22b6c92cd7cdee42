import { expect, test } from 'vitest';
import { reader, runToEnd, simConfig, updater } from '../engine/reference/simConfig.testkit.ts';
import { blame } from './blame.ts';
import { createRunIndex } from './runIndex.ts';

const HOLD_NS = 12_000_000;

/** One reader of 12 ms, one expedited call; the age of the grace period ends the polling at its second tick. */
function oneReader(rules: Readonly<Record<string, string>>) {
  const start = { ticks: 1, plus: 2_000_000 };
  const run = runToEnd(
    simConfig({
      preset: 'plain',
      rules,
      actors: [reader({ cpu: 1, start, hold: HOLD_NS, idle: 10_000_000_000 }), updater({ start, calls: 1 })],
    }),
  );
  const index = createRunIndex(run.log, run.info);
  return { run, index, lengthNs: (index.gps.endNs[0] as number) - (index.gps.startNs[0] as number) };
}

test('where the age rule ends the polling, the promised saving is what the rule of 5.18 gives', () => {
  const { run, index, lengthNs } = oneReader({});
  const { segments } = blame(run.log, index, { of: 'gp', index: 0 });
  const remedy = segments.find(({ kind }) => kind === 'sleepWaste')?.remedy;
  expect(remedy?.text).toContain('No srcutree parameter helps');
  expect(remedy?.param).toBeUndefined();
  expect(remedy?.savesNs).toBeGreaterThan(0);
  expect(lengthNs - oneReader({ 'srcu.delay': 'v5.18' }).lengthNs).toBe(remedy?.savesNs);
});
