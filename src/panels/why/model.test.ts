import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Blame, BlameKind, BlameSegment } from '../../analysis/blameTypes.ts';
import { makeInfo, typed } from '../panelData.testkit.ts';
import { slowItems, whyView } from './model.ts';

function segment(
  kind: BlameKind,
  startNs: number,
  endNs: number,
  more: Partial<BlameSegment> = {},
): BlameSegment {
  return { kind, startNs, endNs, thread: -1, cpu: -1, row: startNs, text: kind, ...more };
}
function blame(segments: readonly BlameSegment[]): Blame {
  const endNs = segments.at(-1)?.endNs ?? 0;
  return { of: 'gp', index: 3, title: 'Why?', startNs: 0, endNs, finished: true, segments };
}

describe('why', () => {
  it('shares sum to one whatever the segments', () => {
    const lengths = fc.array(fc.integer({ min: 0, max: 1e9 }), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(lengths, (ns) => {
        fc.pre(ns.some((length) => length > 0));
        let at = 0;
        const view = whyView(
          blame(
            ns.map((length) => {
              const from = at;
              at += length;
              return segment('scan', from, at);
            }),
          ),
        );
        expect(view.segments.reduce((sum, { share }) => sum + share, 0)).toBeCloseTo(1, 9);
      }),
    );
  });

  it('leaves out what took no time, marks the waste and adds it up', () => {
    const view = whyView(
      blame([
        segment('entry', 0, 0),
        segment('pollHeld', 0, 2_000_000),
        segment('sleepWaste', 2_000_000, 5_000_000),
        segment('scan', 5_000_000, 5_500_000),
        segment('sleepWaste', 5_500_000, 8_000_000),
      ]),
    );
    expect(view.segments.map(({ tone, ms, isWaste }) => [tone, ms, isWaste])).toEqual([
      ['poll', '2.00', false],
      ['sleep', '3.00', true],
      ['gp', '0.50', false],
      ['sleep', '2.50', true],
    ]);
    expect(typed(view.wasteText ?? '')).toBe('5.50 ms wasted, 69 %');
    expect(whyView(blame([segment('scan', 0, 5)])).wasteText).toBeUndefined();
  });

  it('puts the largest saving first and gives it as a boot argument', () => {
    const param = { name: 'srcutree.srcu_max_nodelay_phase', value: 250 };
    const view = whyView(
      blame([
        segment('firstDelay', 0, 10, { remedy: { text: 'expedite it', savesNs: 5 } }),
        segment('sleepWaste', 10, 90, { remedy: { text: '50 more polls', savesNs: 80, param } }),
      ]),
    );
    expect(view.remedies.map(({ text, bootArgument }) => [text, bootArgument])).toEqual([
      ['50 more polls', 'srcutree.srcu_max_nodelay_phase=250'],
      ['expedite it', undefined],
    ]);
  });

  it('lists finished grace periods with what they slept, and marks the one explained', () => {
    const gp = { number: 7, flavor: 0, domain: 6, startNs: 0, scans: 0, sleeps: 0, overshootNs: 0 };
    const items = slowItems(
      [
        { ...gp, index: 3, endNs: 8_000_000, sleeps: 2, overshootNs: 1_000_000 },
        { ...gp, index: 1, endNs: 2_000_000 },
        { ...gp, index: 9, endNs: Number.NaN },
      ],
      blame([]),
      makeInfo('v6.12'),
    );
    expect(items.map(({ index, text, share, isShown }) => [index, typed(text), share, isShown])).toEqual([
      [3, 'srcu, slept 2 ×, 1 ms wasted', 1, true],
      [1, 'srcu, never slept', 0.25, false],
    ]);
  });

  it('tells flavours apart in the list of the slowest, with scans where those are what there is', () => {
    const gp = { domain: 6, startNs: 0, endNs: 1_000_000, sleeps: 0, overshootNs: 0 };
    const items = slowItems(
      [
        { ...gp, index: 0, number: 1, flavor: 3, scans: 12 },
        { ...gp, index: 1, number: -300, flavor: 1, scans: 1 },
        { ...gp, index: 2, number: 0, flavor: 2, scans: 0 },
      ],
      undefined,
      makeInfo('v6.12'),
    );
    expect(items.map(({ name, text }) => `${name} ${text}`)).toEqual([
      'GP 1 RCU Tasks, 12 scans',
      'GP -300 RCU, normal, 1 scan',
      'GP 0 RCU, expedited',
    ]);
  });
});
