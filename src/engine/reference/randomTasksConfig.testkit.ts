/** Random configurations of RCU Tasks: every flavour, call and actor beside those of Tree RCU, in small doses. */
import fc from 'fast-check';
import {
  type Actor,
  domainOfApi,
  type ExiterActor,
  type HoldoutActor,
  type SimConfig,
  TASKS_APIS,
} from '../config.ts';
import { RULE_IDS } from '../profiles/profiles.ts';
import { dist, ruleValues, start } from './randomConfig.testkit.ts';
import { randomRcuConfig } from './randomRcuConfig.testkit.ts';
import { reader, updater } from './simConfig.testkit.ts';

const everyActor = {
  cpu: fc.nat(70),
  count: fc.constantFrom(1, 1, 2, 3),
  start,
  stagger: fc.constantFrom(0, 28_000, 1_000_000),
};
const mode = fc.constantFrom('spin', 'sleep');

const updaters = fc
  .record({
    ...everyActor,
    api: fc.constantFrom(...TASKS_APIS),
    calls: fc.integer({ min: 1, max: 6 }),
    gap: dist(0, 60_000_000),
    gapMode: mode,
    gapFrom: fc.constantFrom('return', 'return', 'call'),
    batch: fc.constantFrom(1, 2, 16, 40),
    wait: fc.constantFrom('barrier', 'none'),
  })
  .map((drawn) => updater({ ...drawn, domain: domainOfApi(drawn.api) }));

const readers = fc
  .record({
    ...everyActor,
    hold: dist(0, 60_000_000),
    idle: dist(20_000, 20_000_000),
    holdMode: mode,
    idleMode: mode,
  })
  .map((drawn) => reader({ ...drawn, domain: 'tasks-trace' }));

const holdouts: fc.Arbitrary<HoldoutActor> = fc
  .record({ ...everyActor, spin: dist(20_000, 400_000_000), sleep: dist(20_000, 5_000_000) })
  .map((drawn) => ({ kind: 'holdout', ...drawn }));

const exiters: fc.Arbitrary<ExiterActor> = fc
  .record({
    ...everyActor,
    gap: dist(20_000, 20_000_000),
    exit: dist(0, 40_000_000),
    tail: dist(0, 5_000_000),
  })
  .map((drawn) => ({ kind: 'exiter', ...drawn }));

const PARAM_VALUES: Readonly<Record<string, readonly number[]>> = {
  'rcupdate.rcu_tasks_lazy_ms': [-1, 0, 40],
  'rcupdate.rcu_tasks_trace_lazy_ms': [-1, 0, 40],
  'rcupdate.rcu_task_lazy_lim': [0, 5, 32],
  'rcupdate.rcu_task_ipi_delay': [0, 3],
  'rcupdate.rcu_task_stall_timeout': [0, 40, 600],
  'rcupdate.rcu_task_stall_info': [0, 30, 600],
  'rcupdate.rcu_task_stall_info_mult': [1, 3],
};

const tasks = fc.record({
  updaters: fc.array(updaters, { minLength: 1, maxLength: 3 }),
  readers: fc.array(readers, { maxLength: 2 }),
  holdouts: fc.array(holdouts, { maxLength: 2 }),
  exiters: fc.array(exiters, { maxLength: 2 }),
  rules: fc.oneof(
    { weight: 1, arbitrary: fc.constant({}) },
    {
      weight: 1,
      arbitrary: fc.record(
        Object.fromEntries(
          RULE_IDS.filter((rule) => rule.startsWith('tasks.')).map((rule) => [
            rule,
            fc.constantFrom(...ruleValues(rule)),
          ]),
        ),
        { requiredKeys: [] },
      ),
    },
  ),
  params: fc.record(
    Object.fromEntries(
      Object.entries(PARAM_VALUES).map(([name, values]) => [name, fc.constantFrom(...values)]),
    ),
    { requiredKeys: [] },
  ),
  kconfig: fc.constantFrom<Record<string, boolean>[]>(
    ...[{}, {}, {}],
    ...[{ TASKS_TRACE_RCU_READ_MB: true }, { PREEMPT_RT: true }, { PREEMPT_DYNAMIC: true }],
  ),
  nohzFull: fc.constantFrom('', '', '', '1'),
  tasksUrgent: fc.nat(3),
  stopMs: fc.integer({ min: 20, max: 900 }),
});

/** Complete configurations of RCU Tasks. Each ends after at most 0.9 s; runs should be given a limit (`maxEvents`). */
export function randomTasksConfig(): fc.Arbitrary<SimConfig> {
  return fc.tuple(randomRcuConfig(), tasks).map(([config, drawn]): SimConfig => {
    const { cpus } = config;
    const own: Actor[] = [...drawn.updaters, ...drawn.readers, ...drawn.holdouts, ...drawn.exiters];
    const params = { ...config.params, ...(drawn.params as Record<string, number>) };
    return {
      ...config,
      rules: { ...config.rules, ...drawn.rules },
      params: drawn.nohzFull === '' || cpus < 2 ? params : { ...params, nohz_full: drawn.nohzFull },
      kconfig: { ...config.kconfig, ...drawn.kconfig },
      initial: { ...config.initial, tasksUrgent: drawn.tasksUrgent },
      actors: [...own.map((actor) => ({ ...actor, cpu: actor.cpu % cpus })), ...config.actors.slice(0, 1)],
      stop: { afterNs: drawn.stopMs * 1_000_000, whenDone: config.stop.whenDone ?? true },
    };
  });
}
