import { describe, expect, it } from 'vitest';
import { windowOf } from '../../analysis/rowWindow.testkit.ts';
import type { RowWindow } from '../../analysis/types.ts';
import { makeInfo, typed } from '../panelData.testkit.ts';
import { logView } from './model.ts';

const info = makeInfo('v6.12');
const narrate = ({ a }: { a: number }) => `event of ${a}`;

/** Rows [first, first + length) of a log of 1 000, row n at n µs on track 6 with a = n. */
function makeWindow(first: number, length: number): RowWindow {
  const row = (n: number) => ({ timeNs: n * 1000, track: 6, a: n });
  const rows = Array.from({ length }, (_, i) => row(first + i));
  return windowOf(rows, first, 1000);
}

describe('narrated log', () => {
  it('shows the rows around the cursor, as far as the window goes', () => {
    const view = logView(makeWindow(400, 100), { timeNs: 410_000, row: 410 }, info, narrate);
    expect([view.lines[0]?.row, view.lines.at(-1)?.row]).toEqual([400, 450]);
    expect(view.lines.filter(({ isCurrent }) => isCurrent).map(({ row }) => row)).toEqual([410]);
    expect(view.lines.filter(({ isFuture }) => isFuture)).toHaveLength(40);
    expect(typed(view.place)).toBe('event 411 of 1 000');
    expect(view.announcement).toMatch(/srcu: event of 410$/);
  });

  it('before the first row nothing is current', () => {
    const view = logView(makeWindow(0, 100), { timeNs: 0, row: -1 }, info, narrate);
    expect(view.lines.some(({ isCurrent }) => isCurrent)).toBe(false);
    expect([view.place.slice(0, 7), view.announcement]).toEqual(['event 0', 'Before the first event']);
  });

  it('steps inside a burst poll by poll, at the time of the check', () => {
    const cursor = { timeNs: 410_500, row: 412, poll: { row: 410, pass: 13, check: 1 } };
    const view = logView(makeWindow(400, 100), cursor, info, narrate);
    const current = view.lines.find(({ isCurrent }) => isCurrent);
    expect(current?.text).toBe('event of 410 (check 2 of pass 14 in this burst)');
    expect(typed(current?.timeText ?? '')).toContain('0.410 500');
  });

  it('a window elsewhere shows nothing rather than other events', () => {
    expect(logView(makeWindow(400, 100), { timeNs: 9e5, row: 900 }, info, narrate).lines).toEqual([]);
  });
});
