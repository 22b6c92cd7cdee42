/** Section 7 of the rules: docs/model/srcu-worked-examples.md, every cell of its tables and the sequences below. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { SimConfig } from '../config.ts';
import { KIND, TIMER_FN } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import type { ProfileId } from '../profiles/profiles.ts';
import { latenciesNs, passCount, passRows, rowsOf, sleepsOf } from '../reference/logRows.testkit.ts';
import { reader, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;
const PHASES = 200;

interface Cell {
  readonly hz: number;
  readonly expedited: boolean;
  readonly kernel: ProfileId;
  readonly holdNs: number;
}
interface Row extends Cell {
  readonly latencyNs: number;
  readonly passes: number;
  readonly sleeps: readonly number[];
  readonly minNs: number;
  readonly meanNs: number;
  readonly maxNs: number;
}

const rows = JSON.parse(readFileSync('test-data/srcu-worked-examples.json', 'utf8')) as Row[];

/** Everything but the actors: equal for all phases. */
function baseOf({ hz, expedited, kernel }: Cell): SimConfig {
  const params = expedited ? {} : { 'srcutree.exp_holdoff': 0 };
  return simConfig({ kernel, hz, cpus: 2, params, actors: [] });
}

/** One reader, one call, both at `phiNs` after tick 1. */
function withActors(base: SimConfig, { expedited, holdNs }: Cell, phiNs: number): SimConfig {
  const start = { ticks: 1, plus: phiNs };
  const api = expedited ? 'synchronize_srcu_expedited' : 'synchronize_srcu';
  const actors = [reader({ cpu: 1, start, hold: holdNs, idle: 10_000 * MS }), updater({ start, api })];
  return { ...base, actors };
}

describe('worked examples', () => {
  it('are all there: 2 HZ, expedited and normal, 5 kernels, 7 holds', () => {
    expect(rows).toHaveLength(140);
    const cells = rows.map(({ hz, expedited, kernel, holdNs }) => [hz, expedited, kernel, holdNs].join());
    expect(new Set(cells).size).toBe(140);
    expect(new Set(rows.map(({ kernel }) => kernel)).size).toBe(5);
  });

  it.each(
    rows.map(
      (row) => [row.hz, row.expedited ? 'expedited' : 'normal', row.kernel, row.holdNs / MS, row] as const,
    ),
  )('HZ=%i, %s, %s, hold %d ms, to the nanosecond in 200 phases', (_hz, _speed, _kernel, _hold, row) => {
    const periodNs = 1e9 / row.hz;
    const base = baseOf(row);
    const runAt = (phiNs: number) => runToEnd(withActors(base, row, phiNs)).log;
    const log = runAt(periodNs / 2);
    const phases = Array.from({ length: PHASES }, (_, i) => Math.floor((periodNs * i) / PHASES));
    const values = phases.map((phiNs) => latenciesNs(runAt(phiNs))[0] as number);
    const sum = values.reduce((total, value) => total + value, 0);
    expect({
      latencyNs: latenciesNs(log),
      passes: passCount(log),
      sleeps: sleepsOf(log),
      minNs: Math.min(...values),
      meanNs: Math.floor(sum / PHASES),
      maxNs: Math.max(...values),
    }).toEqual({
      latencyNs: [row.latencyNs],
      passes: row.passes,
      sleeps: row.sleeps,
      minNs: row.minNs,
      meanNs: row.meanNs,
      maxNs: row.maxNs,
    });
  });
});

/** HZ=250, phi = 2 ms: what happens when, in us since the request. */
function sequence(kernel: ProfileId, holdMs: number, expedited: boolean): string[] {
  const cell = { hz: 250, expedited, kernel, holdNs: holdMs * MS };
  const { log } = runToEnd(withActors(baseOf(cell), cell, 2 * MS));
  const zeroNs = (rowsOf(log, KIND.api_call)[0] as { timeNs: number }).timeNs;
  return [...passSteps(log), ...sleepSteps(log), ...callbackSteps(log)]
    .sort((x, y) => x.timeNs - y.timeNs || x.order - y.order)
    .map(({ timeNs, text }) => `${((timeNs - zeroNs) / 1000).toFixed(0)} ${text}`);
}

interface Step {
  readonly timeNs: number;
  readonly order: number;
  readonly text: string;
}

/** Bursts and single passes: when they end and what they saw. */
function passSteps(log: EventLog): Step[] {
  return passRows(log).map(({ endNs, count, checks, failedChecks }) => ({
    timeNs: endNs,
    order: 0,
    text: `${count} passes of ${failedChecks === checks ? checks : `${failedChecks} + ${checks - failedChecks}`} checks`,
  }));
}

function sleepSteps(log: EventLog): Step[] {
  const process = ({ a }: { a: number }) => a === TIMER_FN.delayed_work_timer_fn;
  const sleeps = rowsOf(log, KIND.timer_start).filter(process);
  const wakes = rowsOf(log, KIND.timer_expire_entry).filter(process);
  return [
    ...sleeps.map(({ timeNs, b }) => ({ timeNs, order: 1, text: `sleep ${b}` })),
    ...wakes.map(({ timeNs }) => ({ timeNs, order: 2, text: 'wake' })),
  ];
}

function callbackSteps(log: EventLog): Step[] {
  const ends = rowsOf(log, KIND.srcu_gp_end).map(({ timeNs, b }) => ({
    timeNs,
    order: 3,
    text: `end, cbdelay ${b}`,
  }));
  const runs = rowsOf(log, KIND.srcu_cb_invoke).map(({ timeNs }) => ({ timeNs, order: 4, text: 'callback' }));
  return [...ends, ...runs];
}

const FIRST = '15 1 passes of 3 + 1 checks';

describe('sequences at HZ=250, phi = 2 ms', () => {
  it.each<[string, ProfileId, number, boolean, string[]]>([
    [
      'v5.18, hold 1: polls until the second check of pass 67 finds nobody',
      ...(['v5.18', 1, true] as const),
      [
        FIRST,
        '990 65 passes of 3 checks',
        '1000 1 passes of 1 + 1 checks',
        '1000 end, cbdelay 0',
        '1005 callback',
      ],
    ],
    [
      '282d, hold 0.3: one pass, two ticks of sleep, two ticks to the callback',
      ...(['v5.19-rc1', 0.3, true] as const),
      ['10 1 passes of 2 + 1 checks', '10 sleep 1', '6000 wake', '6005 1 passes of 0 + 1 checks'].concat([
        '6005 end, cbdelay 1',
        '14005 callback',
      ]),
    ],
    [
      '640a, hold 5: as 282d after a pass of three checks',
      ...(['v5.19-640a', 5, true] as const),
      [
        FIRST,
        '15 sleep 1',
        '6000 wake',
        '6005 1 passes of 0 + 1 checks',
        '6005 end, cbdelay 1',
        '14005 callback',
      ],
    ],
    [
      'v1, hold 2: 101 passes, the per-jiffy limit',
      ...(['v5.19-patch-v1', 2, true] as const),
      [FIRST, '1500 99 passes of 3 checks', '1515 1 passes of 3 checks', '1515 sleep 1', '6000 wake'].concat([
        '6005 1 passes of 0 + 1 checks',
        '6005 end, cbdelay 0',
        '6010 callback',
      ]),
    ],
    [
      'v6.x, hold 12: 400 passes until age 2',
      ...(['v6.12', 12, true] as const),
      [
        FIRST,
        '5985 398 passes of 3 checks',
        '6000 1 passes of 3 checks',
        '6000 sleep 1',
        '14000 wake',
      ].concat(['14005 1 passes of 0 + 1 checks', '14005 end, cbdelay 0', '14010 callback']),
    ],
    [
      'v6.x, hold 40: the same, then sleeps of 3 and 7',
      ...(['v6.12', 40, true] as const),
      [
        FIRST,
        '5985 398 passes of 3 checks',
        '6000 1 passes of 3 checks',
        '6000 sleep 1',
        '14000 wake',
      ].concat(
        ['14010 1 passes of 2 checks', '14010 sleep 3', '30000 wake'],
        ['30010 1 passes of 2 checks', '30010 sleep 7', '62000 wake'],
        ['62005 1 passes of 0 + 1 checks', '62005 end, cbdelay 0', '62010 callback'],
      ),
    ],
    [
      'v6.x normal, hold 12: first pass at the second tick, callback two ticks after the end',
      ...(['v6.12', 12, false] as const),
      ['0 sleep 1', '6000 wake', '6010 1 passes of 2 + 1 checks', '6010 sleep 2', '18000 wake'].concat([
        '18005 1 passes of 0 + 1 checks',
        '18005 end, cbdelay 1',
        '26005 callback',
      ]),
    ],
  ])('%s', (_, kernel, holdMs, expedited, steps) => {
    expect(sequence(kernel, holdMs, expedited)).toEqual(steps);
  });
});
