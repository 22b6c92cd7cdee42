import { describe, expect, it, test } from 'vitest';
import { findProfile } from '../engine/profiles/profiles.ts';
import { kfreeLife, kfreeLifeWords, mayStillWait } from './kfreeLife.ts';

const S = 1_000_000_000;
const MS = 1_000_000;

function life(kernel: string, hz: number, pageSize = 4096) {
  const profile = findProfile(kernel);
  if (profile === undefined) throw new Error(kernel);
  return kfreeLife(profile.rules, hz, pageSize);
}

describe('an object that was given to kfree_rcu() 3 s ago (case t19)', () => {
  it.each(['v6.1', 'v6.3', 'v6.12'])('may be there on %s, whatever HZ is', (kernel) => {
    for (const hz of [100, 250, 300, 1000]) {
      expect(life(kernel, hz).drain).toMatchObject({ jiffies: 5 * hz, leastNs: 5 * S });
      expect(mayStillWait(life(kernel, hz), 3 * S, 20 * MS)).toBe(true);
      expect(mayStillWait(life(kernel, hz), 6 * S, 20 * MS)).toBe(false);
    }
  });

  it.each(['v5.6', 'v5.10', 'v5.19'])('may not on %s, which drains after HZ/50', (kernel) => {
    expect(life(kernel, 1000).drain).toEqual({ jiffies: 20, leastNs: 20 * MS, mostNs: 21 * MS });
    expect(life(kernel, 250).drain).toEqual({ jiffies: 5, leastNs: 20 * MS, mostNs: 24 * MS });
    expect(mayStillWait(life(kernel, 250), 3 * S, 20 * MS)).toBe(false);
    expect(mayStillWait(life(kernel, 250), 50 * MS, 20 * MS)).toBe(true);
  });

  it('nor where nothing is batched, but for the grace periods themselves', () => {
    expect(life('v5.4', 250).drain).toBeUndefined();
    expect(mayStillWait(life('v5.4', 250), 3 * S, 20 * MS)).toBe(false);
    expect(mayStillWait(life('v5.4', 250), 40 * MS, 20 * MS)).toBe(true);
  });
});

test.each([
  [100, 5.08],
  [250, 5.256],
  [1000, 5.512],
])('HZ=%i: 5 HZ last up to %f s (K7)', (hz, most) => {
  expect((life('v6.12', hz).drain?.mostNs ?? 0) / S).toBeCloseTo(most, 3);
});

test('a full block drains after one jiffy, one to two ticks', () => {
  expect(life('v6.12', 250)).toMatchObject({
    ...{ records: 507, takesElapsedGp: true },
    drainFull: { jiffies: 1, leastNs: 4 * MS, mostNs: 8 * MS },
  });
  expect(life('v6.1', 1000)).toMatchObject({
    ...{ records: 510, takesElapsedGp: false },
    drainFull: { jiffies: 1, leastNs: MS, mostNs: 2 * MS },
  });
  expect(life('v6.12', 250, 65_536).records).toBe(8187);
  expect(life('v5.10', 250).drainFull).toBeUndefined();
});

test('in words', () => {
  expect(kfreeLifeWords(life('v6.12', 250))).toBe(
    'An object sits in the batch of its CPU until the monitor comes, 5 s to 5.256 s after the first one was queued, ' +
      'and then needs a grace period, which may have passed meanwhile. With 507 objects or more on a CPU the monitor ' +
      'comes after 1 jiffy, 4 ms to 8 ms. While both batches of the CPU wait for a grace period it sits longer.',
  );
  expect(kfreeLifeWords(life('v5.10', 250))).toMatch(
    /20 ms to 24 ms .*a full grace period that begins after that\. While/,
  );
  expect(kfreeLifeWords(life('v4.19', 250))).toMatch(/^Each object is a callback of its own/);
});
