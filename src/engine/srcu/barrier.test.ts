/** srcu_barrier(), rule 2.8, and the CPUs on which callbacks run, rules 1.5 and 2.7. */
import { describe, expect, it } from 'vitest';
import { SRCU_APIS, type UpdaterActor } from '../config.ts';
import { CALLBACK, KIND, WORK_FN } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import type { EventRow } from '../core/rows.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, reader, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;
const BARRIER = SRCU_APIS.indexOf('srcu_barrier');

type Part = Partial<Omit<UpdaterActor, 'kind'>>;

function barrier(startNs: number, part: Part = {}): UpdaterActor {
  return updater({ start: startNs, api: 'srcu_barrier', ...part });
}
function enqueue(startNs: number, part: Part = {}): UpdaterActor {
  return updater({ start: startNs, api: 'call_srcu', wait: 'none', ...part });
}
function logOf(actors: ConfigParts['actors'], parts: Omit<ConfigParts, 'actors'> = {}): EventLog {
  return runToEnd(simConfig({ ...parts, actors })).log;
}
/** When the barriers returned, by thread. */
function returns(log: EventLog): number[] {
  const rows = rowsOf(log, KIND.api_return).filter(({ a }) => a === BARRIER);
  return rows.sort((x, y) => x.track - y.track).map(({ timeNs }) => timeNs);
}
/** When the callbacks that are not a barrier's own ran, in the order of their queueing. */
function ran(log: EventLog): number[] {
  const rows = rowsOf(log, KIND.srcu_cb_invoke).filter(({ d }) => d !== CALLBACK.barrier);
  return rows.sort((x, y) => x.a - y.a).map(({ timeNs }) => timeNs);
}

describe('srcu_barrier() (2.8)', () => {
  it('returns at once where there are no callbacks, and asks for no grace period', () => {
    const log = logOf([barrier(5 * MS, { calls: 2, gap: MS })]);
    expect(returns(log)).toEqual([6 * MS, 7 * MS]);
    expect(rowsOf(log, KIND.srcu_request)).toEqual([]);
    expect(rowsOf(log, KIND.srcu_gp_start)).toEqual([]);
  });

  it('does not wait for a grace period that has no callbacks', () => {
    const log = logOf([
      updater({ start: 4 * MS, api: 'start_poll_synchronize_srcu' }),
      barrier(5 * MS, { cpu: 1 }),
    ]);
    expect(returns(log)).toEqual([5 * MS]);
  });

  it('waits for every callback queued before it, in line with them, and for no grace period of its own', () => {
    const log = logOf([enqueue(4 * MS), enqueue(5 * MS, { cpu: 1 }), barrier(6 * MS, { cpu: 2 })]);
    const callbacks = ran(log);
    expect(callbacks).toHaveLength(2);
    expect(returns(log)).toEqual([Math.max(...callbacks)]);
    expect(rowsOf(log, KIND.srcu_request)).toHaveLength(2);
    expect(rowsOf(log, KIND.srcu_gp_end)).toHaveLength(2);
    const order = rowsOf(log, KIND.srcu_cb_invoke).map(({ d }) => d);
    expect(order).toEqual([CALLBACK.call, CALLBACK.call, CALLBACK.barrier]);
  });

  it('does not wait for callbacks queued after it', () => {
    // the second one comes between the end of the first grace period, at 12 ms, and its callbacks
    const log = logOf([enqueue(4 * MS), barrier(5 * MS, { cpu: 2 }), enqueue(13 * MS, { cpu: 1 })]);
    const [first, second] = ran(log) as [number, number];
    expect(returns(log)).toEqual([first]);
    expect(second).toBeGreaterThan(first);
  });

  it('waits for synchronous callers too: their wake-up is a callback', () => {
    const api = 'synchronize_srcu';
    const log = logOf([updater({ start: 4 * MS, api }), barrier(4 * MS + 2000, { cpu: 1 })]);
    expect(returns(log)).toEqual([4 * MS + 10_000]);
  });

  it('waits for callbacks that are being invoked', () => {
    const log = logOf([updater(), barrier(7000, { cpu: 1 })]);
    // the work began at 5 us, its callback runs at 10 us; the barrier's own comes in a work item behind it
    expect(ran(log)).toEqual([10_000]);
    expect(returns(log)).toEqual([15_000]);
  });

  it('has a callback on each list that has any (big domain)', () => {
    const params = { 'srcutree.convert_to_big': 1 };
    const actors = [enqueue(4 * MS, { cpu: 1, batch: 2 }), enqueue(4 * MS, { cpu: 3 }), barrier(5 * MS)];
    const log = logOf(actors, { params });
    const own = rowsOf(log, KIND.srcu_cb_queue).filter(({ d }) => d === CALLBACK.barrier);
    expect(own.map(({ c }) => c)).toEqual([1, 3]);
    expect(returns(log)).toEqual([Math.max(...ran(log))]);
  });

  it('is the whole of a call_srcu batch that waits', () => {
    const log = logOf([updater({ start: 4 * MS, api: 'call_srcu', batch: 3, calls: 2 })]);
    const queued = rowsOf(log, KIND.srcu_cb_queue).map(({ d }) => d);
    const batch = [CALLBACK.call, CALLBACK.call, CALLBACK.call, CALLBACK.barrier];
    expect(queued).toEqual([...batch, ...batch]);
    const kinds = [...rowsOf(log, KIND.api_call), ...rowsOf(log, KIND.api_return)];
    expect(kinds.map(({ a, b }) => `${SRCU_APIS[a]} ${b}`).sort()).toEqual(
      [0, 1]
        .flatMap((n) => [`call_srcu ${n}`, `call_srcu ${n}`, `srcu_barrier ${n}`, `srcu_barrier ${n}`])
        .sort(),
    );
  });
});

describe('the mutex of srcu_barrier() (2.8)', () => {
  /** A reader of 9 ms: callbacks queued at 4 ms run long after 8 ms. */
  const slow = reader({ cpu: 3, start: 3 * MS, hold: 9 * MS, idle: 10_000 * MS });

  it('makes a second barrier wait for the first one, though its callbacks have run by then', () => {
    const log = logOf([slow, enqueue(4 * MS), barrier(5 * MS, { cpu: 1 }), barrier(5 * MS + 1, { cpu: 2 })]);
    const own = rowsOf(log, KIND.srcu_cb_queue).filter(({ d }) => d === CALLBACK.barrier);
    expect(own).toHaveLength(1);
    expect(returns(log)).toEqual([...ran(log), ...ran(log)]);
  });

  it('lets a barrier return when a whole one of somebody else has passed since it was called', () => {
    const waiting = [1, 2].map((cpu) => barrier(6 * MS, { cpu }));
    const log = logOf([
      ...[enqueue(4 * MS), barrier(5 * MS), ...waiting],
      // for the second barrier to wait for
      enqueue(13 * MS, { cpu: 2 }),
      // after the second barrier began, before the third one gets the mutex
      enqueue(25 * MS, { cpu: 1 }),
    ]);
    const [first, second, third] = returns(log) as [number, number, number];
    const callbacks = ran(log) as [number, number, number];
    expect(first).toBe(callbacks[0]);
    expect(second).toBe(callbacks[1]);
    expect(second).toBeGreaterThan(25 * MS);
    // it did not have to make one of its own, which would have waited for the last callback
    expect(third).toBe(second);
    expect(callbacks[2]).toBeGreaterThan(third);
  });

  it('is of one domain', () => {
    const log = logOf([
      slow,
      enqueue(4 * MS),
      barrier(5 * MS, { cpu: 1 }),
      barrier(6 * MS, { cpu: 2, domain: 'srcu:b' }),
    ]);
    expect(returns(log)[1]).toBe(6 * MS);
  });
});

describe('the CPU of a callback (1.5 c, d)', () => {
  const cpusOf = (parts: Omit<ConfigParts, 'actors'>) => {
    const log = logOf([enqueue(4 * MS, { cpu: 2 }), updater({ cpu: 3, start: 30 * MS })], parts);
    return rowsOf(log, KIND.srcu_cb_invoke).map(({ c }) => c);
  };

  it('is the boot CPU while the domain is small', () => {
    expect(cpusOf({ kernel: 'v6.12' })).toEqual([0, 0]);
    expect(cpusOf({ kernel: 'v5.19-rc1' })).toEqual([0, 0]);
  });

  it("is the caller's in a big domain", () => {
    expect(cpusOf({ params: { 'srcutree.convert_to_big': 1 } })).toEqual([2, 3]);
    expect(cpusOf({ params: { 'srcutree.big_cpu_lim': 4 } })).toEqual([2, 3]);
    expect(cpusOf({ cpus: 128 })).toEqual([2, 3]);
    expect(cpusOf({ cpus: 127 })).toEqual([0, 0]);
  });

  it("is the caller's before 282d", () => {
    expect(cpusOf({ kernel: 'v5.18' })).toEqual([2, 3]);
  });

  it('is that of the worker that runs it', () => {
    const params = { 'srcutree.convert_to_big': 1 };
    const run = runToEnd(simConfig({ params, actors: [enqueue(4 * MS, { cpu: 2 })] }));
    const works = rowsOf(run.log, KIND.workqueue_execute_start).filter(
      ({ a }) => a === WORK_FN.srcu_invoke_callbacks,
    );
    expect(works.map(({ track }) => run.info.tracks[track]?.name)).toEqual(['kworker/2']);
  });
});

describe('callback work (2.7)', () => {
  it('takes all that is ready and runs it in order, each with its cost', () => {
    const machine = { cbWorkNs: 300, cbNs: 90, cbWakeNs: 350 };
    const log = logOf([enqueue(4 * MS, { batch: 3 }), barrier(5 * MS, { cpu: 1 })], { machine });
    const work = rowsOf(log, KIND.workqueue_execute_start).at(-1) as EventRow;
    expect(work.c).toBe(4);
    const times = rowsOf(log, KIND.srcu_cb_invoke).map(({ timeNs }) => timeNs - work.timeNs);
    expect(times).toEqual([390, 480, 570, 660]);
  });

  it('pays for a wake-up of a synchronous caller', () => {
    const machine = { cbWorkNs: 300, cbNs: 90, cbWakeNs: 350 };
    const log = logOf([updater({ start: 4 * MS })], { machine });
    const work = rowsOf(log, KIND.workqueue_execute_start)[0] as EventRow;
    expect(rowsOf(log, KIND.srcu_cb_invoke).map(({ timeNs }) => timeNs - work.timeNs)).toEqual([740]);
  });
});
