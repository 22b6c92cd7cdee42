/** Complete configurations for tests, built from what a test cares about. */
import type { Actor, LoadActor, ReaderActor, SimConfig, UpdaterActor } from '../config.ts';
import { defaultWorkerLagNs, type PresetId, presetMachine } from '../machine/presets.ts';
import { type Build, buildOf, kernelHasParam } from '../profiles/kernelParams.ts';
import { defaultKvfreeParam, KVFREE_PARAMS } from '../profiles/kvfreeParams.ts';
import { defaultTasksParam, TASKS_PARAMS } from '../profiles/tasksParams.ts';
import { createRun, type Run, type RunLimits } from '../run.ts';
import { defaultSrcuParam, SRCU_PARAMS } from '../srcu/params.ts';
import { defaultRcuParam, RCU_PARAMS } from '../tree/params.ts';

type Part<T> = Partial<Omit<T, 'kind'>>;

const EVERY_ACTOR = { cpu: 0, count: 1, start: 0, stagger: 0 } as const;

/** A reader on CPU 0: 1 ms sections with 1 ms between them, spinning, for ever. */
export function reader(part: Part<ReaderActor> = {}): ReaderActor {
  return {
    ...EVERY_ACTOR,
    kind: 'reader',
    domain: 'srcu',
    hold: 1_000_000,
    holdMode: 'spin',
    idle: 1_000_000,
    idleMode: 'spin',
    incDelay: 0,
    ...part,
  };
}

/** An updater on CPU 0: one synchronize_srcu_expedited() at once. */
export function updater(part: Part<UpdaterActor> = {}): UpdaterActor {
  return {
    ...EVERY_ACTOR,
    kind: 'updater',
    api: 'synchronize_srcu_expedited',
    domain: 'srcu',
    calls: 1,
    gap: 0,
    gapMode: 'sleep',
    gapFrom: 'return',
    batch: 1,
    wait: 'barrier',
    ...part,
  };
}

/** A load on CPU 0: spins in the kernel for 100 us at a time. */
export function load(part: Part<LoadActor> = {}): LoadActor {
  return { ...EVERY_ACTOR, kind: 'load', mode: 'kernel', spin: 100_000, idle: 0, ...part };
}

/** Every parameter that this kernel has and that has a value where nothing is given. */
export function defaultParams(build: Build): Record<string, number | string> {
  const params: Record<string, number | string> = {};
  for (const param of [...SRCU_PARAMS, ...RCU_PARAMS, ...KVFREE_PARAMS, ...TASKS_PARAMS]) {
    if (!kernelHasParam(build.kernel, param, build.rules)) continue;
    const value =
      defaultSrcuParam(param.name, build.rules, build.hz) ??
      defaultRcuParam(param.name, build) ??
      defaultKvfreeParam(param.name) ??
      defaultTasksParam(param.name, build);
    if (value !== undefined && value !== Number.POSITIVE_INFINITY) params[param.name] = value;
  }
  return params;
}

/** What a test says of a configuration. `machine` overrides entries of the preset, `params` the defaults. */
export interface ConfigParts extends Partial<Omit<SimConfig, 'v' | 'machine' | 'actors'>> {
  readonly preset?: PresetId;
  readonly machine?: Partial<Omit<SimConfig['machine'], 'preset'>>;
  readonly actors: readonly Actor[];
}

/** The complete configuration: v6.12, HZ 250, 4 CPUs, full preemption, preset `plain` where nothing is said. */
export function simConfig(parts: ConfigParts): SimConfig {
  const { preset = 'plain', machine, params, ...rest } = parts;
  const { kernel = 'v6.12', rules = {}, hz = 250, cpus = 4, kconfig = {} } = parts;
  return {
    v: 1,
    kernel,
    rules,
    hz,
    startJiffies: 0,
    cpus: 4,
    preempt: 'full',
    seed: 1,
    params: { ...defaultParams(buildOf({ kernel, rules, hz, cpus, kconfig })), ...params },
    machine: { ...presetMachine(preset), ...machine },
    initial: { workerLagNs: defaultWorkerLagNs(preset) },
    kconfig: {},
    stop: { whenDone: true },
    ...rest,
  };
}

/** A run to its end. */
export function runToEnd(config: SimConfig, limits: RunLimits = {}): Run {
  const run = createRun(config, limits);
  while (run.advance(1_000_000).state === 'running');
  return run;
}
