/** Scenarios on fewer CPUs than their own, from end to end: what was cut is said, nothing stands in the way of the run. */
import { describe, expect, it } from 'vitest';
import { SCENARIOS } from '../src/scenarios/registry.ts';
import { cli } from './cli.testkit.ts';

describe.each([1, 2])('on %i CPUs', (cpus) => {
  it.each(SCENARIOS.map(({ id }) => id))('%s runs, as a scenario and as a link', async (id) => {
    const words = [id, `cpus=${cpus}`, '--json'];
    const { out, err, status } = await cli(['run', ...words]);
    expect(status).toBe(0);
    const result = JSON.parse(out);
    expect(result).toMatchObject({ config: { scenario: id, cpus } });
    expect(result).not.toHaveProperty('stopped');
    const linked = await cli(['run', `#v=1&sc=${id}&cpus=${cpus}&d=${result.digest}`, '--json']);
    expect(linked.err).toBe(`${err}notice: identical run\n`);
  });
});

it('says what was cut', async () => {
  const { errors } = await cli(['run', 'android-launch', 'cpus=4', 'stop=1s']);
  expect(errors).toEqual([
    'notice: params.rcu_nocbs: "0-7": CPUs from 0 to 3 (cpus is 4); the kernel makes it 0-3',
    'notice: cpus: 4: fewer than the 8 of the scenario: what actors have on CPU n is on CPU n mod 4',
  ]);
});
