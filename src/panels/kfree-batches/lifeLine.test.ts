import { describe, expect, it } from 'vitest';
import type { KvfreeReclaimAt } from '../../analysis/kvfreeStateTypes.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import { makeInfo, typed } from '../panelData.testkit.ts';
import { lifeView, ownLife } from './lifeLine.ts';
import { makeFigures, makeKrc, makeKvfreeState, makeUnit } from './state.testkit.ts';

function infoWith(rules: Partial<RunInfo['rules']>, isTracked: boolean): RunInfo {
  const info = makeInfo('v6.12');
  const kconfig = isTracked ? { DEBUG_OBJECTS_RCU_HEAD: true } : {};
  return { ...info, config: { ...info.config, kconfig }, rules: { ...info.rules, ...rules } };
}

const reclaim: KvfreeReclaimAt = {
  ...{ number: 1, row: 95, sinceNs: 9_900_000, worker: 4, cpu: 2, units: 2, objects: 1014, bytes: 259_584 },
  inHand: { unit: makeUnit(), sinceNs: 9_990_000, lengthNs: 40_000, done: 0.25 },
  waitsForGp: false,
};
const state = makeKvfreeState(
  [
    makeKrc({
      krw: [
        { index: 0, state: 'freeing', batch: undefined, reclaim },
        { index: 1, state: 'empty', batch: undefined, reclaim: undefined },
      ],
    }),
  ],
  { queued: 100, waiting: 20, freeing: 1014, freed: 3000, leaked: 0 },
);

function said(info: RunInfo, figures = makeFigures(), at = state) {
  const view = lifeView(at, figures, info);
  return {
    counts: view.states.map(({ name, count }) => typed(`${name} ${count}`.trim())),
    verdict: typed(view.verdict),
    tone: view.verdictTone,
    on: view.switches.filter(({ isOn }) => isOn).map(({ id }) => id),
  };
}

describe('life line', () => {
  it('counts objects by state: what is in hand is READY', () => {
    expect(said(infoWith({}, true))).toEqual({
      counts: ['none', 'QUEUED 627', 'READY 507', 'freed 3 000', 'leaked 0'],
      verdict: 'This run: every object freed had its grace period and was checked again when it was freed.',
      tone: 'gp',
      on: ['debugObjects'],
    });
  });

  it('of the bulk path of 2019: in hand and still QUEUED; the alarm is false', () => {
    const figures = makeFigures({ debug: { freeActive: 5070, doubleQueue: 0, leaked: 0 } });
    const { counts, verdict, on } = said(infoWith({ 'kvfree.debugBulk': 'none' }, true), figures);
    expect(counts.slice(1, 3)).toEqual(['QUEUED 1 134', 'READY 0']);
    expect(verdict).toBe(
      'This run: 5 070 objects freed while QUEUED. A false alarm: each of them had its grace period, only the book-keeping is missing.',
    );
    expect(on).toEqual(['debugObjects', 'bulkPath']);
  });

  it('of the old attach rule: nobody says anything, or the check leaks them', () => {
    const rules = { 'kvfree.attach': 'per-channel', 'kvfree.gpCheck': 'no' } as const;
    expect(said(infoWith(rules, false), makeFigures({ freedEarly: 1200 }))).toMatchObject({
      verdict:
        'This run: at least 1 200 objects freed before a grace period had passed. Nobody says anything of it.',
      ...{ tone: 'error', on: ['oldAttach'] },
    });
    const leaked = makeFigures({ debug: { freeActive: 0, doubleQueue: 0, leaked: 1200 } });
    expect(said(infoWith({ 'kvfree.attach': 'per-channel' }, true), leaked).verdict).toContain(
      'The check of 6.5 and later finds the bug',
    );
  });

  it('follows the first object of a unit, with its splat', () => {
    const stages = [
      { state: 'none', sinceNs: 0, row: -1 },
      { state: 'QUEUED', sinceNs: 1000, row: 4 },
      { state: 'freed', sinceNs: 9000, row: 12 },
    ] as const;
    const life = ownLife({ unit: 3, object: 0, stages, splatRow: 11, isLeaked: false });
    expect(life.title).toBe('First object of unit 3');
    expect(life.stages.map(({ text, at, row }) => typed(`${row} ${text} ${at}`.trim()))).toEqual([
      '4 QUEUED: given to kvfree_rcu() 1 µs',
      '11 ODEBUG: free active (active state 1)',
      '12 freed 9 µs',
    ]);
    const leaked = ownLife({ unit: 3, object: 0, stages: stages.slice(0, 2), splatRow: -1, isLeaked: true });
    expect(leaked.stages.at(-1)).toMatchObject({ text: 'leaked: it stays QUEUED', row: 4, isFault: true });
  });
});
