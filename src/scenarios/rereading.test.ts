/** The configuration that `run --json` prints is complete; read again it is the same, and there is nothing to say. */
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config/parseConfig.ts';
import { SCENARIOS, scenarioSource } from './registry.ts';

const names = SCENARIOS.flatMap(({ id, variants }) => variants.map((variant) => `${id}:${variant.id}`));

function read(json: unknown) {
  const parsed = parseConfig(json, scenarioSource);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  return { config: parsed.config, notices: parsed.notices.map(({ message }) => message) };
}

describe('a complete configuration read again', () => {
  it.each(names)('%s', (name) => {
    const first = read({ scenario: name });
    const json = JSON.parse(JSON.stringify(first.config));
    expect(read(json)).toEqual(first);
    // the same without what the scenario has
    const { scenario: _, ...own } = json;
    const { scenario: __, ...config } = first.config;
    expect(read(own)).toMatchObject({ config });
  });

  it('with fewer CPUs than the scenario has', () => {
    const first = read({ scenario: 'kfree-polled:before-3', cpus: 7 });
    expect(read(JSON.parse(JSON.stringify(first.config))).config).toEqual(first.config);
  });
});
