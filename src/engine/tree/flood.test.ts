/** Many callbacks on a CPU: batches, qhimark, qovld (tree R3.6, R3.7, R2.13, R2.14). */
import { describe, expect, it } from 'vitest';
import { KIND, RCU_GP } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import type { EventRow } from '../core/rows.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import {
  type ConfigParts,
  load,
  reader,
  runToEnd,
  simConfig,
  updater,
} from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;
const US = 1000;

type Part = Parameters<typeof updater>[0];
function enqueue(startNs: number, batch: number, part: Part = {}) {
  return updater({ api: 'call_rcu', domain: 'rcu', wait: 'none', start: startNs, batch, ...part });
}
function logOf(actors: ConfigParts['actors'], parts: Omit<ConfigParts, 'actors'> = {}): EventLog {
  return runToEnd(simConfig({ ...parts, actors })).log;
}
/** A reader that holds the first grace period up for 40 ms. */
const holdout = reader({ domain: 'rcu', cpu: 3, start: 0, hold: 40 * MS, idle: 10_000 * MS });

function gpRows(log: EventLog, code: number): EventRow[] {
  return rowsOf(log, KIND.rcu_grace_period).filter(({ a }) => a === code);
}
/** Sizes of the batches. */
function batches(log: EventLog): number[] {
  return rowsOf(log, KIND.rcu_batch_end).map(({ a }) => a);
}
/** Limits of the batches. */
function limits(log: EventLog): number[] {
  return rowsOf(log, KIND.rcu_batch_start).map(({ b }) => b);
}

describe('a batch (rcu_do_batch(), R3.6)', () => {
  const busy = load({ mode: 'user' });

  it('takes all that is ready on an idle CPU, whatever its limit', () => {
    const log = logOf([enqueue(5 * MS, 50)]);
    expect([limits(log), batches(log)]).toEqual([[10], [50]]);
  });

  it('ends at blimit where something runs, and another one follows at once', () => {
    const log = logOf([busy, enqueue(5 * MS, 25)]);
    expect(batches(log)).toEqual([10, 10, 5]);
    expect(rowsOf(log, KIND.rcu_batch_end).map(({ b }) => b)).toEqual([1, 1, 0]);
    expect(new Set(rowsOf(log, KIND.rcu_batch_end).map(({ timeNs }) => timeNs)).size).toBe(1);
    expect(batches(logOf([busy, enqueue(5 * MS, 25)], { params: { 'rcutree.blimit': 15 } }))).toEqual([
      15, 10,
    ]);
  });

  it('may be as large as the ready callbacks shifted right by rcu_divisor', () => {
    const params = { 'rcutree.rcu_divisor': 2 };
    expect(limits(logOf([busy, enqueue(5 * MS, 100)], { params }))[0]).toBe(25);
  });

  it('counts all callbacks of the CPU for that before 6.12 (tree.batchLimit)', () => {
    // 100 are ready when 100 more, queued later, are not
    const actors = [busy, enqueue(5 * MS, 100), enqueue(17 * MS, 100)];
    const params = { 'rcutree.rcu_divisor': 2 };
    expect(limits(logOf(actors, { params }))[0]).toBe(25);
    expect(limits(logOf(actors, { params, rules: { 'tree.batchLimit': 'v6.1' } }))[0]).toBe(50);
  });

  it('ends at the first 32nd callback after rcu_resched_ns if its limit is above 100, on an idle CPU too', () => {
    const parts = { machine: { rcuCbNs: 10 * US }, params: { 'rcutree.rcu_resched_ns': MS } };
    const many = { ...parts, params: { ...parts.params, 'rcutree.blimit': 101 } };
    // 1 ms is 100 callbacks: 128 is the next multiple of 32
    expect(batches(logOf([enqueue(5 * MS, 300)], many))).toEqual([128, 128, 44]);
    expect(batches(logOf([enqueue(5 * MS, 300)], parts))).toEqual([300]);
  });

  it('takes rcuBatchNs, and rcuCbNs for each callback', () => {
    const log = logOf([enqueue(5 * MS, 3)], { machine: { rcuBatchNs: 400, rcuCbNs: 150 } });
    const startNs = (rowsOf(log, KIND.rcu_batch_start)[0] as EventRow).timeNs;
    const times = rowsOf(log, KIND.rcu_invoke_callback).map(({ timeNs }) => timeNs - startNs);
    expect(times).toEqual([550, 700, 850]);
  });
});

describe('a batch in softirq where tasks share CPUs', () => {
  const caller = updater({ api: 'synchronize_rcu', domain: 'rcu', start: 5 * MS });
  const parts = { preset: 'virtual-1gips', machine: { rcuCbNs: 10 * US } } as const;
  const params = { 'rcutree.blimit': 1000 };
  /** Start and end of the batch of 101, or nearly so many, and switches on the CPU in between. */
  function batchOf(log: EventLog) {
    const end = rowsOf(log, KIND.rcu_batch_end).find(({ a }) => a > 90) as EventRow;
    const start = rowsOf(log, KIND.rcu_batch_start).findLast(({ timeNs }) => timeNs < end.timeNs) as EventRow;
    const isInside = ({ timeNs, track }: EventRow) =>
      track === 0 && timeNs > start.timeNs && timeNs < end.timeNs;
    return { end, switches: rowsOf(log, KIND.sched_switch).filter(isInside) };
  }

  it('lets the caller whom its first callback wakes run when it is over, on an idle CPU', () => {
    const log = logOf([caller, enqueue(6 * MS, 100)], { ...parts, params });
    const { end, switches } = batchOf(log);
    expect(switches).toEqual([]);
    // need_resched and the idle task, as the kernel prints it: ".SI."
    expect(end.b).toBe(2 + 4);
    const returned = rowsOf(log, KIND.api_return).find(({ timeNs }) => timeNs > 8 * MS) as EventRow;
    expect(returned.timeNs - end.timeNs).toBeGreaterThan(0);
    expect(returned.timeNs - end.timeNs).toBeLessThan(5 * US);
  });

  it('stops at its limit on an idle CPU once it has woken somebody', () => {
    const log = logOf([caller, enqueue(6 * MS, 30)], parts);
    expect(batches(log)).toEqual([10, 10, 10, 1]);
  });

  it('holds up the task that it interrupts', () => {
    const section = reader({ domain: 'rcu', start: 0, hold: MS, idle: MS });
    const log = logOf([section, enqueue(6 * MS, 101)], { ...parts, params });
    const { end, switches } = batchOf(log);
    expect(switches).toEqual([]);
    const inside = [KIND.rcu_read_lock, KIND.rcu_read_unlock].flatMap((kind) =>
      rowsOf(log, kind).filter(({ timeNs }) => timeNs > end.timeNs - MS && timeNs < end.timeNs),
    );
    expect(inside).toEqual([]);
  });
});

describe('qhimark more callbacks than at the last look (R3.7)', () => {
  const params = { 'rcutree.qhimark': 10, 'rcutree.qlowmark': 5, 'rcutree.qovld': 0 };

  it('start a grace period in call_rcu() itself', () => {
    const at = (batch: number) =>
      gpRows(logOf([enqueue(5 * MS, batch)], { params }), RCU_GP.start)[0]?.timeNs;
    expect(at(10)).toBe(8 * MS);
    expect(at(11)).toBe(5 * MS);
  });

  it('force a scan of the grace period that runs, once for each qhimark more', () => {
    const scans = (batch: number) => {
      const log = logOf([holdout, enqueue(5 * MS, 1), enqueue(9 * MS, batch, { cpu: 1 })], { params });
      return gpRows(log, RCU_GP.fqsstart).filter(({ timeNs }) => timeNs === 9 * MS).length;
    };
    expect(scans(10)).toBe(0);
    expect(scans(11)).toBe(1);
  });

  it('make the limit of the CPU 10000 until it is down to qlowmark', () => {
    const actors = [holdout, load({ mode: 'user', cpu: 1 })];
    const calls = [enqueue(5 * MS, 1), enqueue(9 * MS, 30, { cpu: 1 }), enqueue(200 * MS, 12, { cpu: 1 })];
    const log = logOf([...actors, ...calls], { params: { ...params, 'rcutree.qhimark': 20 } });
    const starts = rowsOf(log, KIND.rcu_batch_start).filter(({ c }) => c === 1);
    expect(starts.map(({ b }) => b)).toEqual([10_000, 10, 10]);
    const ends = rowsOf(log, KIND.rcu_batch_end).filter(({ c }) => c === 1);
    expect(ends.map(({ a }) => a)).toEqual([30, 10, 2]);
  });
});

describe('qovld callbacks on a CPU (R2.13)', () => {
  /** Scans of three grace periods that readers hold up, in ticks since the start of each; 101 callbacks on CPU 1. */
  function scanTicks(qovld: number): number[][] {
    const params = {
      'rcutree.qovld': qovld,
      'rcutree.jiffies_till_first_fqs': 7,
      'rcutree.jiffies_till_next_fqs': 7,
    };
    const hold = { domain: 'rcu', cpu: 3, hold: 148 * MS, idle: 10_000 * MS } as const;
    const call = { api: 'synchronize_rcu', domain: 'rcu' } as const;
    const log = logOf(
      [
        ...[0, 251, 501].map((ms) => reader({ ...hold, start: ms * MS })),
        enqueue(5 * MS, 101, { cpu: 1 }),
        ...[261, 511].map((ms) => updater({ ...call, start: ms * MS })),
      ],
      { params },
    );
    const ends = gpRows(log, RCU_GP.end);
    return gpRows(log, RCU_GP.start).map(({ timeNs: startNs }, i) =>
      gpRows(log, RCU_GP.fqsstart)
        .map(({ timeNs }) => timeNs)
        .filter((timeNs) => timeNs >= startNs && timeNs <= (ends[i]?.timeNs ?? 0))
        .map((timeNs) => (timeNs - startNs) / (4 * MS))
        .slice(0, 4),
    );
  }

  it('shorten waits to a third and skip the first two of a grace period, until a scan finds no such CPU', () => {
    const calm = [8, 16, 24, 32];
    expect(scanTicks(100)).toEqual([
      // the first scan finds the CPU (cbovldnext), from the second one on it counts: (7 + 2) / 3 jiffies, 4 ticks
      [8, 16, 20, 24],
      [0, 0, 4, 8],
      // the CPU lost its bit at the end of the second grace period; the first scan finds that out
      [0, 0, 8, 16],
    ]);
    // call_rcu() looks before it queues: 101 callbacks were 100 then
    expect(scanTicks(101)).toEqual([calm, calm, calm]);
    expect(scanTicks(0)).toEqual([calm, calm, calm]);
  });
});
