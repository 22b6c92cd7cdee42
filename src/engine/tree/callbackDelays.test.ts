/** How many grace periods a callback waits (tree R3.5): test-data/tree-worked.json, to the nanosecond. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KIND, RCU_FUNC, RCU_GP, RCU_SEGCB } from '../core/eventKinds.ts';
import type { EventRow } from '../core/rows.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import { load, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';
import { seqEnd } from './gpSeq.ts';
import { unpackSegcb } from './segcbCode.ts';

type Instant = readonly [tick: number, plusNs: number];
type Row = readonly [
  name: string,
  hz: number,
  j: number,
  gpCall: Instant | null,
  nextCall: Instant | null,
  hasUserLoad: boolean,
  callbackCpu: number,
  callbackAt: Instant,
  numberMinusN: number | null,
  fullGps: number,
  runTick: number,
  latencyNs: number,
];

const { callbackDelays } = JSON.parse(readFileSync('test-data/tree-worked.json', 'utf8')) as {
  callbackDelays: { rows: readonly Row[] };
};

const at = ([ticks, plus]: Instant) => ({ ticks, plus });

function logOf([, hz, j, gpCall, nextCall, hasUserLoad, cpu, callbackAt]: Row) {
  const sync = { api: 'synchronize_rcu', domain: 'rcu' } as const;
  const actors = [
    updater({ api: 'call_rcu', domain: 'rcu', wait: 'none', cpu, start: at(callbackAt) }),
    ...(gpCall === null ? [] : [updater({ ...sync, start: at(gpCall) })]),
    ...(nextCall === null ? [] : [updater({ ...sync, cpu: 2, start: at(nextCall) })]),
    ...(hasUserLoad ? [load({ mode: 'user', cpu: 1, spin: 1e12 })] : []),
  ];
  const params = {
    'rcutree.jiffies_till_first_fqs': j,
    'rcutree.jiffies_till_next_fqs': Math.max(j, 1),
    'rcutree.rcu_normal_wake_from_gp': 1,
  };
  return runToEnd(simConfig({ hz, params, actors })).log;
}

/** Number that the callback of a CPU has at last: R3.4. */
function numberOn(cpu: number, stats: readonly EventRow[]): number {
  const lists = stats
    .filter(({ a }) => a === RCU_SEGCB.SegCbPostAcc + 16 * cpu)
    .map(({ b, c, d }) => unpackSegcb(b, c, d));
  const last = lists.filter(({ wait, nextReady }) => wait + nextReady > 0).at(-1);
  if (last === undefined) throw new Error('never numbered');
  return last.wait > 0 ? last.waitSeq : last.nextReadySeq;
}

describe('a callback of call_rcu() in `plain` (R3.5)', () => {
  it('has every case at every HZ', () => {
    expect(callbackDelays.rows).toHaveLength(144);
    expect(new Set(callbackDelays.rows.map(([name, hz]) => `${name} ${hz}`)).size).toBe(
      4 * new Set(callbackDelays.rows.map(([name]) => name)).size,
    );
  });

  it.each(callbackDelays.rows.map((row) => [row[0], row[1], row[2], row[7].join(' + '), row] as const))(
    '%s: HZ=%i, j=%i, queued at %s',
    (_name, hz, _j, _at, row) => {
      const [, , , gpCall, , , cpu, , numberMinusN, fullGps, runTick, latencyNs] = row;
      const log = logOf(row);
      const queued = rowsOf(log, KIND.rcu_callback)[0] as EventRow;
      const ran = rowsOf(log, KIND.rcu_invoke_callback)[0] as EventRow;
      expect(ran.b).toBe(RCU_FUNC.call_rcu);
      const number = numberOn(cpu, rowsOf(log, KIND.rcu_segcb_stats));
      const starts = rowsOf(log, KIND.rcu_grace_period).filter(({ a }) => a === RCU_GP.start);
      const waited = starts.filter(({ timeNs, b }) => timeNs > queued.timeNs && seqEnd(b) <= number);
      const first = starts[0] as EventRow;
      expect({
        runNs: ran.timeNs,
        latencyNs: ran.d,
        fullGps: waited.length,
        numberMinusN: gpCall === null ? null : (number - seqEnd(first.b)) / 4,
      }).toEqual({ runNs: Math.floor((runTick * 1e9) / hz), latencyNs, fullGps, numberMinusN });
    },
  );
});
