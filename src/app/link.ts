import type { ConfigInput } from '../config/configInput.ts';
import { type DecodedLink, decodeLink } from '../config/link/decodeLink.ts';
import { encodeLink } from '../config/link/encodeLink.ts';
import type { LinkView } from '../config/link/linkView.ts';
import { DEFAULT_SCENARIO, scenarioSource } from '../scenarios/registry.ts';
import type { Choice, Overrides } from '../state/configStore.ts';
import type { Notice } from '../state/runStore.ts';
import type { ViewState } from '../state/viewStore.ts';
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

function noticeOf({ notices }: DecodedLink): Notice | undefined {
  if (notices.length === 0) return undefined;
  const { length } = notices;
  const what = length === 1 ? 'One key of this link was' : `${length} keys of this link were`;
  return {
    source: 'link',
    tone: 'warning',
    text: `${what} ignored or corrected; the rest applies.`,
    details: notices.map(({ message }) => message),
  };
}

/** Reads the hash of the address bar. Never throws; junk opens the default scenario, with a notice. */
export function openLink(hash: string): OpenedLink {
  const link = decodeLink(hash, scenarioSource, DEFAULT_SCENARIO);
  return {
    choice: choiceOf(link.input),
    view: viewOf(link.view),
    isPlaying: link.view.paused === false,
    digest: link.view.d,
    notice: noticeOf(link),
  };
}

/** The hash of a link to a choice, with its `#`, or why there is none. */
export function linkTo(choice: Choice, view: LinkView): ReturnType<typeof encodeLink> {
  return encodeLink(inputOf(choice), view, scenarioSource);
}
