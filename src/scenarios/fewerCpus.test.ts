/** Every variant on every number of CPUs up to its own: a configuration, and a link that keeps the number. */
import { describe, expect, it } from 'vitest';
import { decodeLink } from '../config/link/decodeLink.ts';
import { parseConfig } from '../config/parseConfig.ts';
import { LINK_SCENARIO, SCENARIOS, scenarioSource } from './registry.ts';

const MOST = 20;

function parse(scenario: string, cpus?: number) {
  const input = cpus === undefined ? { scenario } : { scenario, cpus };
  const parsed = parseConfig(input, scenarioSource);
  if (!parsed.ok) throw new Error(`${scenario} cpus=${cpus}: ${parsed.problems[0]?.message}`);
  return parsed;
}

describe.each(SCENARIOS.map((scenario) => [scenario.id, scenario] as const))('%s', (id, { variants }) => {
  it.each(variants.map((variant) => `${id}:${variant.id}`))('%s', (name) => {
    const own = parse(name).config;
    const low = Array.from({ length: Math.min(MOST, own.cpus) }, (_, i) => i + 1);
    for (const cpus of new Set([...low, own.cpus >> 1, own.cpus - 1, own.cpus])) {
      if (cpus < 1) continue;
      const { config, notices } = parse(name, cpus);
      expect(config.cpus).toBe(cpus);
      const isMoved = own.actors.some((actor) => actor.cpu + actor.count > cpus && cpus < own.cpus);
      expect(notices.some(({ path }) => path === 'cpus')).toBe(isMoved);
      // whatever else became another value is named
      const named = new Set(notices.map(({ path }) => path));
      for (const list of ['rcu_nocbs', 'nohz_full', 'isolcpus'])
        expect(named.has(`params.${list}`)).toBe(config.params[list] !== own.params[list]);
      const isSameCpu = config.initial.gpKthreadCpu === own.initial.gpKthreadCpu;
      expect(named.has('initial.gpKthreadCpu')).toBe(!isSameCpu);
      const link = decodeLink(`v=1&sc=${name}&cpus=${cpus}`, scenarioSource, LINK_SCENARIO);
      expect(link).toMatchObject({ input: { scenario: name, cpus }, notices: [] });
    }
  });
});
