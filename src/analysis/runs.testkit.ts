/** Configurations and real runs for the tests of the analysis. */
import type { Actor, ReaderActor, SimConfig, UpdaterActor } from '../engine/config.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { type Machine, presetMachine } from '../engine/machine/presets.ts';
import { kernelHasParam } from '../engine/profiles/kernelParams.ts';
import { type ProfileId, resolveRules } from '../engine/profiles/profiles.ts';
import { createRun } from '../engine/run.ts';
import { defaultSrcuParam, SRCU_PARAMS } from '../engine/srcu/params.ts';

export const MS = 1_000_000;

/** A reader with one section of `hold`, then idle for ever. */
export function reader(keys: Partial<ReaderActor> = {}): ReaderActor {
  return {
    kind: 'reader',
    domain: 'srcu',
    cpu: 1,
    count: 1,
    start: 0,
    stagger: 0,
    hold: MS,
    holdMode: 'spin',
    idle: 10_000 * MS,
    idleMode: 'sleep',
    incDelay: 0,
    ...keys,
  };
}

/** An updater with one expedited call at once. */
export function updater(keys: Partial<UpdaterActor> = {}): UpdaterActor {
  return {
    kind: 'updater',
    api: 'synchronize_srcu_expedited',
    domain: 'srcu',
    cpu: 0,
    count: 1,
    start: 0,
    stagger: 0,
    calls: 1,
    gap: 0,
    gapMode: 'sleep',
    gapFrom: 'return',
    batch: 1,
    wait: 'barrier',
    ...keys,
  };
}

/** A complete configuration: preset plain, HZ 250, 2 CPUs, v6.12 with its defaults. */
export function config(
  actors: readonly Actor[],
  keys: Partial<SimConfig> & { readonly machineKeys?: Partial<Machine> } = {},
): SimConfig {
  const { machineKeys, ...rest } = keys;
  const kernel: ProfileId = keys.kernel ?? 'v6.12';
  const hz = keys.hz ?? 250;
  const rules = resolveRules(kernel, keys.rules ?? {});
  const params: Record<string, number | string> = {};
  for (const param of SRCU_PARAMS) {
    const value = kernelHasParam(kernel, param) ? defaultSrcuParam(param.name, rules, hz) : undefined;
    if (value !== undefined) params[param.name] = value;
  }
  return {
    v: 1,
    kernel,
    rules: {},
    hz,
    startJiffies: 0,
    cpus: 2,
    preempt: 'full',
    seed: 1,
    initial: { workerLagNs: [0] },
    kconfig: {},
    actors,
    stop: { whenDone: true },
    ...rest,
    params: { ...params, ...keys.params },
    machine: { ...(keys.machine ?? presetMachine('plain')), ...machineKeys },
  };
}

/** Runs to the end. */
export function run(simConfig: SimConfig): { log: EventLog; info: RunInfo } {
  const engine = createRun(simConfig);
  while (engine.advance(100_000).state === 'running');
  return { log: engine.log, info: engine.info };
}

/** Configurations that between them reach every kind of row and every rule of the analysis. */
export const SAMPLES: Readonly<Record<string, () => SimConfig>> = {
  'no reader': () => config([updater({ calls: 5, gap: MS })]),
  'long reader': () => config([reader({ hold: 40 * MS }), updater({ start: 1000 })]),
  'short readers': () =>
    config([
      reader({ hold: { uniform: [0, 3 * MS] }, idle: { uniform: [0, MS] }, count: 3 }),
      updater({ calls: 40, gap: { uniform: [0, MS] } }),
    ]),
  'normal and expedited': () =>
    config(
      [
        reader({ hold: { uniform: [0, 3 * MS] }, idle: { uniform: [0, MS] }, count: 2 }),
        updater({ api: 'synchronize_srcu', calls: 10 }),
        updater({ cpu: 1, calls: 10, gap: { uniform: [0, 20 * MS] } }),
      ],
      { params: { 'srcutree.exp_holdoff': 0 } },
    ),
  'callbacks and barrier': () =>
    config([
      reader({ idle: MS }),
      updater({ api: 'call_srcu', batch: 5, calls: 4 }),
      updater({ cpu: 1, api: 'srcu_barrier', gap: MS, calls: 5 }),
    ]),
  polling: () => config([reader({ idle: MS }), updater({ api: 'start_poll_synchronize_srcu', calls: 5 })]),
  'two domains': () =>
    config([
      reader({ domain: 'srcu:a', idle: MS }),
      reader({ domain: 'srcu:b', idle: MS, hold: 300_000 }),
      updater({ domain: 'srcu:a', calls: 10 }),
      updater({ domain: 'srcu:b', calls: 10, cpu: 1 }),
    ]),
  'late incrementer': () =>
    config([
      reader({ incDelay: { uniform: [0, MS] }, hold: MS, idle: { uniform: [0, MS] }, count: 2 }),
      updater({ calls: 20 }),
    ]),
  '5.19-rc1': () =>
    config([reader({ idle: MS, hold: 2 * MS }), updater({ calls: 10 })], { kernel: 'v5.19-rc1' }),
  'v5.18': () => config([reader({ idle: MS, hold: 2 * MS }), updater({ calls: 10 })], { kernel: 'v5.18' }),
  'credit form': () =>
    config([updater({ calls: 200, gap: 160_000, gapMode: 'spin' })], {
      kernel: 'v5.19-fix4',
      cpus: 8,
      params: { 'srcutree.srcu_max_nodelay_phase': 200 },
      machineKeys: { requester: 'credit', passLoopNs: 9100, passFirstCheckNs: 9100, cbWorkNs: 9100 },
    }),
  'meets itself': () =>
    config([updater({ calls: 100, gap: 160_000, gapMode: 'spin' })], {
      machine: presetMachine('virtual-1gips'),
      cpus: 4,
      params: { 'srcutree.srcu_max_nodelay_phase': 3 },
    }),
  contended: () =>
    config(
      [
        reader({ hold: { uniform: [0, 3 * MS] }, idle: 100_000, idleMode: 'spin', count: 4, cpu: 0 }),
        { kind: 'load', mode: 'kernel', spin: 100_000, idle: 0, cpu: 0, count: 1, start: 0, stagger: 0 },
        updater({ calls: 30, gap: { uniform: [0, MS] } }),
        updater({ cpu: 2, api: 'synchronize_srcu', calls: 10 }),
      ],
      { machine: presetMachine('virtual-1gips'), cpus: 4 },
    ),
  'cut by time': () =>
    config([reader({ hold: 100 * MS }), updater({ start: 1000 })], { stop: { afterNs: 33 * MS } }),
  'open loop': () =>
    config([reader({ idle: MS, hold: 2 * MS }), updater({ calls: 20, gap: MS, gapFrom: 'call' })]),
};
