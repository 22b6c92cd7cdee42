/**
 * What each scenario says must be true; the boot storm against model C (spec srcu 8.6, 8.7); what was published of two
 * runs against each other (tree R4.7, R4.9).
 */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../src/config/parseConfig.ts';
import { SCENARIOS, scenarioSource } from '../src/scenarios/registry.ts';
import { storyOf } from '../src/scenarios/stories.ts';
import { type CliResult, resultOf, simulate } from './simulate.ts';

const path = 'test-data/boot-storm-model-c.json';
const data = JSON.parse(readFileSync(path, 'utf8'));
const modelC = new Map<string, number>(
  [...data.runs, ...data.secondMachine].map((run) => [run.variant, run.modelCS]),
);

const MAX_DEFAULT_ROWS = 10_000;
/** Default variants that need more: thousands of calls, or thousands of CPUs. */
const MANY_ROWS = ['boot-storm', 'android-launch', 'serial-hotplug'];
const MS = 1_000_000;

/** Runs a variant and checks its invariants. */
function run(name: string): CliResult {
  const parsed = parseConfig({ scenario: name }, scenarioSource);
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  const result = resultOf(simulate(parsed.config), { values: false, check: true });
  expect(result.stopped).toBeUndefined();
  expect(result.invariants?.violations).toEqual([]);
  expect(result.invariants?.checked).toBeGreaterThan(10);
  return result;
}

/** By name, for the comparisons below. */
const results = new Map<string, CliResult>();

describe.each(SCENARIOS.map((scenario) => [scenario.id, scenario] as const))('%s', (id, scenario) => {
  it.each(scenario.variants.map((variant) => variant.id))('%s', (variant) => {
    const result = run(`${id}:${variant}`);
    results.set(`${id}:${variant}`, result);
    const broken = storyOf(id)
      .expectations(variant)
      .filter(({ holds }) => !holds(result));
    expect(broken.map(({ text }) => text)).toEqual([]);
    if (variant === scenario.defaultVariant && !MANY_ROWS.includes(id)) {
      expect(result.events).toBeLessThan(MAX_DEFAULT_ROWS);
    }
    if (id === 'boot-storm') {
      const expectedS = modelC.get(variant) as number;
      expect(Math.abs(result.virtualNs / 1e9 - expectedS)).toBeLessThan(0.02 * expectedS);
    }
  });
});

/** The result of a variant, run before or now. */
function resultFor(name: string): CliResult {
  return results.get(name) ?? run(name);
}

function calls(name: string) {
  const figures = resultFor(name).latency?.synchronize_rcu;
  if (figures === undefined) throw new Error(`${name} makes no calls`);
  return figures;
}

describe('published comparisons', () => {
  it('64 callers on 16 CPUs: 5/3 of the time without rcu_normal_wake_from_gp, within 15 % (R4.7 row 3)', () => {
    const ratio = calls('convoy:parallel').p50 / calls('convoy:parallel-wake').p50;
    expect(Math.abs(ratio / (5 / 3) - 1)).toBeLessThan(0.15);
  });

  it('64 callers of 100 calls on 64 CPUs: 1.35 of the time, within 15 % (R4.7 row 4)', () => {
    const ratio = resultFor('convoy:storm').virtualNs / resultFor('convoy:storm-wake').virtualNs;
    expect(Math.abs(ratio / 1.35 - 1)).toBeLessThan(0.15);
    expect(calls('convoy:storm').n).toBe(6400);
  });

  it('behind 3612 callbacks: 7.3 ms later than woken by the kthread, within 5 % (R4.7 row 5)', () => {
    const ahead = 3612 * 2020;
    const late = calls('convoy:batch-ahead').p0 - calls('convoy:batch-ahead-wake').p0;
    expect(Math.abs(late / ahead - 1)).toBeLessThan(0.05);
  });

  it('the worker of expedited grace periods waits for its CPU: RCU_EXP_KTHREAD takes a tenth at p99', () => {
    const p99 = (variant: string) =>
      resultFor(`normal-vs-expedited:${variant}`).gracePeriods?.exp?.p99 ?? Number.NaN;
    expect(p99('worker-kthread')).toBeLessThan(p99('worker-waits') / 10);
  });

  it('an expedited step of hotplug is ten to twelve times as fast, and less so at 80 CPUs', () => {
    const ns = (variant: string) => resultFor(`serial-hotplug:${variant}`).virtualNs;
    const ratio = ns('normal') / ns('expedited');
    expect(ratio).toBeGreaterThan(10);
    expect(ratio).toBeLessThan(12);
    expect(ns('cpus-80') / ns('cpus-80-expedited')).toBeLessThan(ratio / 2);
    expect(ns('expedited') / 2).toBeGreaterThan(170 * MS);
  });

  const EDGES = [22, 23, 24];
  const SHIFT = [1.5, 17.8, -19.4];
  it.each(['h1', 'h2'])(
    'android-launch:%s: sign and half of each shift from A to B at least (R4.9)',
    (id) => {
      const share = (variant: string, k: number) => {
        const { log2Ns, n } = calls(`android-launch:${id}-${variant}`);
        return (100 * (log2Ns[k] ?? 0)) / n;
      };
      const shifts = EDGES.map((k) => share('b', k) - share('a', k));
      shifts.forEach((shift, i) => {
        expect(shift / (SHIFT[i] as number)).toBeGreaterThanOrEqual(0.5);
      });
    },
  );
});
