/** What each scenario says must be true, and the boot storm against model C (spec srcu 8.6, 8.7). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../src/config/parseConfig.ts';
import { SCENARIOS, scenarioSource } from '../src/scenarios/registry.ts';
import { resultOf, simulate } from './simulate.ts';

const path = 'test-data/boot-storm-model-c.json';
const data = JSON.parse(readFileSync(path, 'utf8'));
const modelC = new Map<string, number>(
  [...data.runs, ...data.secondMachine].map((run) => [run.variant, run.modelCS]),
);

const MAX_DEFAULT_ROWS = 10_000;

describe.each(SCENARIOS.map((scenario) => [scenario.id, scenario] as const))('%s', (id, scenario) => {
  it.each(scenario.variants.map((variant) => variant.id))('%s', (variant) => {
    const parsed = parseConfig({ scenario: `${id}:${variant}` }, scenarioSource);
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
    const result = resultOf(simulate(parsed.config), { values: false, check: true });
    expect(result.stopped).toBeUndefined();
    expect(result.invariants?.violations).toEqual([]);
    expect(result.invariants?.checked).toBeGreaterThan(10);
    const broken = scenario.expectations(variant).filter(({ holds }) => !holds(result));
    expect(broken.map(({ text }) => text)).toEqual([]);
    if (variant === scenario.defaultVariant && id !== 'boot-storm') {
      expect(result.events).toBeLessThan(MAX_DEFAULT_ROWS);
    }
    if (id === 'boot-storm') {
      const expectedS = modelC.get(variant) as number;
      expect(Math.abs(result.virtualNs / 1e9 - expectedS)).toBeLessThan(0.02 * expectedS);
    }
  });
});
