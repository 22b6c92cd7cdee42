import type { ScenarioResult, Story } from './scenario.ts';

/** A reported figure beside the simulated one, as in the result of docs/configuration.md. */
export interface ComparedFigure {
  readonly what: string;
  readonly unit: string;
  readonly reported: number;
  readonly simulated: number;
  /** True if a constant of the model was chosen by this figure; false: predicted. */
  readonly fitted: boolean;
  readonly source: string;
  readonly remark?: string;
}

/** What was reported of a variant, beside what `result` says. Empty where nothing was. */
export function reportedFigures(story: Story, variant: string, result: ScenarioResult): ComparedFigure[] {
  return story.reported(variant).map(({ what, unit, value, fitted, source, remark, measure }) => ({
    what,
    unit,
    reported: value,
    simulated: measure(result),
    fitted,
    source,
    ...(remark === undefined ? {} : { remark }),
  }));
}
