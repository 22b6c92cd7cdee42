/** What the running scenario asks to look at, and how its figures compare with the reported ones. */
import { formatDistance, formatFixed } from '../format.ts';
import type { ReportedFigure, ScenarioText } from '../panelProps.ts';

export interface ReportedRow {
  readonly what: string;
  readonly reported: string;
  readonly simulated: string;
  /** Dash where the run differs from the reported one or was stopped before. */
  readonly distance: string;
  readonly kind: 'fitted' | 'predicted';
  readonly source: string;
  /** Empty: none. */
  readonly remark: string;
}

export interface NoteView {
  readonly title: string;
  readonly lookAt: readonly string[];
  readonly fitted: readonly string[];
  readonly rows: readonly ReportedRow[];
  /** Why the figures cannot be compared, if they cannot. */
  readonly caveat: string | undefined;
}

/** As many decimals as the figure was reported with, at most three. */
function decimalsOf(reported: number): number {
  return Math.min(3, String(reported).split('.')[1]?.length ?? 0);
}

function rowOf(figure: ReportedFigure, isComparable: boolean): ReportedRow {
  const decimals = decimalsOf(figure.reported);
  const withUnit = (value: number) => `${formatFixed(value, decimals)} ${figure.unit}`;
  const { simulated } = figure;
  const distance =
    isComparable && simulated !== null ? formatDistance(simulated, figure.reported) : undefined;
  return {
    what: figure.what,
    reported: withUnit(figure.reported),
    simulated: simulated === null ? 'not reached in this run' : withUnit(simulated),
    distance: distance ?? '–',
    kind: figure.fitted ? 'fitted' : 'predicted',
    source: figure.source,
    remark: figure.remark ?? '',
  };
}

/** What the panel shows of `scenario`. */
export function noteView(scenario: ScenarioText): NoteView {
  return {
    title: scenario.title,
    lookAt: scenario.lookAt,
    fitted: scenario.fitted,
    rows: scenario.reported.map((figure) => rowOf(figure, !scenario.isChanged)),
    caveat:
      scenario.isChanged && scenario.reported.length > 0
        ? 'You have changed the configuration: the reported figures belong to the scenario as it was.'
        : undefined,
  };
}
