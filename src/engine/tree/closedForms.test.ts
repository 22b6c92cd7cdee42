/** Closed forms of tree 4.2 (a) to (d) and 2.7 as configurations: test-data/tree-worked.json, to the nanosecond. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KIND } from '../core/eventKinds.ts';
import { latenciesNs, rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, load, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

type Phases = readonly (readonly [phaseNs: number, firstNs: number])[];
type LoopRow = readonly [
  hz: number,
  j: number,
  wake: number,
  cpus: number,
  startTick: number,
  returnTicks: readonly number[],
  phases: Phases,
  laterNs: readonly number[],
];

const worked = JSON.parse(readFileSync('test-data/tree-worked.json', 'utf8')) as {
  idleLoops: { rows: readonly (readonly [form: string, ...LoopRow])[] };
  userLoadLoops: { rows: readonly LoopRow[] };
  closedForms: {
    rows: readonly (readonly [
      form: string,
      hz: number,
      j: number,
      scans: number,
      startTick: number,
      plusNs: number,
      ticks: number,
      latencyNs: number,
    ])[];
  };
};

function expectLoop(row: LoopRow, actors: ConfigParts['actors']): void {
  const [hz, j, wake, cpus, startTick, returnTicks, phases, laterNs] = row;
  const params = {
    'rcutree.jiffies_till_first_fqs': j,
    'rcutree.jiffies_till_next_fqs': Math.max(j, 1),
    'rcutree.rcu_normal_wake_from_gp': wake,
  };
  for (const [phaseNs, firstNs] of phases) {
    const caller = updater({
      api: 'synchronize_rcu',
      domain: 'rcu',
      calls: 5,
      start: { ticks: startTick, plus: phaseNs },
    });
    const { log, info } = runToEnd(simConfig({ hz, cpus, params, actors: [caller, ...actors] }));
    const returns = rowsOf(log, KIND.api_return).map(({ timeNs }) => timeNs);
    const tickNs = (tick: number) => Math.floor((tick * 1e9) / info.config.hz);
    expect({ phaseNs, returns, latencies: latenciesNs(log) }).toEqual({
      phaseNs,
      returns: returnTicks.map(tickNs),
      latencies: [firstNs, ...laterNs],
    });
  }
}

describe('looping callers of synchronize_rcu() in `plain`', () => {
  it('has every HZ, wait and way of waking up', () => {
    const { rows } = worked.idleLoops;
    expect(rows).toHaveLength(64);
    expect(new Set(rows.map(([, hz, j, wake]) => [hz, j, wake].join())).size).toBe(4 * 4 * 2);
  });

  it.each(worked.idleLoops.rows.map(([form, ...row]) => [form, row[0], row[1], row[2], row] as const))(
    '%s: HZ=%i, j=%i, wake=%i',
    (_form, _hz, _j, _wake, row) => {
      expectLoop(row, []);
    },
  );

  it.each(worked.userLoadLoops.rows.map((row) => [row[0], row[1], row[2], row] as const))(
    '2.7, other CPUs in user mode: HZ=%i, j=%i, wake=%i',
    (_hz, _j, _wake, row) => {
      expectLoop(row, [load({ mode: 'user', cpu: 1, count: 3, spin: 1e12 })]);
    },
  );
});

describe('closed forms of 4.2 with one scan, and with two where an idle CPU stops its tick at once (R2.7b, R1.16)', () => {
  it('has rows of both kinds', () => {
    expect(new Set(worked.closedForms.rows.map(([, , , scans]) => scans))).toEqual(new Set([1, 2]));
  });

  it.each(
    worked.closedForms.rows.map(
      ([form, hz, j, scans, tick, plus, , latencyNs]) => [form, hz, j, scans, plus, tick, latencyNs] as const,
    ),
  )('(%s) HZ=%i, j=%i, %i scans, %i ns after a tick', (form, hz, j, scans, plus, tick, latencyNs) => {
    const params = {
      'rcutree.jiffies_till_first_fqs': j,
      'rcutree.jiffies_till_next_fqs': Math.max(j, 1),
      'rcutree.rcu_normal_wake_from_gp': form === 'a' || form === 'b' ? 1 : 0,
    };
    // not the CPU of the kthread, which a callback would keep ticking
    const caller = updater({ api: 'synchronize_rcu', domain: 'rcu', cpu: 1, start: { ticks: tick, plus } });
    const { log } = runToEnd(
      simConfig({
        hz,
        params,
        machine: { idleTick: scans === 1 ? 'retain-one' : 'immediate' },
        actors: [caller],
      }),
    );
    expect(latenciesNs(log)).toEqual([latencyNs]);
  });
});
