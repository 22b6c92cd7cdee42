/** The requester as a reader of its own grace period: rules 5.6, C7, E7 and the test table of §8.6. */
import { describe, expect, it } from 'vitest';
import type { SimConfig } from '../config.ts';
import { KIND } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import { unpackPass } from '../core/passCode.ts';
import type { EventRow } from '../core/rows.ts';
import type { ProfileId } from '../profiles/profiles.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

const CALLS = 300;
const GAPS_US = [20, 160, 686, 1372];

interface Setting extends Omit<ConfigParts, 'actors'> {
  readonly kernel: ProfileId;
  readonly phaseLimit: number;
  readonly gapUs: number;
}

/** 300 expedited calls, no other reader; the requester spins between calls and never sleeps. */
function configOf({ phaseLimit, gapUs, ...parts }: Setting): SimConfig {
  const start = { ticks: 5, plus: 31_000 };
  return simConfig({
    preset: 'virtual-1gips',
    ...parts,
    params: { 'srcutree.srcu_max_nodelay_phase': phaseLimit },
    machine: { jiffyRace: 'none', ...parts.machine },
    actors: [updater({ start, calls: CALLS, gap: gapUs * 1000, gapMode: 'spin' })],
  });
}

/** Grace periods in which a check found somebody: there is nobody but the requester. */
function overruns(log: EventLog): number {
  const met = new Set<number>();
  let gracePeriod = 0;
  log.forEach(({ kind, a, c }) => {
    if (kind === KIND.srcu_gp_start) gracePeriod++;
    if (kind !== KIND.srcu_pass || a === 0) return;
    if (unpackPass(c).failedChecks > 0) met.add(gracePeriod);
  });
  return met.size;
}

function overrunShare(setting: Setting): number {
  const { log } = runToEnd(configOf(setting));
  expect(rowsOf(log, KIND.srcu_gp_end)).toHaveLength(CALLS);
  return overruns(log) / CALLS;
}

/** Measured shares by gap, and those of the formulas C7 and E7 where there is one (§8.6). */
const TABLE: readonly [
  kernel: ProfileId,
  hz: number,
  phaseLimit: number,
  measured: number[],
  formula?: number[],
][] = [
  ['v6.1', 250, 3, [1, 1, 1, 1], [1, 1, 1, 1]],
  ['v6.1', 250, 100, [0.067, 0.31, 1, 1], [0.06, 0.3, 1, 1]],
  ['v6.1', 250, 200, [0.037, 0.157, 0.593, 1], [0.03, 0.15, 0.61, 1]],
  ['v6.1', 250, 1000, [0.003, 0.033, 0.12, 0.253], [0.01, 0.03, 0.12, 0.24]],
  ['v6.12', 250, 3, [0.443, 1, 0.993, 0.997], [0.45, 1, 1, 1]],
  ['v6.12', 250, 100, [0.04, 0.22, 0.99, 0.993], [0.03, 0.21, 1, 1]],
  ['v6.12', 250, 200, [0.02, 0.127, 0.373, 0.993], [0.02, 0.12, 0.37, 1]],
  ['v6.12', 250, 1000, [0.007, 0.04, 0.15, 0.267], [0.01, 0.04, 0.15, 0.27]],
  ['v6.12', 1000, 3, [0.443, 1, 0.993, 0.997]],
  ['v6.12', 1000, 100, [0.04, 0.22, 0.98, 0.663]],
  ['v6.12', 1000, 200, [0.02, 0.13, 0.373, 0.553]],
  ['v6.12', 1000, 1000, [0.017, 0.107, 0.297, 0.52]],
];
const LIMITS = [3, 100, 200, 1000];

describe('share of calls that meet their requester (C7, E7)', () => {
  it.each(TABLE)(
    '%s PREEMPT at HZ=%i, phase limit %i, as measured',
    (kernel, hz, phaseLimit, measured, formula) => {
      const shares = GAPS_US.map((gapUs) => overrunShare({ kernel, hz, phaseLimit, gapUs }));
      for (const [i, share] of shares.entries()) {
        const message = `gap ${GAPS_US[i]} us: ${share}`;
        expect(Math.abs(share - (measured[i] as number)), message).toBeLessThanOrEqual(0.03);
        if (formula === undefined) continue;
        expect(Math.abs(share - (formula[i] as number)), message).toBeLessThanOrEqual(0.03);
      }
    },
  );

  it.each(['none', 'voluntary'] as const)('is 0 with preempt %s (5.6)', (preempt) => {
    for (const kernel of ['v6.1', 'v6.12'] as const) {
      for (const phaseLimit of LIMITS) {
        const shares = GAPS_US.map((gapUs) => overrunShare({ kernel, preempt, phaseLimit, gapUs }));
        expect(shares).toEqual([0, 0, 0, 0]);
      }
    }
  });

  it('is 0 where the model does not look at the section of the call', () => {
    const machine = { requester: 'unseen' } as const;
    expect(overrunShare({ kernel: 'v6.1', phaseLimit: 3, gapUs: 160, machine })).toBe(0);
  });
});

describe('a requester that meets itself (5.6)', () => {
  const { log, info } = runToEnd(configOf({ kernel: 'v6.1', phaseLimit: 3, gapUs: 160 }));
  const [call, back] = [rowsOf(log, KIND.api_call)[5], rowsOf(log, KIND.api_return)[5]] as EventRow[];
  const inCall = (kind: (typeof KIND)[keyof typeof KIND]) =>
    rowsOf(log, kind).filter(({ timeNs }) => timeNs >= call!.timeNs && timeNs <= back!.timeNs);

  it('is preempted by the worker between queue_work and its own unlock', () => {
    const kindOf = (track: number) => info.tracks[track]?.kind;
    const [request] = inCall(KIND.srcu_request) as [EventRow];
    const [unlock] = inCall(KIND.srcu_unlock) as [EventRow];
    const preempted = inCall(KIND.sched_switch).filter(
      ({ timeNs, c }) => c === 1 && timeNs >= request.timeNs && timeNs < unlock.timeNs,
    );
    expect(preempted.map(({ a, b }) => [kindOf(b), kindOf(a)])).toEqual([['thread', 'worker']]);
  });

  it('holds a section of its own domain from before its request until after it, and no other', () => {
    const kinds: number[] = [];
    log.forEach(({ timeNs, kind, track, d }) => {
      if (timeNs < call!.timeNs || timeNs > back!.timeNs) return;
      if (kind === KIND.srcu_request) kinds.push(KIND.srcu_request);
      if (kind !== KIND.srcu_lock && kind !== KIND.srcu_unlock) return;
      expect([track, d]).toEqual([call!.track, 1]);
      kinds.push(kind);
    });
    expect(kinds).toEqual([KIND.srcu_lock, KIND.srcu_request, KIND.srcu_unlock]);
  });

  it('is let go when the worker sleeps: the grace period ends at the timer', () => {
    const [unlock] = inCall(KIND.srcu_unlock) as [EventRow];
    const [timer] = inCall(KIND.timer_start) as [EventRow];
    const [expiry] = inCall(KIND.timer_expire_entry) as [EventRow];
    const [end] = inCall(KIND.srcu_gp_end) as [EventRow];
    expect(unlock.timeNs).toBeGreaterThan(timer.timeNs);
    expect(unlock.timeNs).toBeLessThan(expiry.timeNs);
    expect(end.timeNs - expiry.timeNs).toBeLessThan(10_000);
  });
});
