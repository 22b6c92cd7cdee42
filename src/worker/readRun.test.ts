import { expect, test } from 'vitest';
import { kvfreeFigures } from '../analysis/kvfreeFigures.ts';
import { KVFREE_SAMPLES, kvfreeSample } from '../analysis/kvfreeRuns.testkit.ts';
import { createRunIndex } from '../analysis/runIndex.ts';
import { config, run, updater } from '../analysis/runs.testkit.ts';
import { readRun } from './readRun.ts';

function read(simConfig: Parameters<typeof run>[0]) {
  const { log, info } = run(simConfig);
  const work = readRun(log, info);
  const shares: number[] = [];
  for (;;) {
    const { done, value } = work.next();
    if (done === true) return { log, info, shares, value };
    shares.push(value);
  }
}

test('each pass over a flood is in pieces of its own: index, memory, lanes', () => {
  const { shares } = read(kvfreeSample('flood'));
  expect(shares).toEqual([...shares].sort((a, b) => a - b));
  for (const end of [0.4, 0.52, 0.92])
    expect(shares.some((share) => Math.abs(share - end) < 1e-9)).toBe(true);
  expect(shares.at(-1)).toBeLessThanOrEqual(1);
});

test.each(Object.keys(KVFREE_SAMPLES))('it comes to the same as all at once: %s', (name) => {
  const { log, info, value } = read(kvfreeSample(name));
  expect(value.kvfree).toEqual(kvfreeFigures(log, createRunIndex(log, info)));
});

test('without kvfree_rcu() there is nothing of it', () => {
  const { value } = read(config([updater()]));
  expect(value.kvfree).toBeUndefined();
  expect(value.index.gps.length).toBe(1);
});
