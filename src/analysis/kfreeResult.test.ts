import { describe, expect, it, test } from 'vitest';
import { KFREE_TEST, KIND } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import { presetMachine } from '../engine/machine/presets.ts';
import { createRun } from '../engine/run.ts';
import { createCheckpoints } from './checkpoints.ts';
import { seqDiff } from './kfreeFloods.ts';
import { memorySeries, peakMemory } from './kvfreeMemory.ts';
import { KVFREE_SAMPLES, kfree, kvfreeSample } from './kvfreeRuns.testkit.ts';
import { sliceRows } from './rowWindow.ts';
import { createRunIndex } from './runIndex.ts';
import { runResult } from './runResult.ts';
import { config, MS, run, updater } from './runs.testkit.ts';
import { stateAt } from './stateAt.ts';

/** The result of a finished run. */
function resultOf(simConfig: Parameters<typeof createRun>[0]) {
  const engine = createRun(simConfig);
  let status = engine.advance(1_000_000);
  while (status.state === 'running') status = engine.advance(1_000_000);
  return { log: engine.log, result: runResult(engine.log, engine.info, status) };
}

function testRow(log: EventLog, what: keyof typeof KFREE_TEST) {
  for (let row = log.length - 1; row >= 0; row--) {
    const event = log.row(row);
    if (event.kind === KIND.kfree_test && event.a === KFREE_TEST[what]) return event;
  }
  throw new Error(`no ${what}`);
}

test.each([
  [400, 400, 0],
  [440, 400, 11],
  [441, 401, 10],
  [441, 400, 11],
  [-1196, -1200, 2],
  [-1199, -1200, 1],
])('rcu_seq_diff(%i, %i) = %i (tree R1.6)', (now, old, diff) => {
  expect(seqDiff(now, old)).toBe(diff);
});

describe('result of a plain flood, an object a nanosecond', () => {
  const { log, result } = resultOf(kvfreeSample('plain'));

  it('has its times, grace periods and objects', () => {
    expect(result.kfree).toMatchObject({ floodNs: 12_000, gracePeriods: 0, drainGracePeriods: 1 });
    expect(result.kfree?.drainNs).toBe(testRow(log, 'drained').c);
    expect(result.memory).toMatchObject({ queued: 24_000, freed: 24_000 });
  });

  it('has the peak exactly: all objects, all blocks and what is cached', () => {
    const rows = Array.from({ length: log.length }, (_, row) => log.row(row));
    const blocks = rows.filter(({ kind, b }) => kind === KIND.kvfree_unit_open && b === 0).length;
    const cached = [0, 1].map((cpu) =>
      rows.find(({ kind, track, timeNs }) => kind === KIND.kvfree_attach && track === cpu && timeNs > 0),
    );
    expect(cached.every((row) => row !== undefined)).toBe(true);
    const peak = result.memory?.peakBytes ?? 0;
    const objects = 24_000 * 256;
    expect((peak - objects) % 4096).toBe(0);
    expect((peak - objects) / 4096).toBeGreaterThanOrEqual(blocks);
    expect((peak - objects) / 4096).toBeLessThanOrEqual(blocks + 10);
  });

  it('prints what the kernel prints', () => {
    expect(result.kfree?.line).toBe(
      `Total time taken by all kfree'ers: 12000 ns, loops: 4, batches: 0, memory footprint: ${Math.floor((result.memory?.footprintBytes ?? 0) / 2 ** 20)}MB`,
    );
    // d1/8 + d2/4 + d3/2 of what was in use at the quarters, 3000 objects each on both CPUs
    const each = 2 * 3000 * 256;
    const objects = each / 8 + (2 * each) / 4 + (3 * each) / 2;
    expect(result.memory?.footprintBytes).toBeGreaterThan(objects);
    expect(result.memory?.footprintBytes).toBeLessThan(1.05 * objects);
  });
});

describe('results of other floods', () => {
  it('says that memory ran out, where the kernel prints nothing', () => {
    const flood = kvfreeSample('flood');
    const machine = { ...flood.machine, memoryBytes: 1_000_000 };
    const { result } = resultOf({ ...flood, machine });
    expect(result.kfree).toMatchObject({ outOfMemory: 4 });
    expect(result.kfree).not.toHaveProperty('line');
    const { result: none } = resultOf({ ...flood, machine: { ...machine, memoryBytes: 1 } });
    expect(none).toMatchObject({ kfree: { outOfMemory: 4 }, memory: { queued: 0, freed: 0 } });
  });

  it('takes the peak from the samples where somebody samples', () => {
    const { log, result } = resultOf(kvfreeSample('flood'));
    let least = Number.POSITIVE_INFINITY;
    log.forEach((event) => {
      if (event.kind === KIND.kvfree_memory && event.b === -1) least = Math.min(least, event.a);
    });
    expect(result.memory?.peakBytes).toBe(result.config.machine.memoryBytes - least);
  });

  it('takes floods of several actors from the first begin to the last end and prints the line of the last', () => {
    const second = kfree({ start: 200 * MS, count: 1, loops: 8 });
    const { log, result } = resultOf(config([kfree(), second]));
    expect(result.kfree?.floodNs).toBe(200 * MS + 24_000);
    // one to drain the first flood, which is over long before the second one begins
    expect(result.kfree).toMatchObject({ gracePeriods: 1, drainGracePeriods: 1 });
    expect(result.kfree?.drainNs).toBe(testRow(log, 'drained').timeNs - (200 * MS + 24_000));
    expect(result.kfree?.line).toMatch(/: 24000 ns, loops: 8,/);
    expect(result.memory?.queued).toBe(48_000);
    expect(testRow(log, 'last').timeNs).toBe(200 * MS + 24_000);
  });

  it('counts nothing twice where floods overlap', () => {
    const long = kfree({ count: 1, loops: 100, allocs: 1000 });
    const short = kfree({ cpu: 1, count: 1, loops: 1, start: MS });
    const { log, result } = resultOf(config([long, short], { machine: presetMachine('virtual-1gips') }));
    const { floodNs = 0, drainNs = 0, gracePeriods = 0, drainGracePeriods = 0 } = result.kfree ?? {};
    const last = testRow(log, 'last');
    const rows = Array.from({ length: log.length }, (_, row) => log.row(row));
    const first = rows.find(({ kind, a }) => kind === KIND.kfree_test && a === KFREE_TEST.begin);
    expect(floodNs).toBe(last.timeNs - (first?.timeNs ?? Number.NaN));
    expect(last.timeNs + drainNs).toBe(testRow(log, 'drained').timeNs);
    expect(gracePeriods).toBeGreaterThan(1);
    expect(gracePeriods + drainGracePeriods).toBe(result.gracePeriods?.rcu?.n);
  });

  it('says what the check at free has leaked', () => {
    const { result } = resultOf(kvfreeSample('leaked by the check'));
    expect(result.memory).toMatchObject({ queued: 1800, freed: 600, leaked: 1200 });
    expect(resultOf(kvfreeSample('plain')).result.memory).not.toHaveProperty('leaked');
  });

  it('says nothing of runs without kvfree_rcu(), and nothing of a flood that has not ended', () => {
    const { result } = resultOf(config([updater()]));
    expect([result.kfree, result.memory]).toEqual([undefined, undefined]);
    const cut = resultOf(config([kfree()], { stop: { afterNs: 5000 } })).result;
    expect(cut.kfree).toBeUndefined();
    expect(cut.memory?.footprintBytes).toBeUndefined();
    expect(cut.memory?.freed).toBe(0);
  });
});

describe('memory over time', () => {
  for (const [name, sample] of Object.entries(KVFREE_SAMPLES)) {
    it(`is what the state at a cursor says: ${name}`, () => {
      const { log, info } = run(sample());
      const index = createRunIndex(log, info);
      const series = memorySeries(log, index, 1e9);
      const checkpoints = createCheckpoints(log, info, 256);
      const whole = sliceRows(log, 0, log.length);
      for (let row = 0; row < log.length; row += Math.max(1, Math.floor(log.length / 40))) {
        const timeNs = log.timeNs(row);
        const last = row + 1 === log.length || log.timeNs(row + 1) > timeNs;
        if (!last) continue;
        const { kvfree } = stateAt(whole, checkpoints.before(row), { row, timeNs }, info);
        const at = series.timeNs.findLastIndex((ns) => ns <= timeNs);
        const next = at + 1 < series.length ? at + 1 : at;
        const span = (series.timeNs[next] as number) - (series.timeNs[at] as number);
        const share = span === 0 ? 0 : (timeNs - (series.timeNs[at] as number)) / span;
        const value = (column: Float64Array) =>
          (column[at] as number) + share * ((column[next] as number) - (column[at] as number));
        // the state counts whole objects
        const slack = 300 * (kvfree?.krcs.length ?? 0) + 1;
        for (const column of ['queued', 'waiting', 'freeing', 'blocks', 'total'] as const)
          expect(
            Math.abs((kvfree?.memory[column] ?? 0) - value(series[column])),
            `${column} at row ${row}`,
          ).toBeLessThanOrEqual(slack);
      }
    });
  }

  it('keeps its peak when it is thinned out', () => {
    const { log, info } = run(kvfreeSample('flood'));
    const index = createRunIndex(log, info);
    const thin = memorySeries(log, index, 64);
    const peak = peakMemory(log, index);
    expect(thin.length).toBeLessThanOrEqual(64);
    expect(Math.max(...thin.total)).toBe(peak.total);
    expect(Math.max(...memorySeries(log, index).total)).toBe(peak.total);
  });
});
