import { describe, expect, it } from 'vitest';
import { KFREE_TEST, KIND, WORK_FN } from '../engine/core/eventKinds.ts';
import { peakMemory } from './kvfreeMemory.ts';
import { kvfreeSample } from './kvfreeRuns.testkit.ts';
import { createLanes, laneInfos, laneOfRow } from './lanes.ts';
import { type Lane, SPAN_CLASS, type Spans } from './laneTypes.ts';
import { LaneDetail, viewBuffers } from './lod.ts';
import { createRunIndex } from './runIndex.ts';
import { config, run, updater } from './runs.testkit.ts';

function lanesOf(name: string) {
  const { log, info } = run(kvfreeSample(name));
  const index = createRunIndex(log, info);
  const lanes = createLanes(log, index);
  const lane = (id: string) => lanes.find((other) => other.id === id) as Lane;
  return { log, info, index, lanes, lane };
}

function numbersOf(spans: Spans, cls: number): number[] {
  return [...spans.value].filter((_, i) => spans.cls[i] === cls);
}

describe('lanes of kvfree_rcu()', () => {
  it('are there for CPUs that queue, behind all others, and only in runs that have it', () => {
    const ids = laneInfos(run(kvfreeSample('flood')).info).map(({ id }) => id);
    expect(ids.slice(-5)).toEqual(['memory', 'kfree:0', 'kfree:1', 'kfree:2', 'kfree:3']);
    const others = laneInfos(run(config([updater()])).info).map(({ kind }) => kind);
    expect(others).not.toContain('kfree');
    expect(others).not.toContain('memory');
  });

  it('show every unit from its first object to its last, and every batch from attach to end', () => {
    const { log, index, lane } = lanesOf('flood');
    const { units, batches } = index.kvfree as NonNullable<typeof index.kvfree>;
    const { spans } = lane('kfree:2');
    const filling = numbersOf(spans, SPAN_CLASS.kfreeFill);
    const blocks = [...units.cpu.keys()].filter((id) => units.cpu[id] === 2 && units.channel[id] === 0);
    expect(filling).toEqual(blocks);
    for (const cls of [SPAN_CLASS.kfreeWait, SPAN_CLASS.kfreeFree])
      expect(numbersOf(spans, cls).sort((x, y) => x - y)).toEqual(
        [...batches.cpu.keys()].filter((n) => batches.cpu[n] === 2),
      );
    const wait = spans.cls.indexOf(SPAN_CLASS.kfreeWait);
    const number = spans.value[wait] as number;
    expect(spans.startNs[wait]).toBe(log.timeNs(batches.attachRow[number] as number));
    expect(spans.endNs[wait]).toBe(log.timeNs(batches.startRow[number] as number));
    expect(spans.depth[wait]).toBeGreaterThan(0);
    expect(laneOfRow(log.row(batches.attachRow[number] as number), index.info)).toBe('kfree:2');
  });

  it('know how many objects a unit took, in a window of spans', () => {
    const { log, index, lane } = lanesOf('flood');
    const { units } = index.kvfree ?? {};
    const view = new LaneDetail(lane('kfree:2'), index.endNs).view(0, index.endNs / 2, 4000);
    if (view.mode !== 'spans' || view.units === undefined || units === undefined) throw new Error('no spans');
    const { spans } = view;
    const { objects, lastNs } = view.units;
    const fills = [...spans.cls.keys()].filter((i) => spans.cls[i] === SPAN_CLASS.kfreeFill);
    expect(fills.length).toBeGreaterThan(5);
    for (const i of fills) {
      const close = log.row(units.closeRow[spans.value[i] as number] as number);
      expect(objects[i]).toBe(close.b);
      expect(lastNs[i]).toBeLessThanOrEqual(close.timeNs);
      if (close.b === 507) expect(lastNs[i]).toBe(close.timeNs);
    }
    expect(Math.max(...fills.map((i) => objects[i] as number))).toBe(507);
    const others = [...spans.cls.keys()].filter((i) => spans.cls[i] === SPAN_CLASS.kfreeWait);
    for (const i of others) expect(objects[i]).toBe(0);
    expect(viewBuffers(view)).toContain(objects.buffer);
  });

  it('know that a block took nothing after its threads had ended', () => {
    const { log, index, lane } = lanesOf('quiet');
    const kvfree = index.kvfree;
    const view = new LaneDetail(lane('kfree:0'), index.endNs).view(0, index.endNs, 1000);
    if (view.mode !== 'spans' || view.units === undefined || kvfree === undefined)
      throw new Error('no spans');
    const { spans, units } = view;
    const ends = [...Array(log.length).keys()]
      .map((row) => log.row(row))
      .filter(({ kind, a }) => kind === KIND.kfree_test && a === KFREE_TEST.last);
    const first = [...spans.cls.keys()].find((i) => (units.objects[i] as number) > 0) ?? -1;
    expect(units.objects[first]).toBeGreaterThan(90);
    expect(units.lastNs[first]).toBe(ends[0]?.timeNs);
    expect(spans.endNs[first]).toBeGreaterThan(1000 * (units.lastNs[first] as number));
  });

  it('show on the lanes of CPUs what workers do for it', () => {
    const { lanes } = lanesOf('flood');
    const works = lanes
      .filter(({ kind }) => kind === 'cpu')
      .flatMap(({ spans }) => numbersOf(spans, SPAN_CLASS.kfreeWork));
    expect(new Set(works)).toEqual(
      new Set([WORK_FN.kfree_rcu_monitor, WORK_FN.kfree_rcu_work, WORK_FN.fill_page_cache_func]),
    );
  });

  it('have a chart of memory, whose peak survives any zoom', () => {
    const { log, index, lane } = lanesOf('flood');
    const memory = lane('memory');
    const peak = peakMemory(log, index);
    expect(memory.chart?.most).toBe(peak.total);
    const view = new LaneDetail(memory, index.endNs).view(0, index.endNs, 40);
    if (view.mode !== 'spans' || view.chart === undefined) throw new Error('no chart');
    const { timeNs, parts, most } = view.chart;
    expect(timeNs.length).toBeLessThanOrEqual(82);
    const sums = [...timeNs.keys()].map((i) => parts.reduce((sum, part) => sum + (part[i] as number), 0));
    expect(Math.max(...sums)).toBe(most);
    expect(viewBuffers(view)).toContain(timeNs.buffer);
    const narrow = new LaneDetail(memory, index.endNs).view(peak.timeNs - 10, peak.timeNs + 10, 400);
    if (narrow.mode !== 'spans') throw new Error('no chart');
    const times = [...(narrow.chart?.timeNs ?? [])];
    expect(times[0]).toBeLessThanOrEqual(peak.timeNs - 10);
    expect(times.at(-1)).toBeGreaterThanOrEqual(peak.timeNs + 10);
  });

  it('does not say that a batch waits where its rows are of other things', () => {
    const { log, lane } = lanesOf('callbacks of v5.4');
    const { spans } = lane('kfree:0');
    expect(numbersOf(spans, SPAN_CLASS.kfreeWait)).toEqual([]);
    let opened = 0;
    log.forEach((event) => {
      if (event.kind === KIND.kvfree_unit_open && event.track === 0) opened++;
    });
    expect(opened).toBeGreaterThan(0);
  });
});
