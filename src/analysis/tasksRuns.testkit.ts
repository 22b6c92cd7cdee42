/** Configurations of RCU Tasks for the tests of the analysis. */
import type {
  ExiterActor,
  HoldoutActor,
  ReaderActor,
  SimConfig,
  TasksApi,
  UpdaterActor,
} from '../engine/config.ts';
import { domainOfApi } from '../engine/config.ts';
import { presetMachine } from '../engine/machine/presets.ts';
import { config, MS, reader, updater } from './runs.testkit.ts';

const EVERY_ACTOR = { count: 1, start: 0, stagger: 0 } as const;

/** An updater on CPU 0 that makes one call of RCU Tasks. */
export function tasksCall(api: TasksApi, keys: Partial<UpdaterActor> = {}): UpdaterActor {
  return updater({ api, domain: domainOfApi(api), ...keys });
}

/** A kernel thread on CPU 1 that keeps its CPU for so long, then sleeps for ever. */
export function holdout(spinNs: number, keys: Partial<HoldoutActor> = {}): HoldoutActor {
  return { kind: 'holdout', cpu: 1, ...EVERY_ACTOR, spin: spinNs, sleep: 3_600_000 * MS, ...keys };
}

/** Tasks on CPU 2 that end one after the other. */
export function exiter(keys: Partial<ExiterActor> = {}): ExiterActor {
  return { kind: 'exiter', cpu: 2, ...EVERY_ACTOR, gap: 3 * MS, exit: MS, tail: 5000, ...keys };
}

function traceReader(keys: Partial<ReaderActor> = {}): ReaderActor {
  return reader({ domain: 'tasks-trace', hold: 30 * MS, idle: MS, cpu: 1, ...keys });
}

/** A load in user mode on CPU 1. */
export const USER_LOAD = { kind: 'load', mode: 'user', idle: 0, cpu: 1, ...EVERY_ACTOR } as const;
const TYPICAL = { cpus: 4, machine: presetMachine('typical') } as const;

/** Runs that between them have every part of RCU Tasks that the analysis shows. */
export const TASKS_SAMPLES: Readonly<Record<string, () => SimConfig>> = {
  'plain, kernel holdout': () => config([tasksCall('synchronize_rcu_tasks'), holdout(250 * MS)], { cpus: 4 }),
  'kernel holdout': () =>
    config([tasksCall('synchronize_rcu_tasks', { calls: 3 }), holdout(250 * MS)], TYPICAL),
  'user load': () => config([tasksCall('synchronize_rcu_tasks', { calls: 3 }), USER_LOAD], TYPICAL),
  'user load, v4.17': () =>
    config([tasksCall('synchronize_rcu_tasks', { calls: 2 }), USER_LOAD], { ...TYPICAL, kernel: 'v4.17' }),
  'several callers': () =>
    config(
      [tasksCall('synchronize_rcu_tasks', { calls: 4, count: 6, gap: { uniform: [0, 50 * MS] } })],
      TYPICAL,
    ),
  lazy: () =>
    config(
      [tasksCall('call_rcu_tasks', { calls: 3, batch: 3 }), holdout(20 * MS, { start: 200 * MS })],
      TYPICAL,
    ),
  'barrier beside others': () =>
    config(
      [
        tasksCall('call_rcu_tasks', { calls: 3, wait: 'none', gap: 40 * MS }),
        tasksCall('rcu_barrier_tasks', { calls: 2, cpu: 1, start: 100 * MS }),
      ],
      TYPICAL,
    ),
  'exit srcu': () =>
    config([tasksCall('synchronize_rcu_tasks', { calls: 3 }), exiter()], { ...TYPICAL, kernel: 'v6.1' }),
  'exit lists': () => config([tasksCall('synchronize_rcu_tasks', { calls: 3 }), exiter()], TYPICAL),
  'woken from the grace period': () =>
    config([tasksCall('synchronize_rcu_tasks', { calls: 2 }), holdout(150 * MS)], {
      ...TYPICAL,
      params: { 'rcutree.rcu_normal_wake_from_gp': 1 },
    }),
  expedited: () =>
    config([tasksCall('synchronize_rcu_tasks', { calls: 2 }), holdout(150 * MS)], {
      ...TYPICAL,
      params: { 'rcupdate.rcu_expedited': 1 },
    }),
  rude: () => config([tasksCall('synchronize_rcu_tasks_rude', { calls: 3 }), USER_LOAD], TYPICAL),
  trace: () => config([tasksCall('synchronize_rcu_tasks_trace', { calls: 5 }), traceReader()], TYPICAL),
  'all flavours': () =>
    config(
      [
        tasksCall('synchronize_rcu_tasks', { calls: 2 }),
        tasksCall('synchronize_rcu_tasks_rude', { calls: 2, cpu: 1 }),
        tasksCall('call_rcu_tasks_trace', { calls: 2, cpu: 2 }),
        traceReader({ cpu: 3 }),
      ],
      TYPICAL,
    ),
  realtime: () =>
    config([tasksCall('synchronize_rcu_tasks', { calls: 2 }), holdout(150 * MS)], {
      ...TYPICAL,
      kconfig: { PREEMPT_RT: true },
    }),
};

/** One of them, with other rules if they are given. Throws for a name that is none. */
export function tasksSample(name: string, rules: Partial<SimConfig['rules']> = {}): SimConfig {
  const sample = TASKS_SAMPLES[name];
  if (sample === undefined) throw new Error(`no sample ${name}`);
  const simConfig = sample();
  return { ...simConfig, rules: { ...simConfig.rules, ...rules } };
}
