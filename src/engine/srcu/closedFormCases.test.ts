/** test-data/srcu-closed-forms.json: single grace periods with odd limits, costs and phases (4.1 to 4.4), exact. */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import type { SimConfig } from '../config.ts';
import { KIND } from '../core/eventKinds.ts';
import type { EventRow } from '../core/rows.ts';
import type { ProfileId } from '../profiles/profiles.ts';
import { checkCount, latenciesNs, passCount, rowsOf, sleepsOf } from '../reference/logRows.testkit.ts';
import { reader, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

interface Case {
  readonly kernel: ProfileId;
  readonly hz: number;
  readonly expedited: boolean;
  readonly phaseLimit: number | null;
  readonly jiffyLimit: number | null;
  readonly retryNs: number;
  readonly passNs: number;
  readonly phiNs: number;
  readonly holdNs: number;
  readonly latencyNs: number;
  readonly gpEndNs: number;
  readonly passes: number;
  readonly checks: number;
  readonly sleeps: readonly number[];
}

const cases = JSON.parse(readFileSync('test-data/srcu-closed-forms.json', 'utf8')) as Case[];

/** At 300 HZ tick 3k is at a whole number of ns, so that the tick m after it lies floor(m / 3) ns beyond m * T. */
const START_TICK = 3;

function configOf(given: Case): SimConfig {
  const { kernel, hz, expedited, phaseLimit, jiffyLimit, retryNs, passNs, phiNs, holdNs } = given;
  const start = { ticks: START_TICK, plus: phiNs };
  return simConfig({
    kernel,
    hz,
    cpus: 2,
    // the limits in force, also for kernels that have no parameter for them
    params: {
      'srcutree.srcu_retry_check_delay': retryNs / 1000,
      'srcutree.exp_holdoff': expedited ? 25_000 : 0,
      ...(phaseLimit === null ? {} : { 'srcutree.srcu_max_nodelay_phase': phaseLimit }),
      ...(jiffyLimit === null ? {} : { 'srcutree.srcu_max_nodelay': jiffyLimit }),
    },
    machine: { passLoopNs: passNs, passFirstCheckNs: passNs, cbWorkNs: passNs },
    actors: [
      reader({ cpu: 1, start, hold: holdNs, idle: 1e10 }),
      updater({ start, api: expedited ? 'synchronize_srcu_expedited' : 'synchronize_srcu' }),
    ],
  });
}

/**
 * The calculator's ticks lie at multiples of T = floor(1e9 / hz) after the one before the request; those of a run lie
 * floor(m / 3) ns later at 300 HZ. What follows a sleep or a delayed callback moves with its tick.
 */
function onTicksOfRun(timeNs: number, followsTick: boolean, { hz, phiNs }: Case): number {
  if (hz !== 300 || !followsTick) return timeNs;
  const tick = Math.floor((timeNs + phiNs) / Math.floor(1e9 / hz));
  return timeNs + Math.floor(tick / 3);
}

function expected(given: Case) {
  const { latencyNs, gpEndNs, passNs, passes, checks, sleeps } = given;
  const isCallbackDelayed = latencyNs > gpEndNs + passNs;
  return {
    latencyNs: onTicksOfRun(latencyNs, sleeps.length > 0 || isCallbackDelayed, given),
    gpEndNs: onTicksOfRun(gpEndNs, sleeps.length > 0, given),
    passes,
    checks,
    sleeps,
  };
}

function simulated(given: Case) {
  const { log } = runToEnd(configOf(given));
  const call = rowsOf(log, KIND.api_call)[0] as EventRow;
  const end = rowsOf(log, KIND.srcu_gp_end)[0] as EventRow;
  return {
    latencyNs: latenciesNs(log)[0],
    gpEndNs: end.timeNs - call.timeNs,
    passes: passCount(log),
    checks: checkCount(log),
    sleeps: sleepsOf(log),
  };
}

it('are 600 cases of every rule, HZ and retry delay', () => {
  expect(cases).toHaveLength(600);
  const values = (key: keyof Case) => [...new Set(cases.map((given) => given[key]))].sort();
  expect(values('hz')).toEqual([100, 1000, 250, 300]);
  expect(values('kernel')).toEqual(['v5.18', 'v5.19-640a', 'v5.19-patch-v1', 'v5.19-rc1', 'v6.12']);
  expect(values('retryNs')).toHaveLength(5);
});

it.each([100, 250, 300, 1000])('come out to the nanosecond at HZ=%i', (hz) => {
  const chosen = cases.filter((given) => given.hz === hz);
  expect(chosen.length).toBeGreaterThan(100);
  for (const given of chosen) expect(simulated(given), JSON.stringify(given)).toEqual(expected(given));
});
