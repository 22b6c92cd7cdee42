import { describe, expect, test } from 'vitest';
import { blame } from './blame.ts';
import { createRunIndex } from './runIndex.ts';
import { run, SAMPLES } from './runs.testkit.ts';

describe.each(Object.keys(SAMPLES))('why, in the run: %s', (name) => {
  const sample = SAMPLES[name];
  if (sample === undefined) throw new Error(name);
  const { log, info } = run(sample());
  const index = createRunIndex(log, info);
  const targets = [
    ...Array.from({ length: index.gps.length }, (_, i) => ({ of: 'gp', index: i }) as const),
    ...Array.from({ length: index.calls.length }, (_, i) => ({ of: 'call', index: i }) as const),
  ];

  test('segments follow each other without gaps and sum to the duration', () => {
    expect(targets.length).toBeGreaterThan(0);
    for (const target of targets) {
      const { startNs, endNs, segments } = blame(log, index, target);
      let atNs = startNs;
      for (const segment of segments) {
        expect(segment.startNs).toBe(atNs);
        expect(segment.endNs).toBeGreaterThan(segment.startNs);
        atNs = segment.endNs;
      }
      expect(atNs).toBe(endNs);
    }
  });

  test('time wasted is the overshoot of the table', () => {
    for (let gp = 0; gp < index.gps.length; gp++) {
      if (index.gps.endRow[gp] === -1) continue;
      const { segments } = blame(log, index, { of: 'gp', index: gp });
      const wasted = segments.filter((segment) => segment.kind === 'sleepWaste');
      const wastedNs = wasted.reduce((sum, { startNs, endNs }) => sum + endNs - startNs, 0);
      expect(wastedNs).toBe(index.gps.overshootNs[gp]);
    }
  });
});
