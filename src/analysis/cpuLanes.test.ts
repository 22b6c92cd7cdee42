import { expect, test } from 'vitest';
import { KIND } from '../engine/core/eventKinds.ts';
import { presetMachine } from '../engine/machine/presets.ts';
import { createLanes } from './lanes.ts';
import { SPAN_CLASS } from './laneTypes.ts';
import { createRunIndex } from './runIndex.ts';
import { config, MS, reader, run, updater } from './runs.testkit.ts';

/** Classes and lengths of what a reader's CPU shows, in a run with one late incrementer. */
function laneOfLateReader(preset: 'plain' | 'virtual-1gips') {
  const late = reader({ hold: 2 * MS, incDelay: MS, start: MS, times: 1 });
  const { log, info } = run(
    config([late, updater({ calls: 1, gap: 6 * MS })], { machine: presetMachine(preset) }),
  );
  const spans = createLanes(log, createRunIndex(log, info)).find(({ id }) => id === 'cpu:1')?.spans;
  const rows = Array.from({ length: log.length }, (_, i) => log.row(i));
  const at = (kind: number) => rows.find((row) => row.kind === kind)?.timeNs;
  return { spans, fetchNs: at(KIND.srcu_fetch), lockNs: at(KIND.srcu_lock), unlockNs: at(KIND.srcu_unlock) };
}

test.each(['plain', 'virtual-1gips'] as const)(
  '%s: from reading srcu_idx to counting, then the section',
  (preset) => {
    const { spans, fetchNs, lockNs, unlockNs } = laneOfLateReader(preset);
    if (spans === undefined) throw new Error('no lane');
    const of = (cls: number) => {
      const found = Array.from({ length: spans.length }, (_, i) => i).filter((i) => spans.cls[i] === cls);
      return [spans.startNs[found[0] ?? -1], spans.endNs[found.at(-1) ?? -1]];
    };
    expect((lockNs ?? 0) - (fetchNs ?? 0)).toBeGreaterThanOrEqual(MS);
    expect(of(SPAN_CLASS.readerFetched)).toEqual([fetchNs, lockNs]);
    expect(of(SPAN_CLASS.reader)).toEqual([lockNs, unlockNs]);
  },
);
