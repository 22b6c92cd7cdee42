import type { Blame } from '../analysis/blameTypes.ts';
import type { LaneView } from '../analysis/laneTypes.ts';
import type { SelectionStats } from '../analysis/types.ts';
import type { ScenarioText } from '../panels/panelProps.ts';
import { findScenario } from '../scenarios/registry.ts';
import { reportedFigures } from '../scenarios/reportedFigures.ts';
import type { ScenarioResult } from '../scenarios/scenario.ts';
import type { EngineClient } from '../worker/engineClient.ts';
import type { GpRow, RunSummary, WhyTarget } from '../worker/protocol.ts';
import { newestOnly, oncePerFrame, onceQuiet } from './scheduler.ts';
import type { Session } from './session.ts';

/** Digest, list and overview wait until no new run has come for so long: a drag does not ask for them. */
const QUIET_MS = 120;
/** Grace periods in the list of the slowest ones. */
const SLOWEST = 5;

/** The result of contract §7 as far as reported figures look at it. */
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
    fitted: [],
    reported: reportedFigures(scenario, variant, resultOf(summary)),
    isChanged,
  };
}

/**
 * Asks the worker what panels and timeline show beside the run itself: why, the slowest grace periods, the selected
 * stretch, the whole run in small, the digest. All of it again when a new run has come.
 */
export function askAboutRun(session: Session, client: EngineClient): void {
  const { view, run, config, panelData, timelineData } = session;
  const fail = (message: string) => run.notify({ source: 'run', tone: 'error', text: message, details: [] });

  const setWhy = (why: Blame | undefined) => panelData.setState({ why });
  const takeWhy = newestOnly(setWhy, fail);
  const askWhy = oncePerFrame(() => {
    const { selection } = view.getState();
    const summary = run.getState().summary;
    if (selection === undefined || summary === undefined) {
      setWhy(undefined);
      return;
    }
    const { of, index } = selection;
    const count = of === 'gp' ? summary.gps : of === 'call' ? summary.calls : summary.rows;
    if (index >= count) {
      setWhy(undefined);
      return;
    }
    const target: WhyTarget = of === 'row' ? { of, row: index } : { of, index };
    takeWhy(client.ask<'why'>({ type: 'why', target }));
  });

  const takeRange = newestOnly<SelectionStats | undefined>((selection) => {
    panelData.setState({ selection });
    timelineData.setState({ rangeStats: selection });
  }, fail);
  const askRange = oncePerFrame(() => {
    const { range } = view.getState();
    const question =
      range === undefined
        ? Promise.resolve(undefined)
        : client.ask<'selection'>({
            type: 'selection',
            t0Ns: Math.round(range.fromNs),
            t1Ns: Math.round(range.toNs),
          });
    takeRange(question);
  });

  const takeDigest = newestOnly<string | undefined>((digest) => {
    if (digest !== undefined) run.digested(digest);
  }, fail);
  const takeSlowest = newestOnly<readonly GpRow[] | undefined>((slowest) => {
    if (slowest !== undefined) panelData.setState({ slowest });
  }, fail);
  const takeOverview = newestOnly<readonly LaneView[] | undefined>((overview) => {
    if (overview !== undefined) timelineData.setState({ overview });
  }, fail);
  const askAtRest = onceQuiet(() => {
    const { summary, status } = run.getState();
    if (summary === undefined || status !== 'done') return;
    takeDigest(client.ask<'digest'>({ type: 'digest' }));
    takeSlowest(client.ask<'gps'>({ type: 'gps', first: 0, count: SLOWEST, order: 'slowest' }));
    const widthPx = timelineData.getState().widthPx ?? 800;
    const whole = { t0Ns: 0, t1Ns: Math.max(1, Math.ceil(summary.endNs)), widthPx };
    takeOverview(client.ask<'view'>({ type: 'view', view: whole }));
  }, QUIET_MS);

  run.subscribe((state, before) => {
    if (state.generation === before.generation) return;
    askWhy();
    askRange();
    askAtRest();
  });
  view.subscribe((state, before) => {
    if (state.selection !== before.selection) askWhy();
    if (state.range !== before.range) askRange();
  });
  config.subscribe((state, before) => {
    const summary = run.getState().summary;
    if (state.overrides === before.overrides || summary === undefined) return;
    panelData.setState({ scenario: scenarioText(summary, Object.keys(state.overrides).length > 0) });
  });
}
