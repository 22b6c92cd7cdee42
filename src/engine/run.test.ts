/** A run: when it ends and what it says, its domains and threads, and that it does not matter how it is driven. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SimConfig, Stop } from './config.ts';
import { logDigest } from './core/digest.ts';
import { KIND, STOP_REASON } from './core/eventKinds.ts';
import type { EventLog } from './core/eventLog.ts';
import { type EventRow, ROW_BYTES } from './core/rows.ts';
import { latenciesNs, rowsOf } from './reference/logRows.testkit.ts';
import { randomConfig } from './reference/randomConfig.testkit.ts';
import { load, reader, runToEnd, simConfig, updater } from './reference/simConfig.testkit.ts';
import { createRun, type Run, type RunLimits } from './run.ts';

const MS = 1_000_000;

function lastRow(log: EventLog): EventRow {
  return log.row(log.length - 1);
}

function finish(config: SimConfig, limits: RunLimits = {}, budget = 1_000_000) {
  const run = createRun(config, limits);
  let status = run.advance(budget);
  while (status.state === 'running') status = run.advance(budget);
  return { run, status };
}

const reading = reader({ cpu: 1, hold: 10_000, idle: 10_000 });

describe('the end of a run', () => {
  const calls = updater({ start: MS, calls: 3, gap: 2 * MS });
  const endNs = (stop: Stop) => finish(simConfig({ actors: [reading, calls], stop }));
  // the third call comes 2 ms after the return of the second one, and so on
  const doneNs = rowsOf(endNs({ whenDone: true }).run.log, KIND.api_return)[2]?.timeNs as number;

  it.each<[string, Stop, number, number]>([
    ['whenDone: the last call has returned', { whenDone: true }, doneNs, STOP_REASON.done],
    ['nothing said: the same', {}, doneNs, STOP_REASON.done],
    ['afterNs: then, done or not', { afterNs: 20 * MS }, 20 * MS, STOP_REASON.afterNs],
    ['both: done first', { afterNs: 20 * MS, whenDone: true }, doneNs, STOP_REASON.done],
    ['both: time first', { afterNs: 5 * MS, whenDone: true }, 5 * MS, STOP_REASON.afterNs],
  ])('%s', (_, stop, expectedNs, reason) => {
    const { run, status } = endNs(stop);
    expect(status).toEqual({ state: 'ended', reason });
    expect(run.nowNs).toBe(expectedNs);
    expect(lastRow(run.log)).toMatchObject({ kind: KIND.run_end, timeNs: expectedNs, a: reason });
    expect(rowsOf(run.log, KIND.run_end)).toHaveLength(1);
  });

  it('waits for all finite actors', () => {
    const late = updater({ cpu: 2, start: 30 * MS });
    const { run } = finish(simConfig({ actors: [calls, late] }));
    expect(run.nowNs).toBe(30 * MS + 10_000);
  });

  it('comes with the last callback, where nobody waits for it', () => {
    const actors = [updater({ start: { ticks: 1, plus: 0 }, api: 'call_srcu', wait: 'none', batch: 2 })];
    const { run } = finish(simConfig({ actors }));
    const invoked = rowsOf(run.log, KIND.srcu_cb_invoke);
    expect(invoked).toHaveLength(2);
    expect(run.nowNs).toBe(invoked[1]?.timeNs);
    expect(run.nowNs).toBeGreaterThan(rowsOf(run.log, KIND.api_return)[0]?.timeNs as number);
  });

  it('includes everything at its instant', () => {
    const { run } = finish(simConfig({ actors: [reading], stop: { afterNs: 20_000 } }));
    const times = rowsOf(run.log, KIND.srcu_lock).map(({ timeNs }) => timeNs);
    expect(times).toEqual([0, 20_000]);
  });

  it('cuts readers and grace periods', () => {
    const actors = [reader({ hold: 100 * MS }), updater({ cpu: 1, start: MS })];
    const { run } = finish(simConfig({ actors, stop: { afterNs: 20 * MS } }));
    expect(rowsOf(run.log, KIND.srcu_unlock)).toEqual([]);
    expect(rowsOf(run.log, KIND.srcu_gp_start)).toHaveLength(1);
    expect(rowsOf(run.log, KIND.srcu_gp_end)).toEqual([]);
  });

  it('stays: to advance further changes nothing', () => {
    const { run, status } = finish(simConfig({ actors: [calls] }));
    const { length } = run.log;
    expect(run.advance(1000)).toEqual(status);
    expect(run.log.length).toBe(length);
  });
});

describe('the limits of a run', () => {
  const endless = simConfig({ actors: [reading], stop: { afterNs: 1000 * MS } });

  it('in rows end it with a message, and keep the log', () => {
    const { run, status } = finish(endless, { maxEvents: 1000 });
    expect(status).toMatchObject({ state: 'ended', reason: STOP_REASON.eventLimit });
    expect(status.state === 'ended' && status.message).toMatch(/stopped at 10\d\d events, its limit/);
    expect(run.log.length).toBeGreaterThanOrEqual(1000);
    expect(run.log.length).toBeLessThan(1100);
    expect(lastRow(run.log)).toMatchObject({
      kind: KIND.run_end,
      a: STOP_REASON.eventLimit,
      timeNs: run.nowNs,
    });
    expect(rowsOf(run.log, KIND.srcu_lock).length).toBeGreaterThan(400);
  });

  it('in bytes too', () => {
    const { run, status } = finish(endless, { maxBytes: 1000 * ROW_BYTES });
    expect(status).toMatchObject({ state: 'ended', reason: STOP_REASON.memoryLimit });
    expect(status.state === 'ended' && status.message).toMatch(/stopped at \d+ bytes of log, its limit/);
    expect(run.log.length).toBeGreaterThanOrEqual(1000);
    expect(run.log.length).toBeLessThan(1100);
  });

  it('do not touch a run that stays below them', () => {
    const { run, status } = finish(simConfig({ actors: [updater()] }), {
      maxEvents: 1000,
      maxBytes: 100_000,
    });
    expect(status).toEqual({ state: 'ended', reason: STOP_REASON.done });
    expect(logDigest(run.log)).toBe(logDigest(finish(simConfig({ actors: [updater()] })).run.log));
  });

  it('say so when nothing more can happen', () => {
    const { run, status } = finish(simConfig({ actors: [reader({ times: 2 })] }));
    expect(status).toMatchObject({ state: 'ended', reason: STOP_REASON.stuck });
    expect(status.state === 'ended' && status.message).toMatch(/nothing more can happen/);
    expect(rowsOf(run.log, KIND.srcu_unlock)).toHaveLength(2);
  });

  it('say so when the clock stands still, although one event stands for many steps', () => {
    const machine = { passLoopNs: 0, passFirstCheckNs: 0 };
    const params = {
      'srcutree.srcu_max_nodelay_phase': Number.MAX_SAFE_INTEGER,
      'srcutree.srcu_max_nodelay': Number.MAX_SAFE_INTEGER,
      'srcutree.srcu_retry_check_delay': 0,
    };
    const actors = [reader({ cpu: 1, start: MS }), updater({ start: MS })];
    const { run, status } = finish(simConfig({ machine, params, actors }));
    expect(status).toMatchObject({ state: 'ended', reason: STOP_REASON.stuck });
    expect(status.state === 'ended' && status.message).toMatch(/time stands still at 1000000 ns/);
    expect(run.eventCount).toBeLessThan(10_000);
  });

  it('say so when the clock ends', () => {
    const { status } = finish(simConfig({ actors: [updater({ start: 7_100_000 * MS })] }));
    expect(status).toMatchObject({ state: 'ended', reason: STOP_REASON.timeLimit });
    expect(status.state === 'ended' && status.message).toMatch(
      /stopped at 0 ns: nothing happens from there to 7100000000000 ns, and virtual time ends at 7000000000000 ns$/,
    );
  });
});

describe('a run in small pieces', () => {
  it('has the log of one in one go', () => {
    fc.assert(
      fc.property(randomConfig(), fc.constantFrom(1, 2, 7, 100), (config, budget) => {
        const limits = { maxEvents: 3000 };
        const whole = finish(config, limits);
        const pieces = finish(config, limits, budget);
        expect(pieces.status).toEqual(whole.status);
        expect(logDigest(pieces.run.log)).toBe(logDigest(whole.run.log));
      }),
      { numRuns: 60 },
    );
  });

  it('processes as many events as it is given', () => {
    const run = createRun(simConfig({ actors: [reading], stop: { afterNs: MS } }));
    run.advance(5);
    expect(run.eventCount).toBe(5);
    expect(run.nowNs).toBeLessThan(MS);
    run.advance(3);
    expect(run.eventCount).toBe(8);
  });

  it('is the beginning of a longer one: when it stops changes nothing before', () => {
    const rowsBefore = (run: Run, ns: number) => {
      const rows: EventRow[] = [];
      for (let i = 0; i < run.log.length; i++) {
        const { cause: _, ...row } = run.log.row(i);
        // bursts of passes are cut at the end
        if (row.timeNs < ns && row.kind !== KIND.srcu_pass) rows.push({ ...row, cause: 0 });
      }
      return rows;
    };
    fc.assert(
      fc.property(randomConfig(), fc.integer({ min: 1, max: 9 }), (config, tenths) => {
        const limits = { maxEvents: 4000 };
        const long = finish(config, limits).run;
        const afterNs = Math.floor((long.nowNs * tenths) / 10);
        const short = finish({ ...config, stop: { ...config.stop, afterNs } }, limits).run;
        expect(rowsBefore(short, afterNs)).toEqual(rowsBefore(long, afterNs));
      }),
      { numRuns: 60 },
    );
  });
});

describe('threads and domains of a run', () => {
  it('act in the order in which they are listed, at equal times', () => {
    const start = { ticks: 1, plus: 0 };
    const { run } = finish(simConfig({ actors: [3, 1, 2].map((cpu) => updater({ cpu, start })) }));
    expect(rowsOf(run.log, KIND.api_call).map(({ track }) => run.info.tracks[track]?.cpu)).toEqual([3, 1, 2]);
  });

  it('are numbered by kind, on CPU (cpu + i) mod cpus, stagger apart', () => {
    const actors = [
      reader({ cpu: 3, count: 2, start: 1000, stagger: 70, hold: MS, idle: MS }),
      updater({ cpu: 2, count: 3, start: 5000, stagger: 11 }),
      reader({ hold: MS, idle: MS }),
    ];
    const { run } = finish(simConfig({ actors }));
    const threads = run.info.tracks.filter(({ kind }) => kind === 'thread');
    expect(threads.map(({ name, cpu, actor, number }) => [name, cpu, actor, number])).toEqual([
      ['reader/0', 3, 0, 0],
      ['reader/1', 0, 0, 1],
      ['updater/0', 2, 1, 0],
      ['updater/1', 3, 1, 1],
      ['updater/2', 0, 1, 2],
      ['reader/2', 0, 2, 0],
    ]);
    const first = (id: number) => run.log.row(rowIndex(run.log, id)).timeNs;
    expect(threads.map(({ id }) => first(id))).toEqual([1000, 1070, 5000, 5011, 5022, 0]);
  });

  it('begin so many ticks and ns after t = 0', () => {
    const { run } = finish(simConfig({ hz: 300, actors: [updater({ start: { ticks: 2, plus: 5 } })] }));
    expect(rowsOf(run.log, KIND.api_call)[0]?.timeNs).toBe(6_666_666 + 5);
  });

  it('keep the readers of one domain out of the grace periods of another', () => {
    const actors = [
      reader({ cpu: 1, domain: 'srcu:a', hold: 50 * MS }),
      updater({ start: MS, domain: 'srcu:b' }),
      updater({ cpu: 2, start: MS, domain: 'srcu:a' }),
    ];
    const { run } = finish(simConfig({ actors }));
    const [b, a] = latenciesNs(run.log) as [number, number];
    expect(b).toBe(10_000);
    expect(a).toBeGreaterThan(49 * MS);
    const domains = run.info.tracks.filter(({ kind }) => kind === 'srcu').map(({ name }) => name);
    expect(domains.sort()).toEqual(['srcu:a', 'srcu:b']);
    const ends = rowsOf(run.log, KIND.srcu_gp_end);
    expect(new Set(ends.map(({ track }) => run.info.tracks[track]?.name))).toEqual(new Set(domains));
  });

  it('run the passes of two domains on one worker, one after the other, where CPUs are shared', () => {
    const domains = ['srcu:a', 'srcu:b'];
    const actors = domains.map((domain, i) => updater({ start: MS + i, domain }));
    const { run } = finish(simConfig({ preset: 'virtual-1gips', actors }));
    const workers = run.info.tracks.filter(({ kind }) => kind === 'worker');
    expect(workers.map(({ name }) => name)).toEqual(['kworker/0']);
    const passes = rowsOf(run.log, KIND.srcu_pass).map(({ b, d }) => [b, b + d] as const);
    expect(passes).toHaveLength(2);
    expect(passes[1]?.[0]).toBeGreaterThanOrEqual(passes[0]?.[1] as number);
  });

  it('have tracks for every CPU first', () => {
    const { run } = finish(simConfig({ cpus: 3, actors: [updater()] }));
    const cpus = run.info.tracks.filter(({ kind }) => kind === 'cpu');
    expect(cpus.map(({ id, cpu, name }) => [id, cpu, name])).toEqual(
      [0, 1, 2].map((i) => [i, i, `CPU ${i}`]),
    );
    expect(run.info.tracks.map(({ id }) => id)).toEqual(run.info.tracks.map((_, i) => i));
  });

  it('throws on rules that no profile has, which the configuration layer refuses', () => {
    const config = simConfig({ actors: [updater()] });
    expect(() => createRun({ ...config, rules: { sched: 'o1' } })).toThrow('rule sched: o1');
  });
});

function rowIndex(log: EventLog, track: number): number {
  for (let i = 0; i < log.length; i++) if (log.row(i).track === track) return i;
  throw new Error(`no row of track ${track}`);
}

it('is the same run every time', () => {
  fc.assert(
    fc.property(randomConfig(), (config) => {
      const limits = { maxEvents: 3000 };
      expect(logDigest(runToEnd(config, limits).log)).toBe(logDigest(runToEnd(config, limits).log));
    }),
    { numRuns: 30 },
  );
});

it('an actor that is busy without leaving rows meets a limit too', () => {
  const config = simConfig({
    preset: 'plain',
    actors: [load({ spin: 10 }), updater({ start: 1_000_000_000, calls: 1 })],
  });
  const run = createRun(config, { maxEvents: 1000 });
  const status = run.advance(1_000_000);
  expect(status).toMatchObject({ state: 'ended', message: expect.stringContaining('left only') });
});
