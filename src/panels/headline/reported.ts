/** What was reported, beside a headline figure. */
import { formatDistance } from '../format.ts';
import type { ReportedFigure, ScenarioText } from '../panelProps.ts';

/** "−14.5 %, predicted". */
export function distanceText(figure: ReportedFigure): string {
  if (figure.simulated === null) return 'not reached in this run';
  const word = figure.fitted ? 'fitted' : 'predicted';
  const distance = formatDistance(figure.simulated, figure.reported);
  return distance === undefined ? word : `${distance}, ${word}`;
}

/** Of the first figure that has one of these names: "reported 86 MB", and how far the run is; empty: there is none. */
export function reportedNotes(
  scenario: ScenarioText | undefined,
  names: readonly string[],
): readonly string[] {
  const figure = scenario?.reported.find(({ what }) => names.includes(what));
  if (scenario === undefined || figure === undefined) return [];
  const reported = `reported ${figure.reported}\u202f${figure.unit}`;
  return scenario.isChanged ? [`${reported} before your changes`] : [reported, distanceText(figure)];
}
