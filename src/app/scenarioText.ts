import type { ScenarioText } from '../panels/panelProps.ts';
import { findScenario } from '../scenarios/registry.ts';
import { reportedFigures } from '../scenarios/reportedFigures.ts';
import type { ScenarioResult } from '../scenarios/scenario.ts';
import type { RunSummary } from '../worker/protocol.ts';

/** The result of docs/configuration.md as far as reported figures look at it. */
function resultOf({ endNs, series, figures, headline }: RunSummary): ScenarioResult {
  return {
    virtualNs: endNs,
    latency: Object.fromEntries(series.map(({ name, stats }) => [name, stats])),
    gracePeriods: { srcu: { n: headline.gracePeriods } },
    srcu: figures,
  };
}

/** What the scenario of the last run has to say; undefined for runs of one's own. */
export function scenarioText(summary: RunSummary, isChanged: boolean): ScenarioText | undefined {
  const name = summary.info.config.scenario;
  const found = name === undefined ? undefined : findScenario(name);
  if (found === undefined) return undefined;
  const { scenario, variant } = found;
  return {
    title: scenario.title,
    lookAt: scenario.lookAt,
    fitted: scenario.fitted,
    reported: reportedFigures(scenario, variant, resultOf(summary)),
    isChanged,
  };
}
