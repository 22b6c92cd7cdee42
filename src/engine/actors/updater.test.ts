/** Updaters: gaps, calls, batches and open loops as a configuration says, and their costs (11.1). */
import { describe, expect, it } from 'vitest';
import { SRCU_APIS, type UpdaterActor } from '../config.ts';
import { KIND } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import { Lcg } from '../core/random.ts';
import type { EventRow } from '../core/rows.ts';
import { latenciesNs, rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, reader, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;
/** An expedited call without readers in `plain`. */
const CALL_NS = 10_000;

type Part = Partial<Omit<UpdaterActor, 'kind'>>;

function runOf(part: Part, parts: Partial<ConfigParts> = {}) {
  return runToEnd(simConfig({ ...parts, actors: [updater(part), ...(parts.actors ?? [])] }));
}
function callTimes(log: EventLog): number[] {
  return rowsOf(log, KIND.api_call).map(({ timeNs }) => timeNs);
}

describe('gaps', () => {
  it.each(['sleep', 'spin'] as const)(
    'come before every call, the first included, from the return on (%s)',
    (gapMode) => {
      const { log } = runOf({ start: MS, calls: 3, gap: { list: [100, 2000, 30_000] }, gapMode });
      expect(callTimes(log)).toEqual([
        MS + 100,
        MS + 100 + CALL_NS + 2000,
        MS + 100 + CALL_NS + 2000 + CALL_NS + 30_000,
      ]);
    },
  );

  it('take one number of an lcg per call', () => {
    const lcg = new Lcg(3, 5);
    const gaps = [1, 2, 3, 4].map(() => lcg.next(0, 20_000));
    const { log } = runOf({ calls: 4, gap: { lcg: { seed: 3, stream: 5, lo: 0, hi: 20_000 } } });
    const returns = [0, ...rowsOf(log, KIND.api_return).map(({ timeNs }) => timeNs)];
    expect(callTimes(log).map((timeNs, i) => timeNs - (returns[i] as number))).toEqual(gaps);
  });

  it('are drawn whatever the kernel does: tunables never change the workload', () => {
    const gap = { uniform: [0, 50_000] } as const;
    const gaps = (kernel: 'v5.18' | 'v5.19-rc1') => {
      const actors = [reader({ cpu: 1, hold: MS, idle: MS })];
      const { log } = runOf({ calls: 6, gap }, { kernel, actors });
      const returns = [0, ...rowsOf(log, KIND.api_return).map(({ timeNs }) => timeNs)];
      return callTimes(log).map((timeNs, i) => timeNs - (returns[i] as number));
    };
    expect(gaps('v5.18')).toEqual(gaps('v5.19-rc1'));
    expect(new Set(gaps('v5.18')).size).toBe(6);
  });
});

describe('gapFrom "call" (open loop)', () => {
  const slow = reader({ cpu: 1, hold: 9 * MS, idle: 1000 * MS });
  const open = { gapFrom: 'call', gap: MS, calls: 5 } as const;

  it('issues the next call a gap after the last one, on further threads while calls wait', () => {
    const { log, info } = runOf(open, { actors: [slow] });
    expect(callTimes(log)).toEqual([1, 2, 3, 4, 5].map((ms) => ms * MS));
    const threads = info.tracks.filter(({ name }) => name.startsWith('updater'));
    expect(threads.map(({ name }) => name)).toEqual(
      [0, 1, 2, 3, 4].map((i) => `updater/0${i === 0 ? '' : `+${i}`}`),
    );
    expect(threads.every(({ actor, number, cpu }) => actor === 0 && number === 0 && cpu === 0)).toBe(true);
  });

  it('numbers the calls in the order in which they are made', () => {
    const { log } = runOf(open, { actors: [slow] });
    expect(rowsOf(log, KIND.api_call).map(({ b }) => b)).toEqual([0, 1, 2, 3, 4]);
    expect(latenciesNs(log)).toHaveLength(5);
  });

  it('reuses a thread that is free', () => {
    const { log, info } = runOf(open);
    expect(callTimes(log)).toEqual([1, 2, 3, 4, 5].map((ms) => ms * MS));
    expect(info.tracks.filter(({ name }) => name.startsWith('updater'))).toHaveLength(1);
  });

  it('opens one thread more only for a call that finds none free', () => {
    // the calls at 4 and 8 ms wait for the reader until 9 ms; later ones find both threads free
    const { log, info } = runOf({ ...open, gap: 4 * MS }, { actors: [slow] });
    expect(callTimes(log)).toEqual([4, 8, 12, 16, 20].map((ms) => ms * MS));
    expect(info.tracks.filter(({ name }) => name.startsWith('updater'))).toHaveLength(2);
  });
});

describe('synchronous calls (11.1)', () => {
  it('cost what the machine says up to the request, to the block and after the wake-up', () => {
    const machine = {
      syncToQueueNs: 500,
      syncQueueToUnlockNs: 450,
      syncUnlockToBlockNs: 450,
      syncReturnNs: 185,
    };
    const { log } = runOf({ start: MS }, { machine });
    expect(rowsOf(log, KIND.srcu_request)[0]?.timeNs).toBe(MS + 500);
    expect(latenciesNs(log)).toEqual([500 + CALL_NS + 185]);
  });

  it('return when their callback has run already', () => {
    const machine = { syncQueueToUnlockNs: 30_000, syncUnlockToBlockNs: 5000, syncReturnNs: 7 };
    expect(latenciesNs(runOf({ start: MS }, { machine }).log)).toEqual([35_000 + 7]);
  });

  it('of several threads return in the order of their callbacks', () => {
    const { log } = runOf({ count: 3, start: MS, stagger: 1 });
    const returned = rowsOf(log, KIND.api_return).map(({ track }) => track);
    expect(returned).toEqual(rowsOf(log, KIND.api_call).map(({ track }) => track));
  });
});

describe('call_srcu()', () => {
  const machine = { callSrcuFirstNs: 650, callSrcuNs: 250 };
  const batch = { api: 'call_srcu', batch: 4 } as const;

  it('queues a batch, the first callback dearer than the others (11.1)', () => {
    const { log } = runOf({ ...batch, start: MS }, { machine });
    const queued = rowsOf(log, KIND.srcu_cb_queue).slice(0, 4);
    expect(queued.map(({ timeNs }) => timeNs - MS)).toEqual([650, 900, 1150, 1400]);
    const enqueued = rowsOf(log, KIND.api_return).find(({ a }) => SRCU_APIS[a] === 'call_srcu');
    expect(enqueued?.c).toBe(1400);
  });

  it('waits for its batch before the next gap, unless told not to', () => {
    const apart = (wait: 'barrier' | 'none') => {
      const { log } = runOf({ ...batch, calls: 2, gap: 1000, wait });
      const [first, second] = rowsOf(log, KIND.api_call).filter(({ a }) => SRCU_APIS[a] === 'call_srcu');
      return (second as EventRow).timeNs - (first as EventRow).timeNs;
    };
    expect(apart('none')).toBe(1000);
    expect(apart('barrier')).toBeGreaterThan(4 * MS);
  });

  it('is done with its last callback', () => {
    const { log } = runOf({ ...batch, wait: 'none' });
    const done = rowsOf(log, KIND.thread_done)[0] as EventRow;
    const invoked = rowsOf(log, KIND.srcu_cb_invoke).map(({ timeNs }) => timeNs);
    expect(invoked).toHaveLength(4);
    expect(done.timeNs).toBe(Math.max(...invoked));
  });
});

describe('the credit form (CR1 to CR5)', () => {
  /** [credit before the call, time the worker keeps the CPU] of every call. */
  function credits(
    part: Part,
    machine: NonNullable<ConfigParts['machine']>,
    parts: Partial<ConfigParts> = {},
  ) {
    const workload = { start: MS, gapMode: 'spin', ...part } as const;
    const { log } = runOf(workload, { cpus: 8, ...parts, machine: { requester: 'credit', ...machine } });
    return { log, credits: rowsOf(log, KIND.srcu_credit).map(({ a, b }) => [a, b]) };
  }
  const K = 1000;

  it('begins with creditStartNs and earns the gaps, up to G + cap (CR1, CR2)', () => {
    const machine = { creditGNs: 20 * MS, creditStartNs: 700, creditCapNs: MS };
    const { credits: given } = credits({ calls: 3, gap: { list: [100, 5000, 30 * MS] } }, machine);
    expect(given.map(([credit]) => credit)).toEqual([800, 5800, 21 * MS]);
  });

  it('spends a window when credit exceeds G, and leaves epsilon later (CR3)', () => {
    const params = { 'srcutree.srcu_max_nodelay_phase': 100 };
    const { credits: given, log } = credits(
      { calls: 2, gap: 10 * K },
      { creditStartNs: 4 * MS, creditEpsNs: 2000 },
      { params },
    );
    // W = 51 passes of 15 us
    expect(given[0]).toEqual([4 * MS + 10 * K, 51 * 15 * K]);
    expect(given[1]).toEqual([4 * MS + 20 * K - 51 * 15 * K, 0]);
    const [lock] = rowsOf(log, KIND.srcu_lock) as [EventRow];
    const [unlock] = rowsOf(log, KIND.srcu_unlock) as [EventRow];
    expect(unlock.timeNs - lock.timeNs).toBe(51 * 15 * K + 2000);
    expect(lock.d).toBe(1);
  });

  it('meets nobody with credit up to G (CR4)', () => {
    const { credits: given, log } = credits({ calls: 3, gap: 0 }, { creditStartNs: 4 * MS });
    expect(given).toEqual([
      [4 * MS, 0],
      [4 * MS, 0],
      [4 * MS, 0],
    ]);
    expect(rowsOf(log, KIND.srcu_lock)).toEqual([]);
    expect(latenciesNs(log)).toEqual([CALL_NS, CALL_NS, CALL_NS]);
  });

  it('is freed by the first tick at least a slice after the call (CR3)', () => {
    const machine = { creditStartNs: 11 * MS, creditSliceNs: 5 * MS };
    const kept = (start: number) => credits({ start, gap: 0 }, machine, { kernel: 'v5.18' }).credits[0]?.[1];
    expect(kept(4 * MS + 100)).toBe(8 * MS - 100);
    expect(kept(7 * MS)).toBe(5 * MS);
    expect(kept(7 * MS + 1)).toBe(9 * MS - 1);
  });

  it('has a call last what a reader that holds so long makes of it (CR5)', () => {
    const params = { 'srcutree.srcu_max_nodelay_phase': 3 };
    const { log } = credits({ gap: 0 }, { creditStartNs: 5 * MS }, { params });
    // 4.5: the reader is found and gone before the second tick
    expect(latenciesNs(log)).toEqual([2 * 4 * MS - MS + 2 * 5000]);
  });

  it('is nobody without preemption (5.6)', () => {
    const { credits: given } = credits({ calls: 2, gap: 1 }, { creditStartNs: 5 * MS }, { preempt: 'none' });
    expect(given.map(([, kept]) => kept)).toEqual([0, 0]);
  });
});
