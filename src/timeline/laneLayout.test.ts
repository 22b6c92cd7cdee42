import { describe, expect, it } from 'vitest';
import type { LaneInfo } from '../analysis/laneTypes.ts';
import {
  depthBox,
  groupToOpen,
  inScreenOrder,
  lanesShown,
  layoutLanes,
  rowAt,
  rowsBetween,
} from './laneLayout.ts';
import { laneInfo } from './laneView.testkit.ts';

const cpus = (count: number) => Array.from({ length: count }, (_, i) => laneInfo('cpu', i));
const domain = [laneInfo('gp', 70), laneInfo('worker', 70), laneInfo('callbacks', 70)];

describe('lane layout', () => {
  it('keeps the order it is given and never overlaps', () => {
    const { rows, heightPx } = layoutLanes([...cpus(4), ...domain], new Set(), 16, 1e6);
    expect(rows.map((row) => (row.kind === 'lane' ? row.lane.id : ''))).toEqual([
      'cpu:0',
      'cpu:1',
      'cpu:2',
      'cpu:3',
      'gp:70',
      'worker:70',
      'callbacks:70',
    ]);
    for (const [i, row] of rows.entries()) {
      const before = rows[i - 1];
      expect(row.topPx).toBeGreaterThanOrEqual(before ? before.topPx + before.heightPx : 0);
    }
    const last = rows.at(-1);
    expect(heightPx).toBe((last?.topPx ?? 0) + (last?.heightPx ?? 0));
  });

  it('puts more than 16 CPUs in groups that open one by one', () => {
    const { rows } = layoutLanes([...cpus(40), ...domain], new Set([1]), 16, 1e6);
    const groups = rows.flatMap((row) => (row.kind === 'group' ? [row.group] : []));
    expect(groups).toEqual([
      { index: 0, firstCpu: 0, lastCpu: 15, isOpen: false },
      { index: 1, firstCpu: 16, lastCpu: 31, isOpen: true },
      { index: 2, firstCpu: 32, lastCpu: 39, isOpen: false },
    ]);
    expect(rows.filter((row) => row.kind === 'lane' && row.lane.kind === 'cpu')).toHaveLength(16);
  });

  it('grows with the font of the page', () => {
    const small = layoutLanes([...cpus(4), ...domain], new Set(), 16, 1e6);
    const large = layoutLanes([...cpus(4), ...domain], new Set(), 32, 1e6);
    expect(large.heightPx).toBe(2 * small.heightPx);
  });

  it('fits lanes to the box: within limits, then leaves the rest to scrolling or empty', () => {
    const heightIn = (roomPx: number) => layoutLanes([...cpus(4), ...domain], new Set(), 16, roomPx).heightPx;
    const [lowest, highest] = [heightIn(0), heightIn(1e6)];
    expect(highest).toBeGreaterThan(1.5 * lowest);
    for (const share of [0, 0.2, 0.5, 0.9, 1]) {
      const roomPx = lowest + share * (highest - lowest);
      expect(heightIn(roomPx)).toBeCloseTo(roomPx, 6);
    }
    expect(heightIn(lowest / 2)).toBe(lowest);
    expect(heightIn(highest * 2)).toBe(highest);
  });

  it('gives CPUs without threads less room, whatever runs on them', () => {
    const lanes = [laneInfo('cpu', 0), { ...laneInfo('cpu', 1), detail: 'reader/0' }];
    const [idle, busy] = layoutLanes(lanes, new Set(), 16, 1e6).rows;
    expect(idle?.heightPx).toBeLessThan(busy?.heightPx ?? 0);
  });

  it('shows the same lanes as it lists', () => {
    for (const open of [new Set<number>(), new Set([1]), new Set([0, 2])]) {
      const lanes = [...cpus(40), ...domain];
      const shown = layoutLanes(lanes, open, 16, 1e6).rows.flatMap((row) =>
        row.kind === 'lane' ? [row.lane] : [],
      );
      expect(lanesShown(lanes, open)).toEqual(shown);
    }
  });

  it('puts CPUs behind their leaves where there are any', () => {
    const leaf = (index: number, track: number): LaneInfo => {
      return { id: `leaf:${index}`, kind: 'leaf', track, name: `leaf ${index}`, detail: '' };
    };
    const all = cpus(18);
    const lanes = [leaf(1, 0), ...all.slice(0, 9), leaf(2, 9), ...all.slice(9), ...domain];
    const { rows } = layoutLanes(lanes, new Set([1]), 16, 1e6);
    const shown = rows.flatMap((row) => (row.kind === 'lane' ? [row] : []));
    expect(shown.slice(0, 3).map(({ lane, leaf: of }) => [lane.id, of])).toEqual([
      ['leaf:1', { index: 0, isOpen: false }],
      ['leaf:2', { index: 1, isOpen: true }],
      ['cpu:9', undefined],
    ]);
    expect(lanesShown(lanes, new Set([1]))).toEqual(shown.map(({ lane }) => lane));
    expect(inScreenOrder(lanes)).toEqual([...domain, ...lanes.slice(0, -3)]);
    expect(inScreenOrder([...cpus(40), ...domain])).toEqual([...cpus(40), ...domain]);
    expect([3, 9, 17, 18].map((cpu) => groupToOpen(lanes, cpu))).toEqual([0, 1, 1, undefined]);
    expect(groupToOpen([...cpus(40), ...domain], 20)).toBe(1);
    expect(groupToOpen([...cpus(4), ...domain], 2)).toBeUndefined();
  });

  it('finds the rows of a stretch as a plain search does', () => {
    const layout = layoutLanes([...cpus(64), ...domain], new Set([0, 2]), 16, 1e6);
    for (let topPx = -50; topPx < layout.heightPx + 50; topPx += 37) {
      const found = rowsBetween(layout, topPx, topPx + 120);
      const expected = layout.rows.filter(
        (row) => row.topPx + row.heightPx > topPx && row.topPx < topPx + 120,
      );
      expect(found).toEqual(expected);
      const at = layout.rows.find((row) => row.topPx <= topPx && topPx < row.topPx + row.heightPx);
      expect(rowAt(layout, topPx)).toBe(at);
    }
  });

  it('keeps sub-rows inside the lane, below each other', () => {
    for (const kind of ['cpu', 'worker', 'calls', 'gp'] as const) {
      for (let depths = 1; depths <= 4; depths++) {
        let bottom = 0;
        for (let depth = 0; depth < depths; depth++) {
          const box = depthBox(kind, 38, depth, depths);
          expect(box.topPx).toBeGreaterThanOrEqual(bottom);
          expect(box.heightPx).toBeGreaterThan(0.9);
          bottom = box.topPx + box.heightPx;
        }
        expect(bottom).toBeLessThanOrEqual(38);
      }
    }
  });
});
