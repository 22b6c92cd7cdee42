import { STOP_REASON } from '../engine/index.ts';
import type { ScenarioText } from '../panels/panelProps.ts';
import { findScenario } from '../scenarios/registry.ts';
import { reportedFigures } from '../scenarios/reportedFigures.ts';
import type { ScenarioResult } from '../scenarios/scenario.ts';
import type { RunSummary } from '../worker/protocol.ts';
import type { Stores, Stories } from './session.ts';

/** The result of docs/configuration.md as far as reported figures look at it. */
function resultOf({ endNs, reason, series, figures, headline, kvfree, tasks }: RunSummary): ScenarioResult {
  return {
    virtualNs: endNs,
    isDone: reason === STOP_REASON.done,
    latency: Object.fromEntries(series.map(({ name, stats }) => [name, stats])),
    gracePeriods: { srcu: { n: headline.gracePeriods } },
    srcu: figures,
    ...(kvfree === undefined ? {} : { kvfree }),
    ...(tasks === undefined ? {} : { tasks }),
  };
}

/** What the scenario of the last run has to say; undefined for runs of one's own, and until `stories` are there. */
export function scenarioText(
  summary: RunSummary,
  isChanged: boolean,
  stories: Stories,
): ScenarioText | undefined {
  const name = summary.info.config.scenario;
  const found = name === undefined ? undefined : findScenario(name);
  if (found === undefined) return undefined;
  const { scenario, variant } = found;
  const story = stories[scenario.id];
  if (story === undefined) return undefined;
  return {
    title: scenario.title,
    lookAt: story.lookAt,
    fitted: story.fitted,
    reported: reportedFigures(story, variant, resultOf(summary)),
    isChanged,
  };
}

/** Loads what scenarios have to say; what has run by then gets its text. */
export function loadStories({ stories, run, config, panelData }: Stores): void {
  import('../scenarios/stories.ts').then(
    ({ STORIES }) => {
      stories.setState(STORIES);
      const { summary } = run.getState();
      if (summary === undefined) return;
      const isChanged = Object.keys(config.getState().overrides).length > 0;
      panelData.setState({ scenario: scenarioText(summary, isChanged, STORIES) });
    },
    () =>
      run.notify({
        source: 'run',
        tone: 'error',
        text: 'The texts of the scenarios do not load.',
        details: [],
      }),
  );
}
