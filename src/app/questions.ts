import type { Blame } from '../analysis/blameTypes.ts';
import type { LaneView } from '../analysis/laneTypes.ts';
import type { SelectionStats } from '../analysis/types.ts';
import type { Selection } from '../state/viewStore.ts';
import { withPartsOf } from '../state/withPartsOf.ts';
import type { EngineClient } from '../worker/engineClient.ts';
import type { GpRow, RunSummary, WhyTarget } from '../worker/protocol.ts';
import { scenarioText } from './scenarioText.ts';
import { newestOnly, oncePerFrame, onceQuiet } from './scheduler.ts';
import type { Stores } from './session.ts';

/** Digest, list and overview wait until no new run has come for so long: a drag does not ask for them. */
const QUIET_MS = 120;
/** Grace periods in the list of the slowest ones. */
const SLOWEST = 5;
/** About the width of the minimap, until the timeline has been measured. */
const OVERVIEW_WIDTH_PX = 800;

type Fail = (message: string) => void;

/** What is to be explained, if the run has it. */
function whyTarget(selection: Selection | undefined, summary: RunSummary | undefined): WhyTarget | undefined {
  if (selection === undefined || summary === undefined) return undefined;
  const { of, index } = selection;
  const count = { gp: summary.gps, call: summary.calls, unit: summary.units, row: summary.rows }[of];
  if (index >= count) return undefined;
  return of === 'row' ? { of, row: index } : { of, index };
}

function createWhy({ view, run, panelData }: Stores, client: EngineClient, fail: Fail) {
  const take = newestOnly<Blame | undefined>((why) => panelData.setState({ why }), fail);
  return oncePerFrame(() => {
    const target = whyTarget(view.getState().selection, run.getState().summary);
    take(target === undefined ? Promise.resolve(undefined) : client.ask<'why'>({ type: 'why', target }));
  });
}

function createRange({ view, panelData, timelineData }: Stores, client: EngineClient, fail: Fail) {
  const take = newestOnly<SelectionStats | undefined>((selection) => {
    panelData.setState({ selection });
    timelineData.setState({ rangeStats: selection });
  }, fail);
  return oncePerFrame(() => {
    const { range } = view.getState();
    if (range === undefined) {
      take(Promise.resolve(undefined));
      return;
    }
    const [t0Ns, t1Ns] = [Math.round(range.fromNs), Math.round(range.toNs)];
    take(client.ask<'selection'>({ type: 'selection', t0Ns, t1Ns }));
  });
}

/** What can wait until the configuration rests. */
function createAtRest({ run, panelData, timelineData }: Stores, client: EngineClient, fail: Fail) {
  const takeDigest = newestOnly<string | undefined>((digest) => {
    if (digest !== undefined) run.digested(digest);
  }, fail);
  const takeSlowest = newestOnly<readonly GpRow[] | undefined>((slowest) => {
    if (slowest !== undefined) panelData.setState({ slowest });
  }, fail);
  const takeOverview = newestOnly<readonly LaneView[] | undefined>((overview) => {
    if (overview !== undefined) timelineData.setState({ overview });
  }, fail);
  return onceQuiet(() => {
    const { summary, status, generation } = run.getState();
    if (summary === undefined || status !== 'done') return;
    const isStill = () => run.getState().status === 'done' && run.getState().generation === generation;
    // A digest that comes after a change is that of the run before it.
    const digest = client.ask<'digest'>({ type: 'digest' });
    takeDigest(digest.then((answer) => (isStill() ? answer : undefined)));
    takeSlowest(client.ask<'gps'>({ type: 'gps', first: 0, count: SLOWEST, order: 'slowest' }));
    const { widthPx = OVERVIEW_WIDTH_PX } = timelineData.getState();
    const whole = { t0Ns: 0, t1Ns: Math.max(1, Math.ceil(summary.endNs)), widthPx };
    takeOverview(client.ask<'view'>({ type: 'view', view: whole }));
  }, QUIET_MS);
}

/** Asks again in the next frame. */
export interface Questions {
  readonly why: () => void;
  readonly range: () => void;
}

/**
 * Asks the worker what panels and timeline show beside the run itself: why, and the selected stretch, when something
 * else is selected (a new run brings both); the slowest grace periods, the whole run in small, the digest, when no new
 * run has come for a while.
 */
export function askAboutRun(stores: Stores, client: EngineClient): Questions {
  const { view, run, config, panelData } = stores;
  const fail: Fail = (message) => run.notify({ source: 'run', tone: 'error', text: message, details: [] });
  const askWhy = createWhy(stores, client, fail);
  const askRange = createRange(stores, client, fail);
  const askAtRest = createAtRest(stores, client, fail);
  run.subscribe((state, before) => {
    if (state.generation !== before.generation) askAtRest();
  });
  view.subscribe((state, before) => {
    if (state.selection !== before.selection) askWhy();
    if (state.range !== before.range) askRange();
  });
  config.subscribe((state, before) => {
    const { summary } = run.getState();
    if (state.overrides === before.overrides || summary === undefined) return;
    const isChanged = Object.keys(state.overrides).length > 0;
    const text = scenarioText(summary, isChanged, stores.stories.getState());
    panelData.setState({ scenario: withPartsOf(panelData.getState().scenario, text) });
  });
  return { why: askWhy, range: askRange };
}
