import { describe, expect, it } from 'vitest';
import type { KvfreeFigures } from '../../analysis/kvfreeFigures.ts';
import { GP_FLAVOR, type Headline } from '../../analysis/types.ts';
import { makeInfo, typed } from '../panelData.testkit.ts';
import type { RunFigures, ScenarioText } from '../panelProps.ts';
import { headlineCards } from './model.ts';

const headline: Headline = {
  latencyOf: 'synchronize_srcu_expedited',
  n: 9785,
  p50Ns: 171_000,
  p99Ns: 9_600_000,
  runNs: 17_708_000_000,
  overshootNs: 9_400_000_000,
  overshootShare: 0.531,
  pollNs: 3_900_000_000,
  pollShare: 0.22,
  gracePeriods: 9785,
  gracePeriodsPerSec: 552.6,
  firstSleepingGp: -1,
  firstSleepingRow: -1,
  firstSleepingNs: Number.NaN,
  rcu: undefined,
  tasks: undefined,
};
const run = (changes: Partial<Headline> = {}): RunFigures => ({
  info: makeInfo('v6.12'),
  headline: { ...headline, ...changes },
  series: [],
  kvfree: undefined,
  tasks: undefined,
  endNs: 0,
  gps: 9785,
  calls: 9785,
  units: 0,
});
const figure = {
  what: 'run time',
  unit: 's',
  reported: 20.704,
  simulated: 17.708,
  fitted: false,
  source: '',
};
const scenario: ScenarioText = { title: '', lookAt: [], fitted: [], reported: [figure], isChanged: false };

/** "label: value unit; notes". */
const said = (cards: ReturnType<typeof headlineCards>) =>
  cards.map(({ figures, notes }) => {
    const quantities = figures.map(({ value, unit }) => `${value} ${unit}`.trim());
    return typed(`${quantities.join(' / ')}; ${notes.join('; ')}`);
  });

describe('headline figures', () => {
  it('of RCU Tasks: its grace period, the hold-out phase, the grace periods of RCU inside', () => {
    const tasks = { flavor: GP_FLAVOR.tasks, n: 20, p50Ns: 1_045_000_000, p99Ns: 1_060_000_000, scans: 20 };
    const period = (n: number, p50Ns: number) => ({ n, p50Ns, p99Ns: p50Ns });
    const rcu = {
      ...{ normal: period(40, 8_000_000), expedited: period(0, Number.NaN) },
      ...{ scansPerGp: 1, manyScans: 0, outsideNs: 0, outsideShare: Number.NaN },
    };
    const figures = run({ latencyOf: 'synchronize_rcu_tasks', tasks, rcu });
    const phase = { holdoutPhaseNs: 1_016_000_000, infoAges: [], stallAges: [] };
    expect(said(headlineCards({ ...figures, tasks: phase }, undefined)).slice(2)).toEqual([
      '1.04 s; p99 1.06 s; n = 20',
      '1.02 s; mean: until a scan finds no holdout; scans per grace period: 1',
      '8 ms; 40 ended, those inside RCU Tasks too',
    ]);
  });

  it('five cards, the run time with its distance from the reported one', () => {
    expect(said(headlineCards(run(), scenario))).toEqual([
      '0.17 / 9.60 ms; synchronize_srcu_expedited; n = 9 785',
      '17.7 s; reported 20.704 s; -14.5 %, predicted',
      '9.40 s; 53 % of the run: pure waste',
      '3.90 s; 22 % of one CPU',
      '553 /s; 9 785 in 17.7 s',
    ]);
  });

  it('says of a fitted figure that it is fitted', () => {
    const fitted = { ...scenario, reported: [{ ...figure, reported: 17.708, fitted: true }] };
    expect(said(headlineCards(run(), fitted))[1]).toBe('17.7 s; reported 17.708 s; ±0.0 %, fitted');
  });

  it('does not compare a changed run with the reported one', () => {
    expect(said(headlineCards(run(), { ...scenario, isChanged: true }))[1]).toBe(
      '17.7 s; reported 20.704 s before your changes',
    );
    expect(said(headlineCards(run(), undefined))[1]).toBe('17.7 s; virtual time');
  });

  it('has words where there is nothing to count', () => {
    const nothing = said(
      headlineCards(run({ latencyOf: undefined, overshootNs: 0, overshootShare: 0 }), undefined),
    );
    expect([nothing[0], nothing[2]]).toEqual(['–; no call has returned', '0 ms; nothing wasted']);
  });

  it('of a flood of kfree_rcu(): what rcuscale prints, and the peak', () => {
    const kvfree: KvfreeFigures = {
      ...{ peakBytes: 123_400_000, footprintBytes: 90.6 * 2 ** 20, floodNs: 7_660_000_000, batches: 1637 },
      ...{ gracePeriods: 1635, floods: 1, line: undefined },
      ...{
        outOfMemory: 0,
        queued: 1_280_000_000,
        freed: 1_280_000_000,
        records: 510,
        blocksByRecords: new Float64Array(511),
      },
      ...{ debug: { freeActive: 0, doubleQueue: 0, leaked: 0 }, freedEarly: 0 },
    };
    const reported = [
      { ...figure, what: 'time of the threads', reported: 7.71, simulated: 7.66, fitted: true },
      { ...figure, what: 'memory footprint', unit: 'MB', reported: 91, simulated: 90.6, fitted: true },
    ];
    expect(said(headlineCards({ ...run(), kvfree }, { ...scenario, reported }))).toEqual([
      '7.66 s; 1 280 000 000 objects; reported 7.71 s; -0.6 %, fitted',
      '17.7 s; virtual time',
      '123 MB; objects and pages of blocks',
      '90 MB; reported 91 MB; -0.4 %, fitted',
      '1 635; “batches”: 1 637; one per 4.68 ms',
    ]);
    const none = { floodNs: Number.NaN, gracePeriods: Number.NaN, batches: Number.NaN, floods: 0 };
    const endless = { ...kvfree, ...none, footprintBytes: Number.NaN };
    const cards = said(headlineCards({ ...run(), kvfree: endless }, undefined));
    expect([cards[0], cards[3], cards[4]]).toEqual([
      '–; they have not ended',
      '–; no thread has ended',
      '–; in the time of the threads',
    ]);
    const debug = { freeActive: 0, doubleQueue: 0, leaked: 1200 };
    const two = headlineCards({ ...run(), kvfree: { ...kvfree, floods: 2, debug } }, undefined);
    expect(two[0]?.label).toBe('Time of all floods');
    expect([said(two)[0], said(two)[3], said(two)[4]]).toEqual([
      '7.66 s; 1 280 000 000 objects; 1 200 of them leaked',
      '90 MB; of the last flood, as rcuscale prints it',
      '1 635; one per 4.69 ms',
    ]);
    const short = said(headlineCards({ ...run(), kvfree: { ...kvfree, outOfMemory: 2 } }, undefined));
    expect([short[0], short[3]]).toEqual([
      '7.66 s; 1 280 000 000 objects; memory ran out in 2 threads',
      '90 MB; rcuscale prints none: a thread got no memory',
    ]);
  });

  it('of Tree RCU: the grace period, what a call takes beside it, scans; of expedited ones their rate', () => {
    const rcu = {
      normal: { n: 12, p50Ns: 8_000_000, p99Ns: 12_000_000 },
      expedited: { n: 0, p50Ns: Number.NaN, p99Ns: Number.NaN },
      scansPerGp: 1.25,
      manyScans: 3,
      outsideNs: 0,
      outsideShare: 0.5,
    };
    expect(said(headlineCards(run({ rcu }), undefined)).slice(2)).toEqual([
      '8 ms; p99 12 ms; n = 12',
      '50 %; of a call: numbering, callback, wake-up',
      '1.25; 3 of 12 needed more than one',
    ]);
    const whole = { ...rcu, scansPerGp: 997 };
    expect(said(headlineCards(run({ rcu: whole }), undefined))[4]).toContain('997; ');
    const expedited = {
      ...rcu,
      normal: rcu.expedited,
      expedited: { n: 9, p50Ns: 8_900, p99Ns: 9_300 },
      outsideShare: Number.NaN,
    };
    expect(said(headlineCards(run({ rcu: expedited, p50Ns: 12_600 }), undefined)).slice(2)).toEqual([
      '8.90 µs; p99 9.30 µs; n = 9',
      '3.70 µs; median call less median grace period',
      '553 /s; 9 785 in 17.7 s',
    ]);
  });
});
