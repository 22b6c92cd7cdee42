import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { KIND } from '../engine/core/eventKinds.ts';
import { unpackPass } from '../engine/core/passCode.ts';
import { createCheckpoints } from './checkpoints.ts';
import { cursorAt, findRow } from './cursor.ts';
import { sliceRows } from './rowWindow.ts';
import { config, MS, reader, run, SAMPLES, updater } from './runs.testkit.ts';
import { stateAt } from './stateAt.ts';

describe.each(Object.keys(SAMPLES))('state at a cursor of the run: %s', (name) => {
  const sample = SAMPLES[name];
  if (sample === undefined) throw new Error(name);
  const { log, info } = run(sample());
  const whole = sliceRows(log, 0, log.length);
  const checkpoints = createCheckpoints(log, info, 16);
  const start = checkpoints.before(-1);
  const endNs = log.timeNs(log.length - 1);
  const stateAtTime = (timeNs: number) => stateAt(whole, start, cursorAt(whole, timeNs), info);

  test('is the same from any checkpoint as from the start', () => {
    fc.assert(
      fc.property(fc.nat(log.length - 1), fc.nat(1000), (row, permille) => {
        const nextNs = row + 1 < log.length ? log.timeNs(row + 1) : log.timeNs(row);
        const timeNs = log.timeNs(row) + Math.floor(((nextNs - log.timeNs(row)) * permille) / 1001);
        const cursor = { row, timeNs };
        const checkpoint = structuredClone(checkpoints.before(row));
        expect(checkpoint.row).toBeLessThanOrEqual(row + 1);
        const part = sliceRows(log, checkpoint.row, log.length);
        expect(stateAt(part, checkpoint, cursor, info)).toEqual(stateAt(whole, start, cursor, info));
      }),
      { numRuns: 60 },
    );
  });

  test('has the sums of the counters that srcu_check rows name', () => {
    log.forEach((event, row) => {
      if (event.kind !== KIND.srcu_check || row % 7 !== 0) return;
      const state = stateAt(whole, start, { row, timeNs: log.timeNs(row) }, info);
      const domain = state.domains.find((other) => other.domain === event.track);
      const idx = event.a === 0 ? 0 : 1;
      expect([domain?.unlockSum[idx], domain?.lockSum[idx]]).toEqual([event.b, event.c]);
    });
  });

  test('has the srcu_n_exp_nodelay that srcu_pass rows name, after each and inside bursts', () => {
    let bursts = 0;
    log.forEach((event) => {
      const { a: count } = event;
      if (event.kind !== KIND.srcu_pass || count === 0) return;
      const passEndNs = event.b + count * event.d;
      const { nAfter } = unpackPass(event.c);
      const at = (timeNs: number) =>
        stateAtTime(timeNs).domains.find((domain) => domain.domain === event.track);
      if (bursts++ > 20) return;
      const after = at(passEndNs);
      // A pass that begins at the very instant has counted already where its first check takes no time.
      if (after?.worker.state !== 'running') expect(after?.nExpNodelay).toBe(nAfter);
      if (count < 3) return;
      const before = at(event.b + event.d) as NonNullable<typeof after>;
      const later = at(event.b + 2 * event.d) as NonNullable<typeof after>;
      const perPass =
        info.rules['srcu.delay'] === 'exp-only' ? 0 : info.rules['srcu.tryCheck'] === 'once' ? 2 : 4;
      if (before.phase === 'SCAN2') expect(later.nExpNodelay - before.nExpNodelay).toBe(perPass);
      expect(later.worker).toMatchObject({ state: 'running', burstPass: 2, checksDone: 0 });
    });
  });

  test('says that the worker runs during a pass and sleeps while its timer is armed', () => {
    let passes = 0;
    log.forEach((event, row) => {
      if (event.kind === KIND.timer_start && event.a === 1 && log.timeNs(row) < endNs) {
        const state = stateAt(whole, start, { row, timeNs: log.timeNs(row) }, info);
        const domain = state.domains.find((other) => other.domain === event.d);
        expect(domain?.worker).toMatchObject({
          state: 'sleeping',
          delay: event.b,
          untilJiffy: event.c,
        });
      }
      if (event.kind !== KIND.srcu_pass || event.a === 0 || event.d === 0 || passes++ > 20) return;
      const timeNs = event.b + Math.floor(event.d / 2);
      const domain = stateAtTime(timeNs).domains.find((other) => other.domain === event.track);
      expect(domain?.worker).toMatchObject({ state: 'running', row, burstPasses: event.a });
    });
    expect(passes).toBeGreaterThan(0);
  });
});

test('reschedule_count passes srcu_max_nodelay when that ends the polling, by one', () => {
  for (const start of [0, 100_000, 3_900_000, 3_999_000]) {
    const actors = [reader({ start, hold: 40 * MS }), updater({ start })];
    const { log, info } = run(config(actors, { params: { 'srcutree.srcu_max_nodelay': 100 } }));
    const window = sliceRows(log, 0, log.length);
    const armed = findRow(log, -1, 1, { kind: KIND.timer_start });
    const from = createCheckpoints(log, info).before(0);
    const state = stateAt(window, from, { row: armed, timeNs: log.timeNs(armed) }, info).domains[0];
    expect(state).toMatchObject({
      rescheduleCount: 101,
      jiffyLimit: 100,
      worker: { state: 'sleeping', delay: 1 },
    });
    expect(state?.rescheduleJiffies).toBe(state?.jiffies);
    const burst = findRow(log, armed, -1, { kind: KIND.srcu_pass });
    const before = stateAt(window, from, { row: burst - 1, timeNs: log.row(burst).b }, info).domains[0];
    expect(before?.rescheduleCount).toBe(100);
  }
});

test('a window that lacks rows is refused with their numbers', () => {
  const { log, info } = run(SAMPLES['no reader']?.() as never);
  const checkpoints = createCheckpoints(log, info);
  const window = sliceRows(log, 5, 10);
  expect(() => stateAt(window, checkpoints.before(0), { row: 7, timeNs: 0 }, info)).toThrow(
    'rows 0 to 7 are needed, the window has 5 to 9',
  );
});
