import { describe, expect, it } from 'vitest';
import { storyTimeNs } from './storyTime.ts';

describe('moment of a sentence', () => {
  it('is the time that it begins with, if it does', () => {
    expect(storyTimeNs('8 ms: the next tick of CPU 0.')).toBe(8_000_000);
    expect(storyTimeNs('21.5 ms: the call.')).toBe(21_500_000);
    expect(storyTimeNs('After 3 s the CPU warns.')).toBeUndefined();
    expect(storyTimeNs('100 ms later: nothing.')).toBeUndefined();
  });
});
