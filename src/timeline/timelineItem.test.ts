import { describe, expect, it } from 'vitest';
import { laneInfo, spanLane } from './laneView.testkit.ts';
import { TEST_INFO } from './runInfo.testkit.ts';
import { describeItem, isLossy, itemOfMark, itemOfSpan, neighbour } from './timelineItem.ts';

describe('items in words', () => {
  it('say what, how long, since when and who', () => {
    const lane = spanLane(laneInfo('cpu', 2), [['reader', 8_000_000, 9_500_000]]);
    expect(describeItem(itemOfSpan(lane, 0), TEST_INFO)).toEqual([
      'Reader section',
      'for 1.5 ms from 8.000 000 ms, jiffy 1\u202f002',
      'reader/0 on CPU 1',
    ]);
  });

  it('count passes, jiffies and callbacks with the right noun', () => {
    const lane = spanLane(laneInfo('worker', 3), [
      ['poll', 0, 10, 1],
      ['poll', 10, 30, 1_200],
      ['sleepHeld', 30, 60, 1],
      ['sleepWaste', 60, 90, 3],
    ]);
    const headings = [0, 1, 2, 3].map((i) => describeItem(itemOfSpan(lane, i), TEST_INFO)[0]);
    expect(headings).toEqual([
      'Polling, a reader was found (1 pass)',
      'Polling, a reader was found (1\u202f200 passes)',
      'Asleep, a reader holds (delay 1 jiffy)',
      'Asleep, nobody holds any more (delay 3 jiffies)',
    ]);
  });

  it('call a grace period by its number, over all of its phases', () => {
    const lane = spanLane(laneInfo('gp', 3), [
      ['gpScan1', 0, 1_000, 7],
      ['gpScan2', 1_000, 5_000, 7],
    ]);
    expect(describeItem(itemOfSpan(lane, 1), TEST_INFO)).toEqual([
      'Grace period 7',
      'for 5 µs from 0.000 000 ms, jiffy 1\u202f000',
      'domain srcu:kvm',
    ]);
  });

  it('give instants without a length', () => {
    const lane = spanLane(laneInfo('worker', 3), [], [['timerFires', 4_000_000]]);
    expect(describeItem(itemOfMark(lane, 0), TEST_INFO)).toEqual([
      'Timer fires',
      'at 4.000 000 ms, jiffy 1\u202f001',
    ]);
  });
});

describe('previous and next on a track', () => {
  const lane = spanLane(
    laneInfo('gp', 3),
    [
      ['gpScan1', 100, 150, 1],
      ['gpScan2', 150, 200, 1],
      ['gpScan2', 200, 400, 2],
    ],
    [
      ['flip', 150],
      ['request', 200],
    ],
  );

  it('visit every span and mark once, a grace period as one', () => {
    const visited: string[] = [];
    let at = { ns: -1, row: 0 };
    for (;;) {
      const next = neighbour(lane, at.ns, at.row, 1);
      if (next === undefined) break;
      visited.push(`${next.shape} ${next.startNs}`);
      at = { ns: next.startNs, row: next.row };
    }
    expect(visited).toEqual(['span 100', 'mark 150', 'span 200', 'mark 200']);
    const back: string[] = [];
    for (;;) {
      const next = neighbour(lane, at.ns, at.row, -1);
      if (next === undefined) break;
      back.unshift(`${next.shape} ${next.startNs}`);
      at = { ns: next.startNs, row: next.row };
    }
    expect(back).toEqual(visited.slice(0, -1));
  });

  it('ask the log where the window leaves things out', () => {
    expect(isLossy(lane)).toBe(false);
    expect(isLossy({ ...lane, marksOmitted: 3 })).toBe(true);
  });
});
