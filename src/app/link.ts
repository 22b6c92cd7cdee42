import type { ConfigInput } from '../config/configInput.ts';
import { formatDuration } from '../config/duration.ts';
import { decodeLink } from '../config/link/decodeLink.ts';
import { encodeLink } from '../config/link/encodeLink.ts';
import type { LinkView } from '../config/link/linkView.ts';
import { PANEL_IDS } from '../panels/panelIds.ts';
import { DEFAULT_SCENARIO, LINK_SCENARIO, scenarioSource } from '../scenarios/registry.ts';
import type { Choice, Overrides } from '../state/configStore.ts';
import type { Notice } from '../state/runStore.ts';
import type { ViewState } from '../state/viewStore.ts';
import type { RunSummary } from '../worker/protocol.ts';
import { inputOf } from './setup.ts';
import { fullScenarioName } from './useScenarios.ts';

/** The choice that a configuration overlay stands for. */
function choiceOf({ v: _version, scenario, ...overrides }: ConfigInput): Choice {
  return {
    scenario: scenario === undefined ? '' : fullScenarioName(scenario),
    overrides: overrides as Overrides,
  };
}

/** A link as the page takes it. */
export interface OpenedLink {
  readonly choice: Choice;
  readonly view: Partial<ViewState>;
  /** Opens playing: only if the link says so. */
  readonly isPlaying: boolean;
  /** Digest of the sender's run. */
  readonly digest: string | undefined;
  /** What of the link was ignored or corrected; undefined: nothing. */
  readonly notice: Notice | undefined;
}

function viewOf({ t, cur, sel, panel, lock, theme }: LinkView): Partial<ViewState> {
  const { poll, row = -1 } = cur ?? {};
  return {
    window: t,
    selection: sel,
    ...(panel === undefined ? {} : { fullPanel: panel.full, hiddenPanels: panel.hidden }),
    isLocked: lock ?? false,
    ...(cur === undefined
      ? t && { cursor: { timeNs: t.fromNs, row: -1 } }
      : { cursor: { timeNs: cur.timeNs, row, ...(poll === undefined ? {} : { poll: { row, ...poll } }) } }),
    ...(theme === undefined ? {} : { theme }),
  };
}

/** The notice about `faults` of a link, a line each; undefined: there are none. */
export function noticeOf(faults: readonly string[]): Notice | undefined {
  const { length } = faults;
  if (length === 0) return undefined;
  const what = length === 1 ? 'One key of this link was' : `${length} keys of this link were`;
  return {
    source: 'link',
    tone: 'warning',
    text: `${what} ignored or corrected; the rest applies.`,
    details: faults,
  };
}

/** The timeline can fill the window, and not be hidden. */
const FULL_IDS: readonly string[] = ['timeline', ...PANEL_IDS];

/** Panels that a link names and nobody has, a line each. */
function unknownPanels({ panel }: LinkView): readonly string[] {
  if (panel === undefined) return [];
  const named = [...(panel.full === undefined ? [] : [panel.full]), ...panel.hidden];
  return named
    .filter((id) => !FULL_IDS.includes(id))
    .map((id) => `panel: "${id}": there is no such panel; there are ${FULL_IDS.join(', ')}`);
}

/** Reads the hash of the address bar. Never throws; junk opens LINK_SCENARIO, with a notice. */
export function openLink(hash: string): OpenedLink {
  const fallback = /^#?$/.test(hash) ? DEFAULT_SCENARIO : LINK_SCENARIO;
  const link = decodeLink(hash, scenarioSource, fallback);
  return {
    choice: choiceOf(link.input),
    view: viewOf(link.view),
    isPlaying: link.view.paused === false,
    digest: link.view.d,
    notice: noticeOf([...link.notices.map(({ message }) => message), ...unknownPanels(link.view)]),
  };
}

/** What a link asks to see and its run does not have, a line each. */
export function missingOf(
  { window, cursor, selection }: Partial<ViewState>,
  { endNs, gps, calls, units, rows }: Pick<RunSummary, 'endNs' | 'gps' | 'calls' | 'units' | 'rows'>,
): readonly string[] {
  const end = `the run ends at ${formatDuration(endNs)}`;
  const lines: string[] = [];
  if (window !== undefined && window.fromNs >= endNs)
    lines.push(`t: ${formatDuration(window.fromNs)}: ${end}`);
  // Without `cur` the cursor stands where `t` begins.
  else if (cursor !== undefined && cursor.timeNs > endNs)
    lines.push(`cur: ${formatDuration(cursor.timeNs)}: ${end}`);
  if (selection !== undefined) {
    const { of, index } = selection;
    const has = { gp: gps, call: calls, unit: units, row: rows }[of];
    const range = has === 0 ? `the run has no ${of}` : `the run has ${of}:0 to ${of}:${has - 1}`;
    if (index >= has) lines.push(`sel: ${of}:${index}: ${range}`);
  }
  return lines;
}

/** The hash of a link to a choice, with its `#`, or why there is none. */
export function linkTo(choice: Choice, view: LinkView): ReturnType<typeof encodeLink> {
  return encodeLink(inputOf(choice), view, scenarioSource);
}
