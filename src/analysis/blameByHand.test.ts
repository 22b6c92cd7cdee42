import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { presetMachine } from '../engine/machine/presets.ts';
import { blame } from './blame.ts';
import { drawLog } from './drawLog.testkit.ts';
import { createRunIndex } from './runIndex.ts';
import { config, MS, reader, run, updater } from './runs.testkit.ts';

/**
 * HZ 250, phase limit 3: two passes of 15 us poll while the reader holds, then one jiffy of sleep (two ticks), of
 * which the reader needs 70 us. All times follow from spec srcu 4.1: c = r = 5 us.
 */
const SLEPT_TOO_LONG = `
  900000  srcu_lock          reader/0  srcu 0 1 0
  1000000 api_call          updater/0 0 0 srcu
  1000000 srcu_request       srcu 4 1 updater/0 0
  1000000 srcu_cb_queue      srcu 0 4 0 0
  1000000 srcu_gp_start      srcu 1 0 1 1
  1000000 workqueue_queue_work kworker/0 1 srcu 1
  1005000 srcu_check         srcu 1 0 0 1
  1005000 srcu_flip          srcu 1
  1015000 srcu_pass          srcu 1 1000000 1>2:3/4:d0:n2 15000
  1030000 srcu_pass          srcu 1 1015000 2>2:3/3:d1:n4 15000
  1030000 timer_start        CPU0 1 1 2 srcu
  1100000 srcu_unlock        reader/0  srcu 0 1 0
  8000000 timer_expire_entry CPU0 1 2 2 srcu
  8000000 workqueue_queue_work kworker/0 1 srcu 1
  8005000 srcu_check         srcu 0 1 1 2
  8005000 srcu_gp_end        srcu 4 0 1 1
  8005000 srcu_pass          srcu 1 8000000 2>0:0/1:d0:n0 5000
  8005000 workqueue_execute_start kworker/0 2 srcu 1
  8010000 srcu_cb_invoke     srcu 0 4 0 0
  8010000 api_return        updater/0 0 0 7010000 srcu
`;

const limit3 = config([reader(), updater()], { params: { 'srcutree.srcu_max_nodelay_phase': 3 } });
const NAMES = ['reader/0@1', 'updater/0@0', 'kworker/0@0', 'srcu'];

describe('why, on a log drawn by hand', () => {
  const { log, info } = drawLog(limit3, NAMES, SLEPT_TOO_LONG);
  const index = createRunIndex(log, info);

  test('is what the engine does, too', () => {
    const actors = [reader({ start: 900_000, hold: 200_000 }), updater({ start: 1_000_000 })];
    const engine = run({ ...limit3, actors });
    const real = createRunIndex(engine.log, engine.info);
    expect(real.figures).toEqual(index.figures);
    expect(real.calls.latencyNs[0]).toBe(index.calls.latencyNs[0]);
  });

  test('the call is explained in full sentences with numbers', () => {
    const why = blame(log, index, { of: 'call', index: 0 });
    expect(why.title).toBe('Why did call 0 of updater/0, synchronize_srcu_expedited(), take 7.01 ms?');
    expect(why.segments.map((s) => [s.kind, s.endNs - s.startNs])).toEqual([
      ['scan', 5_000],
      ['pollHeld', 25_000],
      ['sleepHeld', 70_000],
      ['sleepWaste', 6_900_000],
      ['scan', 5_000],
      ['callback', 5_000],
    ]);
    expect(why.segments.map((s) => s.text)).toEqual([
      'SCAN1 found nobody on index 1: 5 µs.',
      'SCAN2 polled 6 times while reader/0 on CPU 1 was in its section of index 0, entered 100 µs before the grace period started.',
      'After 2 passes srcu_n_exp_nodelay 4 exceeded its limit 3. It slept 70 µs of 1 jiffy while reader/0 on CPU 1 was still in its section.',
      'reader/0 had left, but process_srcu() slept on until its timer of 1 jiffy fired: 6.9 ms wasted.',
      'SCAN2 found nobody on index 0: 5 µs.',
      'srcu_invoke_callbacks() came to its callback after 5 µs.',
    ]);
  });

  test('the remedy is computed', () => {
    const { segments } = blame(log, index, { of: 'gpNumber', domain: 5, number: 1 });
    expect(segments.find((s) => s.kind === 'sleepWaste')?.remedy).toEqual({
      text: '5 more passes without delay would have saved 6.905 ms: srcu_max_nodelay_phase raised to 14.',
      savesNs: 6_905_000,
      param: { name: 'srcutree.srcu_max_nodelay_phase', value: 14 },
    });
  });

  test('the table names the reader it waited for last', () => {
    const { gps } = index;
    expect(gps.length).toBe(1);
    expect(info.tracks[gps.lastReader[0] as number]?.name).toBe('reader/0');
    expect(gps.lastReaderLeaveNs[0]).toBe(1_100_000);
    expect(gps.overshootNs[0]).toBe(6_900_000);
    expect(gps.firstSleepNs[0]).toBe(1_030_000);
    expect(gps.requesterHit[0]).toBe(0);
    expect([gps.polls[0], gps.passes[0], gps.sleeps[0], gps.pollNs[0]]).toEqual([6, 3, 1, 30_000]);
  });
});

test('a requester that meets itself is named, and that polls cannot help', () => {
  const text = SLEPT_TOO_LONG.replace('900000  srcu_lock          reader/0  srcu 0 1 0', '')
    .replace('1000000 srcu_request', '1000000 srcu_lock updater/0 srcu 0 0 1\n1000000 srcu_request')
    .replace('srcu_unlock        reader/0  srcu 0 1 0', 'srcu_unlock updater/0 srcu 0 0 1');
  const { log, info } = drawLog(limit3, NAMES, text);
  const index = createRunIndex(log, info);
  expect(index.gps.requesterHit[0]).toBe(1);
  const poll = blame(log, index, { of: 'gp', index: 0 }).segments.find((s) => s.kind === 'pollRequester');
  expect(poll?.text).toBe(
    'SCAN2 polled 6 times for its own requester updater/0 on CPU 0, which the worker had preempted inside its section: 25 µs.',
  );
  // Without a reader one pass does it: 5 us in place of 7.005 ms.
  expect(poll?.remedy?.savesNs).toBe(7_000_000);
});

test('a remedy that is followed saves exactly what it promises', () => {
  const followed = new Set<string>();
  fc.assert(
    fc.property(
      fc.integer({ min: 20_000, max: 6 * MS }),
      fc.integer({ min: 0, max: 4 * MS }),
      fc.constantFrom(3, 20, 100, 200, 500),
      fc.constantFrom(10, 100, 1000),
      fc.constantFrom(100, 250, 1000),
      (hold, start, phase, perJiffy, hz) => {
        const actors = [reader({ start, hold }), updater({ start })];
        const params = { 'srcutree.srcu_max_nodelay_phase': phase, 'srcutree.srcu_max_nodelay': perJiffy };
        const before = config(actors, { hz, params });
        const { log, info } = run(before);
        const index = createRunIndex(log, info);
        const { segments } = blame(log, index, { of: 'gp', index: 0 });
        const remedy = segments.find((segment) => segment.kind === 'sleepWaste')?.remedy;
        if (remedy?.param === undefined) return;
        followed.add(remedy.param.name);
        const { name, value } = remedy.param;
        const after = run({ ...before, params: { ...before.params, [name]: value } });
        const { gps } = createRunIndex(after.log, after.info);
        const savedNs = (index.gps.endNs[0] as number) - (gps.endNs[0] as number);
        expect(savedNs).toBe(remedy.savesNs);
      },
    ),
    { numRuns: 300 },
  );
  expect(followed).toEqual(new Set(['srcutree.srcu_max_nodelay_phase', 'srcutree.srcu_max_nodelay']));
});

test('where costs vary and a reader may share the CPU of the worker, it saves that to within 10 %', () => {
  const machine = { ...presetMachine('typical'), requester: 'scheduler' as const };
  let followed = 0;
  fc.assert(
    fc.property(
      fc.integer({ min: 20_000, max: 6 * MS }),
      fc.integer({ min: 0, max: 4 * MS }),
      fc.constantFrom(20, 100, 200, 500),
      fc.constantFrom(10, 100, 1000),
      fc.constantFrom(0, 1),
      fc.integer({ min: 1, max: 1000 }),
      (hold, start, phase, perJiffy, cpu, seed) => {
        const actors = [reader({ start, hold, cpu }), updater({ start: start + 20_000 })];
        const params = { 'srcutree.srcu_max_nodelay_phase': phase, 'srcutree.srcu_max_nodelay': perJiffy };
        const before = config(actors, { machine, cpus: 4, seed, params });
        const { log, info } = run(before);
        const index = createRunIndex(log, info);
        for (const { remedy } of blame(log, index, { of: 'gp', index: 0 }).segments) {
          if (remedy?.param === undefined) continue;
          followed++;
          const { name, value } = remedy.param;
          const after = run({ ...before, params: { ...before.params, [name]: value } });
          const { gps } = createRunIndex(after.log, after.info);
          const savedNs = (index.gps.endNs[0] as number) - (gps.endNs[0] as number);
          expect(Math.abs(savedNs - remedy.savesNs)).toBeLessThan(remedy.savesNs / 10);
        }
      },
    ),
    { numRuns: 300 },
  );
  expect(followed).toBeGreaterThan(10);
});
