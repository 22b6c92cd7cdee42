/** rcu_barrier() (tree R3.13) and the rest of call_rcu() as an api. */
import { describe, expect, it } from 'vitest';
import { KIND, RCU_BARRIER, RCU_FUNC, RCU_GP } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;
const NAMES = Object.keys(RCU_BARRIER);

type Part = Parameters<typeof updater>[0];
function barrier(startNs: number, part: Part = {}) {
  return updater({ api: 'rcu_barrier', domain: 'rcu', start: startNs, ...part });
}
function enqueue(startNs: number, part: Part = {}) {
  return updater({ api: 'call_rcu', domain: 'rcu', wait: 'none', start: startNs, ...part });
}
function logOf(actors: ConfigParts['actors'], parts: Omit<ConfigParts, 'actors'> = {}): EventLog {
  return runToEnd(simConfig({ ...parts, actors })).log;
}
/** "NQ cpu 1 remaining 2 # 1", as the kernel prints it. */
function printed(log: EventLog): string[] {
  return rowsOf(log, KIND.rcu_barrier).map(({ a, b, c, d }) => `${NAMES[a]} cpu ${b} remaining ${c} # ${d}`);
}
/** When barriers returned, in order. */
function returns(log: EventLog): number[] {
  return rowsOf(log, KIND.api_return).map(({ timeNs }) => timeNs);
}
/** When callbacks ran, in order, by RCU_FUNC. */
function ran(log: EventLog, func: number): number[] {
  return rowsOf(log, KIND.rcu_invoke_callback)
    .filter(({ b }) => b === func)
    .map(({ timeNs }) => timeNs);
}

describe('rcu_barrier()', () => {
  it('prints what the kernel prints: one callback on the own CPU of four', () => {
    const log = logOf([enqueue(4 * MS), barrier(5 * MS, { calls: 2 })]);
    expect(printed(log)).toEqual([
      'Begin cpu -1 remaining 0 # 4',
      'Inc1 cpu -1 remaining 2 # 1',
      'IRQ cpu -1 remaining 2 # 1',
      'OnlineQ cpu 0 remaining 3 # 1',
      'NQ cpu 1 remaining 3 # 1',
      'NQ cpu 2 remaining 3 # 1',
      'NQ cpu 3 remaining 3 # 1',
      'LastCB cpu -1 remaining 0 # 1',
      'Inc2 cpu -1 remaining 0 # 1',
      'Begin cpu -1 remaining 0 # 8',
      'Inc1 cpu -1 remaining 2 # 5',
      ...[0, 1, 2, 3].map((cpu) => `NQ cpu ${cpu} remaining 2 # 5`),
      'Inc2 cpu -1 remaining 0 # 5',
    ]);
  });

  it('returns at once where nothing is queued, and asks for no grace period', () => {
    const log = logOf([barrier(5 * MS, { calls: 2, gap: MS })]);
    expect(returns(log)).toEqual([6 * MS, 7 * MS]);
    expect(rowsOf(log, KIND.rcu_grace_period).filter(({ a }) => a === RCU_GP.newreq)).toEqual([]);
  });

  it('waits behind the callbacks of every CPU, with the interrupt there in its place', () => {
    const log = logOf([enqueue(5 * MS, { cpu: 1 }), enqueue(6 * MS, { cpu: 3 }), barrier(6 * MS + 1000)]);
    const callbacks = ran(log, RCU_FUNC.call_rcu);
    const own = ran(log, RCU_FUNC.rcu_barrier_callback);
    expect(own).toEqual(callbacks);
    expect(returns(log).at(-1)).toBe(callbacks.at(-1));
    const irqs = rowsOf(log, KIND.rcu_barrier).filter(({ a }) => a === RCU_BARRIER.IRQ);
    expect(irqs.map(({ track }) => track)).toEqual([1, 3]);
    const last = rowsOf(log, KIND.rcu_barrier).filter(
      ({ a }) => a === RCU_BARRIER.CB || a === RCU_BARRIER.LastCB,
    );
    expect(last.map(({ a, c }) => [a, c])).toEqual([
      [RCU_BARRIER.CB, 1],
      [RCU_BARRIER.LastCB, 0],
    ]);
  });

  it('needs no grace period more than the callbacks before it', () => {
    const log = logOf([enqueue(5 * MS), barrier(6 * MS, { cpu: 2 })]);
    expect(rowsOf(log, KIND.rcu_grace_period).filter(({ a }) => a === RCU_GP.start)).toHaveLength(1);
  });

  it('does not wait for callbacks queued after it', () => {
    const log = logOf([enqueue(5 * MS), barrier(6 * MS, { cpu: 2 }), enqueue(9 * MS, { cpu: 1 })]);
    const [first, second] = ran(log, RCU_FUNC.call_rcu) as [number, number];
    expect(returns(log).filter((timeNs) => timeNs > 9 * MS)).toEqual([first]);
    expect(second).toBeGreaterThan(first);
  });

  it('waits for callers of synchronize_rcu() that are callbacks, and not for those on the list', () => {
    const sync = updater({ api: 'synchronize_rcu', domain: 'rcu', cpu: 1, start: 5 * MS });
    const byCallback = logOf([sync, barrier(6 * MS)]);
    expect(returns(byCallback)).toHaveLength(2);
    expect(returns(byCallback)[0]).toBe(returns(byCallback)[1]);
    const params = { 'rcutree.rcu_normal_wake_from_gp': 1 };
    expect(returns(logOf([sync, barrier(6 * MS)], { params }))[0]).toBe(6 * MS);
  });

  it('joins callbacks that are being invoked in a further batch', () => {
    // 100 callbacks of 10 us are ready at 20 ms; the barrier comes in the middle
    const machine = { rcuCbNs: 10_000 };
    const log = logOf([enqueue(4 * MS, { batch: 100 }), barrier(20 * MS + 500_000, { cpu: 1 })], { machine });
    const batches = rowsOf(log, KIND.rcu_batch_end);
    expect(batches.map(({ a }) => a)).toEqual([100, 1]);
    expect(batches.map(({ b }) => b & 1)).toEqual([0, 0]);
    expect(returns(log).at(-1)).toBe(20 * MS + 1_010_000);
  });
});

describe('the mutex of rcu_barrier()', () => {
  it('makes the second one wait for the first', () => {
    const log = logOf([enqueue(5 * MS), barrier(6 * MS, { cpu: 1 }), barrier(6 * MS + 1, { cpu: 2 })]);
    const [callback] = ran(log, RCU_FUNC.call_rcu);
    expect(returns(log).slice(1)).toEqual([callback, callback]);
    // it had to make one of its own: the first one began before it was called
    expect(printed(log).filter((line) => line.startsWith('Inc1'))).toHaveLength(2);
    expect(printed(log).filter((line) => line.startsWith('EarlyExit'))).toEqual([]);
  });

  it('lets the third one go with the second one: EarlyExit', () => {
    const waiting = [1, 2].map((cpu) => barrier(7 * MS, { cpu }));
    const log = logOf([enqueue(5 * MS), barrier(6 * MS), ...waiting]);
    expect(printed(log).filter((line) => line.startsWith('Inc1'))).toHaveLength(2);
    expect(printed(log).filter((line) => line.startsWith('Early'))).toEqual([
      'EarlyExit cpu -1 remaining 0 # 8',
    ]);
    expect(returns(log)).toHaveLength(4);
  });
});

describe('call_rcu() as an api', () => {
  it('is finished when its last callback has run', () => {
    const log = logOf([enqueue(4 * MS, { batch: 3 })]);
    expect(returns(log)).toEqual([4 * MS]);
    expect(rowsOf(log, KIND.thread_done).map(({ timeNs }) => timeNs)).toEqual([
      Math.max(...ran(log, RCU_FUNC.call_rcu)),
    ]);
  });

  it('waits with rcu_barrier() after each batch where it is told to', () => {
    const log = logOf([updater({ api: 'call_rcu', domain: 'rcu', start: 4 * MS, batch: 3, calls: 2 })]);
    const order = rowsOf(log, KIND.rcu_invoke_callback).map(({ b }) => b);
    const { call_rcu, rcu_barrier_callback } = RCU_FUNC;
    const batch = [call_rcu, call_rcu, call_rcu, rcu_barrier_callback];
    expect(order).toEqual([...batch, ...batch]);
    expect(returns(log)).toHaveLength(4);
  });

  it('takes callRcuNs for each callback, and says how long each one waited', () => {
    const machine = { callRcuNs: 100 };
    const log = logOf([enqueue(5 * MS, { batch: 3 })], { machine });
    expect(rowsOf(log, KIND.api_return).map(({ c }) => c)).toEqual([300]);
    const queued = rowsOf(log, KIND.rcu_callback).map(({ timeNs }) => timeNs);
    expect(queued).toEqual([5_000_100, 5_000_200, 5_000_300]);
    const waits = rowsOf(log, KIND.rcu_invoke_callback).map(({ timeNs, d }) => timeNs - d);
    expect(waits).toEqual(queued);
  });
});
