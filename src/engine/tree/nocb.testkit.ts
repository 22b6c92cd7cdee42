/** What tests of offloading run, and what they read off the log. */
import type { UpdaterActor } from '../config.ts';
import { KIND, RCU_NOCB } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';
import type { Run } from '../run.ts';

/** An updater of Tree RCU. */
export function rcuUpdater(api: UpdaterActor['api'], part: Parameters<typeof updater>[0] = {}): UpdaterActor {
  return updater({ domain: 'rcu', wait: 'none', ...part, api });
}

/** A run with all of 8 CPUs offloaded, callers of synchronize_rcu() behind callbacks, where nothing else is said. */
export function runOffloaded(parts: ConfigParts): Run {
  const { params, ...rest } = parts;
  const offload = { rcu_nocbs: 'all', 'rcutree.rcu_normal_wake_from_gp': 0 };
  return runToEnd(simConfig({ cpus: 8, params: { ...offload, ...params }, ...rest }));
}

const REASONS = Object.keys(RCU_NOCB) as (keyof typeof RCU_NOCB)[];

/** One rcu_nocb_wake row. */
export interface NocbWake {
  readonly timeNs: number;
  readonly reason: keyof typeof RCU_NOCB;
  readonly cpu: number;
}

/** rcu_nocb_wake rows, in order; "Check" left out, which comes for every CPU at every look. */
export function nocbWakes(log: EventLog): NocbWake[] {
  return rowsOf(log, KIND.rcu_nocb_wake)
    .filter(({ a }) => a !== RCU_NOCB.Check)
    .map(({ timeNs, a, b }) => ({ timeNs, reason: REASONS[a] as keyof typeof RCU_NOCB, cpu: b }));
}

/** Their reasons. */
export function nocbReasons(log: EventLog): string[] {
  return nocbWakes(log).map(({ reason }) => reason);
}
