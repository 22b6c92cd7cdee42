import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config/parseConfig.ts';
import { DEFAULT_SCENARIO, findScenario, LINK_SCENARIO, SCENARIOS, scenarioSource } from './registry.ts';
import { reportedFigures } from './reportedFigures.ts';
import { STORIES, storyOf } from './stories.ts';

const names = SCENARIOS.flatMap(({ id, variants }) => variants.map((variant) => `${id}:${variant.id}`));

function configOf(name: string) {
  const parsed = parseConfig({ scenario: name }, scenarioSource);
  if (!parsed.ok) throw new Error(parsed.problems.map((problem) => problem.message).join('\n'));
  expect(parsed.notices).toEqual([]);
  return parsed.config;
}

describe('scenarios', () => {
  it('are those that there shall be, each with something to look at', () => {
    expect(SCENARIOS.map((scenario) => scenario.id).sort()).toEqual([
      'android-launch',
      'auto-expedite',
      'back-to-back',
      'backoff-ladder',
      'boot-storm',
      'both-batches-busy',
      'callback-flood',
      'callbacks-and-barrier',
      'convoy',
      'drain-interval',
      'exiting-tasks',
      'expedited-jitter',
      'first-grace-period',
      'idle-system',
      'kernel-spinner',
      'kfree-bulk',
      'kfree-polled',
      'kmemleak-false-alarm',
      'kvm-memslots',
      'lazy-boot-staircase',
      'lazy-tasks',
      'looping-caller',
      'missed-grace-period',
      'normal-vs-expedited',
      'odebug-splat',
      'old-attach-bug',
      'one-reader',
      'page-cache-pressure',
      'probe-detach',
      'requester-meets-itself',
      'serial-hotplug',
      'single-argument',
      'stall',
      'tasks-stall',
      'trampoline',
      'two-scans',
      'user-spinner',
      'who-holds-it',
    ]);
    expect(Object.keys(STORIES).sort()).toEqual(SCENARIOS.map(({ id }) => id).sort());
    for (const { id, variants, defaultVariant } of SCENARIOS) {
      expect([2, 3]).toContain(storyOf(id).lookAt.length);
      expect(variants.map((variant) => variant.id)).toContain(defaultVariant);
    }
    expect(SCENARIOS[0]?.id).toBe('first-grace-period');
    expect(findScenario(DEFAULT_SCENARIO)).toEqual({ scenario: SCENARIOS[0], variant: 'callback' });
    expect(findScenario(LINK_SCENARIO)?.scenario.id).toBe('boot-storm');
  });

  it.each(names)('%s is a valid configuration with something that must be true', (name) => {
    expect(configOf(name).scenario).toBe(name);
    const { scenario, variant } = findScenario(name) as NonNullable<ReturnType<typeof findScenario>>;
    expect(storyOf(scenario.id).expectations(variant).length).toBeGreaterThan(0);
  });

  it('have variants of which the default is named first', () => {
    for (const { id, variants, defaultVariant } of SCENARIOS) {
      const named = scenarioSource.variantsOf(id) ?? [];
      expect(named[0]).toBe(defaultVariant);
      expect([...named].sort()).toEqual(variants.map((variant) => variant.id).sort());
    }
    expect(scenarioSource.variantsOf('nowhere')).toBeUndefined();
  });

  it('are not found under any other name', () => {
    for (const name of [
      '',
      ':',
      'boot-storm:',
      'boot-storm:row-1',
      'x:row-100',
      '__proto__',
      'one-reader:hold-12ms:',
    ]) {
      expect(findScenario(name)).toBeUndefined();
    }
  });
});

interface Run {
  readonly variant: string;
  readonly kernel: string;
  readonly hz: number;
  readonly rules?: object;
  readonly params?: object;
  readonly reportedS: number;
  readonly fitted: boolean;
}
const path = 'test-data/boot-storm-model-c.json';
const data = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown> & {
  runs: Run[];
  secondMachine: Run[];
};
const runs = [
  ...data.runs.map((run) => ({ run, common: { ...(data.common as object) } })),
  ...data.secondMachine.map((run) => ({
    run,
    common: { ...(data.common as object), ...(data.secondCommon as object) },
  })),
] as { run: Run; common: Record<string, number & Record<string, unknown>> }[];

describe('boot-storm', () => {
  it('has the reported runs and no others', () => {
    const { variants } = SCENARIOS.find(({ id }) => id === 'boot-storm') as (typeof SCENARIOS)[number];
    expect(variants.map(({ id }) => id).sort()).toEqual(runs.map(({ run }) => run.variant).sort());
    expect(runs).toHaveLength(28);
  });

  it.each(runs.map(({ run, common }) => [run.variant, run, common] as const))(
    '%s is configured as reported',
    (variant, run, common) => {
      const config = configOf(`boot-storm:${variant}`);
      const { passNs, ...machine } = common.machine as Record<string, number>;
      expect(config).toMatchObject({
        kernel: run.kernel,
        hz: run.hz,
        cpus: common.cpus,
        preempt: 'full',
        params: run.params ?? {},
        machine: { ...machine, passLoopNs: passNs, passFirstCheckNs: passNs, cbWorkNs: passNs },
        actors: [
          {
            cpu: 0,
            api: common.api,
            calls: common.calls,
            gap: common.gapNs,
            gapMode: common.gapMode,
            start: common.startNs,
          },
        ],
      });
      expect(config.rules).toEqual(run.rules ?? {});
      expect(
        reportedFigures(storyOf('boot-storm'), variant, { virtualNs: 5_500_000_000, isDone: true }),
      ).toMatchObject([
        { what: 'run time', unit: 's', reported: run.reportedS, simulated: 5.5, fitted: run.fitted },
      ]);
    },
  );
});
