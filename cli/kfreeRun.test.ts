import { expect, it } from 'vitest';
import { presetMachine } from '../src/engine/machine/presets.ts';
import { pageCachePressureStory } from '../src/scenarios/stories/pageCachePressure.ts';
import { cli, json } from './cli.testkit.ts';

const FLOOD = {
  machine: { preset: 'plain' },
  cpus: 2,
  actors: [{ kind: 'kfree', count: 2, loops: 4, allocs: 3000, sizes: [256], form: 'double' }],
};

it('prints what a flood took, and the line of rcuscale', async () => {
  const { out, status } = await cli(['run', '-'], JSON.stringify(FLOOD));
  expect(status).toBe(0);
  expect(out).toContain('flood          12 us, 0 grace periods; drained in 15.99 ms, 1 more\n');
  expect(out).toMatch(/memory {9}peak \S+ MB, footprint \S+ MB; 24000 objects queued, 24000 freed\n/);
  expect(out).toContain(
    "Total time taken by all kfree'ers: 12000 ns, loops: 4, batches: 0, memory footprint: ",
  );
  const result = await json(['run', '-', '--json'], JSON.stringify(FLOOD));
  expect(result.kfree).toMatchObject({ floodNs: 12_000, gracePeriods: 0, drainGracePeriods: 1 });
  expect(out).toContain(`${result.kfree.line}\n`);
  expect(result.memory).toMatchObject({ queued: 24_000, freed: 24_000 });
});

it('tells of objects that the check at free has leaked', async () => {
  const { out } = await cli(['run', 'old-attach-bug:caught']);
  expect(out).toMatch(/; 1800 objects queued, 600 freed, 1200 leaked\n/);
  const result = await json(['run', 'old-attach-bug:caught', '--json']);
  expect(result.memory).toMatchObject({ queued: 1800, freed: 600, leaked: 1200 });
});

it('has floods that overlap inside the run', async () => {
  const { virtualNs, kfree, gracePeriods } = await json(['run', 'drain-interval:hz-50', '--json']);
  expect(kfree.floodNs + kfree.drainNs).toBeLessThanOrEqual(virtualNs);
  expect(kfree.gracePeriods + kfree.drainGracePeriods).toBe(gracePeriods.rcu.n);
});

it('gives both values of kvfree.cache with a worker the same log, also where memory is short', async () => {
  const runs = ['v5.19', 'v6.1'].map((rule) =>
    json(['run', 'page-cache-pressure:tight', 'k=v6.1', `rules.kvfree.cache=${rule}`, '--json']),
  );
  const [worker, backoff] = await Promise.all(runs);
  expect(worker.config.rules).not.toEqual(backoff.config.rules);
  expect(worker.digest).toBe(backoff.digest);
});

it('tells the cost of the head channel that the preset has', () => {
  const { kfreeFreeListNs } = presetMachine('virtual-1gips');
  expect(pageCachePressureStory.lookAt.join(' ')).toContain(`each costs ${kfreeFreeListNs} ns more to free`);
});
