/** Every scenario stopped after 1 ms: what its run does not come to is said, and no figure is made up. */
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../src/config/parseConfig.ts';
import { SCENARIOS, scenarioSource } from '../src/scenarios/registry.ts';
import { cli } from './cli.testkit.ts';
import { formatResult } from './resultTable.ts';
import { resultOf, simulate } from './simulate.ts';

const names = SCENARIOS.flatMap(({ id, variants }) => variants.map((variant) => `${id}:${variant.id}`));

describe('a run that is stopped early', () => {
  it.each(names)('%s', (name) => {
    const parsed = parseConfig({ scenario: name, stop: { afterNs: '1ms' } }, scenarioSource);
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
    const result = resultOf(simulate(parsed.config), { values: false, check: false });
    expect((result.reported ?? []).filter(({ simulated }) => simulated !== null)).toEqual([]);
    expect(formatResult(result)).not.toMatch(/NaN|Infinity|undefined|null/);
  });

  it('says so in its text and has null in its JSON', async () => {
    const words = ['run', 'boot-storm:v5.19-rc1', 'stop=1ms'];
    expect((await cli(words)).out).toMatch(
      /run time +not reached in this run, 161\.433 s reported \(fitted; /,
    );
    const { reported } = JSON.parse((await cli([...words, '--json'])).out);
    expect(reported).toMatchObject([{ what: 'run time', reported: 161.433, simulated: null }]);
  });
});
