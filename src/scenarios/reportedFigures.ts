import type { ReportedFigure, ScenarioResult, Story } from './scenario.ts';

/** A reported figure beside the simulated one, as in the result of docs/configuration.md. */
export interface ComparedFigure {
  readonly what: string;
  readonly unit: string;
  readonly reported: number;
  /** Null where the run does not come to it: it was stopped before. */
  readonly simulated: number | null;
  /** True if a constant of the model was chosen by this figure; false: predicted. */
  readonly fitted: boolean;
  readonly source: string;
  readonly remark?: string;
}

/** The figure of a run; null where there is nothing to take it from. */
function measured({ measure }: ReportedFigure, result: ScenarioResult): number | null {
  const value = measure(result);
  return Number.isFinite(value) ? value : null;
}

/** What was reported of a variant, beside what `result` says. Empty where nothing was. */
export function reportedFigures(story: Story, variant: string, result: ScenarioResult): ComparedFigure[] {
  return story.reported(variant).map((figure) => ({
    what: figure.what,
    unit: figure.unit,
    reported: figure.value,
    simulated: measured(figure, result),
    fitted: figure.fitted,
    source: figure.source,
    ...(figure.remark === undefined ? {} : { remark: figure.remark }),
  }));
}
