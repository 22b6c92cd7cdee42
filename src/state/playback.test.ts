import { expect, it } from 'vitest';
import { playedTo } from './playback.ts';

it('one second at 2 ms a second is 2 ms, in frames of any length up to 100 ms', () => {
  let timeNs = 0;
  for (let i = 0; i < 50; i++) timeNs = playedTo(timeNs, 20, 2_000_000, 1e9).timeNs;
  expect(timeNs).toBeCloseTo(2_000_000);
});

it('stops at the end of the run', () => {
  expect(playedTo(990, 16, 1e9, 1000)).toEqual({ timeNs: 1000, isAtEnd: true });
});

it('a page that was away for a minute goes on from where it was', () => {
  expect(playedTo(0, 60_000, 2_000_000, 1e12).timeNs).toBeLessThanOrEqual(200_000);
});
