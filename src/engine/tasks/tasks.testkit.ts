/** Runs of RCU Tasks for tests, and what their rows say. */
import {
  domainOfApi,
  type ExiterActor,
  type HoldoutActor,
  type TasksApi,
  type UpdaterActor,
} from '../config.ts';
import { KIND, TASKS_HOLDOUT } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import type { EventRow } from '../core/rows.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import { updater } from '../reference/simConfig.testkit.ts';

/** ns in a ms. */
export const MS = 1_000_000;
const EVERY_ACTOR = { count: 1, start: 0, stagger: 0 } as const;

/** An updater on CPU 0 that makes one call. */
export function tasksCall(api: TasksApi, part: Partial<UpdaterActor> = {}): UpdaterActor {
  return updater({ api, domain: domainOfApi(api), ...part });
}

/** A thread on CPU 1 that keeps its CPU for so long, then sleeps for ever. */
export function holdoutFor(spinNs: number, part: Partial<HoldoutActor> = {}): HoldoutActor {
  return { kind: 'holdout', cpu: 1, ...EVERY_ACTOR, spin: spinNs, sleep: 3_600_000 * MS, ...part };
}

/** Tasks on CPU 2 that end one after the other. */
export function exiter(part: Partial<ExiterActor> = {}): ExiterActor {
  return { kind: 'exiter', cpu: 2, ...EVERY_ACTOR, gap: 3 * MS, exit: 50_000, tail: 5000, ...part };
}

/** The rows in which a flavour takes a state. */
export function statesOf(log: EventLog, flavor: number, state: number): EventRow[] {
  return rowsOf(log, KIND.rcu_tasks_state).filter(({ a, b }) => a === state && b === flavor);
}

/** All states of a flavour, in order. */
export function courseOf(log: EventLog, flavor: number): number[] {
  return rowsOf(log, KIND.rcu_tasks_state)
    .filter(({ b }) => b === flavor)
    .map(({ a }) => a);
}

/** TASKS_WHY of the holdouts that scans took off, by track. */
export function removedBy(log: EventLog): ReadonlyMap<number, number> {
  const rows = rowsOf(log, KIND.rcu_tasks_holdout).filter(({ a }) => a === TASKS_HOLDOUT.removed);
  return new Map(rows.map(({ track, c }) => [track, c]));
}
