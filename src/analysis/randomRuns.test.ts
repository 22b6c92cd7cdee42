import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KIND, TIMER_FN } from '../engine/core/eventKinds.ts';
import { randomConfig } from '../engine/reference/randomConfig.testkit.ts';
import { runToEnd } from '../engine/reference/simConfig.testkit.ts';
import { blame } from './blame.ts';
import { createCheckpoints } from './checkpoints.ts';
import { createLanes } from './lanes.ts';
import { narrateRow } from './narrate.ts';
import { sliceRows } from './rowWindow.ts';
import { createRunIndex } from './runIndex.ts';
import { selectionStats } from './selection.ts';
import { stateAt } from './stateAt.ts';

/** Grace periods and calls looked at per run. */
const LOOKED_AT = 40;

test('what holds of every run holds of random ones', () => {
  fc.assert(
    fc.property(randomConfig(), fc.nat(), (simConfig, pick) => {
      const { log, info } = runToEnd(simConfig, { maxEvents: 5000 });
      const index = createRunIndex(log, info);
      const { gps, figures } = index;
      const sum = (column: Float64Array) => column.reduce((total, n) => total + n, 0);
      expect(sum(gps.pollNs)).toBe(figures.pollNs);
      expect(sum(gps.overshootNs)).toBe(figures.overshootNs);
      expect(sum(gps.sleeps)).toBe(figures.sleeps);

      for (let gp = Math.max(0, gps.length - LOOKED_AT); gp < gps.length; gp++) {
        const { segments, endNs, startNs, finished } = blame(log, index, { of: 'gp', index: gp });
        expect(segments.reduce((total, s) => total + s.endNs - s.startNs, 0)).toBe(endNs - startNs);
        const wasted = segments.filter((s) => s.kind === 'sleepWaste');
        if (finished)
          expect(wasted.reduce((total, s) => total + s.endNs - s.startNs, 0)).toBe(gps.overshootNs[gp]);
        for (const { text } of segments) expect(text).not.toMatch(/undefined|NaN|nobody had/);
      }
      for (let call = Math.max(0, index.calls.length - LOOKED_AT); call < index.calls.length; call++) {
        const { segments, endNs, startNs } = blame(log, index, { of: 'call', index: call });
        expect(segments.reduce((total, s) => total + s.endNs - s.startNs, 0)).toBe(endNs - startNs);
        for (const { text } of segments) expect(text).not.toMatch(/undefined|NaN/);
      }

      const row = pick % log.length;
      expect(narrateRow(log.row(row), info)).not.toMatch(/undefined|NaN|unknown/);
      const cursor = { row, timeNs: log.timeNs(row) };
      const checkpoints = createCheckpoints(log, info, 64);
      const checkpoint = checkpoints.before(row);
      const part = stateAt(sliceRows(log, checkpoint.row, log.length), checkpoint, cursor, info);
      expect(part).toEqual(stateAt(sliceRows(log, 0, log.length), checkpoints.before(-1), cursor, info));
      for (const domain of part.domains) {
        expect(domain.readers.length).toBe(
          domain.lockSum[0] + domain.lockSum[1] - domain.unlockSum[0] - domain.unlockSum[1],
        );
      }

      const lanes = createLanes(log, index);
      const workers = lanes.flatMap(({ kind, spans }) => (kind === 'worker' ? [spans] : []));
      const { endNs } = index;
      const [whole, before, after] = [
        [0, endNs],
        [0, log.timeNs(row)],
        [log.timeNs(row), endNs],
      ].map(([t0Ns = 0, t1Ns = 0]) => selectionStats(log, index, workers, t0Ns, t1Ns));
      expect(whole?.rows).toBe(log.length);
      if (workers.length > 0)
        expect(whole?.srcu).toMatchObject({ polls: figures.polls, pollNs: figures.pollNs });
      // A sleep that begins at the last instant is none that can be seen.
      let begun = 0;
      log.forEach(({ kind, a: fn, b: jiffies, d: domain }) => {
        if (kind !== KIND.timer_start || fn !== TIMER_FN.delayed_work_timer_fn || jiffies < 1) return;
        if (info.tracks[domain]?.kind === 'srcu') begun++;
      }, log.lowerBound(endNs));
      expect((whole?.srcu?.sleeps ?? 0) + begun).toBe(figures.sleeps);
      for (const key of ['polls', 'pollNs', 'sleptNs', 'wastedNs'] as const) {
        expect((before?.srcu?.[key] ?? 0) + (after?.srcu?.[key] ?? 0)).toBe(whole?.srcu?.[key] ?? 0);
      }

      for (const { spans } of lanes) {
        const until = [0, 0, 0, 0];
        for (let i = 0; i < spans.length; i++) {
          const depth = spans.depth[i] as number;
          if ((spans.startNs[i] as number) < (until[depth] as number))
            throw new Error(`overlap in span ${i}`);
          until[depth] = spans.endNs[i] as number;
        }
      }
    }),
    { numRuns: 150 },
  );
});
