import { expect, it } from 'vitest';
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
