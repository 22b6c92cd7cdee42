import { describe, expect, it } from 'vitest';
import { APIS } from '../engine/config.ts';
import { STOP_REASON } from '../engine/core/eventKinds.ts';
import { presetMachine } from '../engine/machine/presets.ts';
import { headlineOf } from './headline.ts';
import { RCU_SAMPLES, sampleOf } from './rcuRuns.testkit.ts';
import { createRunIndex } from './runIndex.ts';
import { runResult } from './runResult.ts';
import { config, MS, reader, run, updater } from './runs.testkit.ts';
import { GP_FLAVOR, LAST_REPORT } from './types.ts';

const done = { state: 'ended', reason: STOP_REASON.done } as const;

describe('Tree RCU in the index of a run', () => {
  it('has the grace periods of an idle machine, to the nanosecond (tree 4.2 d: 2 + n (j + 1) jiffies a call)', () => {
    const { log, info } = run(
      config([updater({ api: 'synchronize_rcu', start: 4 * MS, calls: 3 })], { cpus: 4 }),
    );
    const index = createRunIndex(log, info);
    const { gps, calls } = index;
    expect(gps.length).toBe(3);
    expect([...gps.number]).toEqual([-300, -299, -298]);
    expect([...gps.flavor]).toEqual([1, 1, 1]);
    expect([...gps.startNs]).toEqual([8 * MS, 24 * MS, 40 * MS]);
    expect([...gps.endNs]).toEqual([16 * MS, 32 * MS, 48 * MS]);
    expect([...gps.scans]).toEqual([1, 1, 1]);
    expect([...gps.lastHow]).toEqual([LAST_REPORT.scan, LAST_REPORT.scan, LAST_REPORT.scan]);
    expect([...gps.lastReportNs]).toEqual([16 * MS, 32 * MS, 48 * MS]);
    expect([...gps.requester]).toEqual([...calls.thread]);
    expect([...calls.gp]).toEqual([0, 1, 2]);
    expect([...calls.latencyNs]).toEqual([16 * MS, 16 * MS, 16 * MS]);
    // queued at 4 ms, numbered at the next tick
    expect([...calls.numberedRow].map((row) => log.timeNs(row))).toEqual([8 * MS, 24 * MS, 40 * MS]);
    expect(headlineOf(index).rcu).toMatchObject({
      ...{ normal: { n: 3, p50Ns: 8 * MS }, scansPerGp: 1, manyScans: 0, outsideShare: 0.5 },
    });
  });

  it('has a section for what a run has, and no other', () => {
    const rcu = run(sampleOf('plain, idle'));
    const result = runResult(rcu.log, rcu.info, done);
    expect(result.gracePeriods).toEqual({ rcu: { n: 3, p50: 8 * MS, p99: 8 * MS } });
    expect(result.srcu).toBeUndefined();
    expect(Object.keys(result.latency ?? {})).toEqual(['synchronize_rcu']);
    const srcu = run(config([reader(), updater()]));
    expect(Object.keys(runResult(srcu.log, srcu.info, done).gracePeriods ?? {})).toEqual(['srcu']);
    expect(headlineOf(createRunIndex(srcu.log, srcu.info)).rcu).toBeUndefined();
    const both = run(config([updater(), updater({ api: 'synchronize_rcu', calls: 2 })], { cpus: 4 }));
    const keys = Object.keys(runResult(both.log, both.info, done).gracePeriods ?? {});
    expect(keys).toEqual(['srcu', 'rcu']);
  });

  it('has the three series of call_rcu()', () => {
    const { log, info } = run(sampleOf('callbacks and barrier'));
    const { series } = createRunIndex(log, info);
    const counts = Object.fromEntries(series.map(({ name, values }) => [name, values.length]));
    expect(counts).toEqual({
      ...{ synchronize_rcu: 5, call_rcu: 5, 'call_rcu.enqueue': 5, 'call_rcu.callback': 150 },
    });
    const by = (name: string) => series.find((one) => one.name === name)?.values ?? new Float64Array();
    // a batch returns when the last of its callbacks has run
    expect(Math.min(...by('call_rcu'))).toBeGreaterThan(Math.min(...by('call_rcu.callback')));
  });

  it('says which CPU or reader was last', () => {
    const { log, info } = run(
      config(
        [
          updater({ api: 'synchronize_rcu', start: 4 * MS }),
          reader({ domain: 'rcu', cpu: 2, hold: 100 * MS, start: 1 }),
          { kind: 'load', mode: 'user', cpu: 2, count: 1, start: 0, stagger: 0, idle: 0 },
        ],
        { cpus: 4, machine: presetMachine('virtual-1gips') },
      ),
    );
    const { gps } = createRunIndex(log, info);
    expect(gps.lastHow[0]).toBe(LAST_REPORT.reader);
    expect(info.tracks[gps.lastReader[0] ?? -1]?.name).toBe('reader/0');
    expect(gps.lastReportNs[0]).toBeGreaterThan(100 * MS);
  });

  for (const [name, sample] of Object.entries(RCU_SAMPLES)) {
    it(`gives every call a grace period that began after it and ended before it (V3): ${name}`, () => {
      const { log, info } = run(sample());
      const { gps, calls } = createRunIndex(log, info);
      for (let call = 0; call < calls.length; call++) {
        const api = APIS[calls.api[call] ?? -1] ?? '';
        if (Number.isNaN(calls.returnNs[call]) || !/^synchronize_rcu|^start_poll|^get_state/.test(api))
          continue;
        const gp = calls.gp[call] ?? -1;
        expect({ call, hasGp: gp >= 0 }).toEqual({ call, hasGp: true });
        const [start, end] = [gps.startRow[gp] ?? -1, gps.endRow[gp] ?? -1];
        expect({ call, start, isAfter: start > (calls.callRow[call] ?? 0) }).toEqual({
          call,
          start,
          isAfter: true,
        });
        expect({ call, end, isBefore: end > 0 && end < (calls.returnRow[call] ?? 0) }).toEqual({
          ...{ call, end, isBefore: true },
        });
        expect(gps.flavor[gp]).toBe(api.endsWith('expedited') ? GP_FLAVOR.exp : GP_FLAVOR.rcu);
      }
    });
  }
});
