import { describe, expect, it } from 'vitest';
import { typed } from '../panelData.testkit.ts';
import type { ReportedFigure, ScenarioText } from '../panelProps.ts';
import { noteView } from './model.ts';

const runTime: ReportedFigure = {
  what: 'run time',
  unit: 's',
  reported: 20.704,
  simulated: 17.7081,
  fitted: false,
  source: 'list, June 2022',
};
const scenario = (reported: readonly ReportedFigure[], isChanged = false): ScenarioText => ({
  title: 'Boot storm',
  lookAt: ['Look.'],
  fitted: [],
  reported,
  isChanged,
});

describe('scenario note', () => {
  it('prints both figures with the decimals that were reported, and the distance', () => {
    const view = noteView(scenario([runTime, { ...runTime, reported: 40, simulated: 40.04, fitted: true }]));
    expect(
      view.rows.map(({ reported, simulated, distance, kind }) => [
        reported,
        typed(simulated),
        typed(distance),
        kind,
      ]),
    ).toEqual([
      ['20.704 s', '17.708 s', '-14.5 %', 'predicted'],
      ['40 s', '40 s', '+0.1 %', 'fitted'],
    ]);
    expect(view.caveat).toBeUndefined();
  });

  it('compares nothing once the configuration is another, and says why', () => {
    const view = noteView(scenario([runTime], true));
    expect([view.rows[0]?.distance, view.caveat?.slice(0, 16)]).toEqual(['–', 'You have changed']);
    expect(noteView(scenario([], true)).caveat).toBeUndefined();
  });

  it('says so where the run was stopped before', () => {
    const view = noteView(scenario([{ ...runTime, simulated: null }]));
    expect([view.rows[0]?.simulated, view.rows[0]?.distance]).toEqual(['not reached in this run', '–']);
  });
});
