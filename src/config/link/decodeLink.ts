import type { ConfigInput, ScenarioSource } from '../configInput.ts';
import { createProblem, type Problem } from '../problem.ts';
import { applyKeys } from './applyKeys.ts';
import { splitHash } from './linkHash.ts';
import { LINK_VERSION, type LinkEntries, upgradeLink } from './linkVersion.ts';
import { isViewKey, type LinkView, VIEW_FORMS } from './linkView.ts';

/** What a link says. */
export interface DecodedLink {
  /** An overlay on its scenario; always one that `parseConfig` accepts, if `fallback` is a scenario. */
  readonly input: ConfigInput;
  readonly view: LinkView;
  /** What was ignored or applied as the kernel corrects it, each with key, value and reason. The rest applies. */
  readonly notices: readonly Problem[];
}

function readVersion(entries: LinkEntries, notices: Problem[]): number {
  const text = entries.find(([key]) => key === 'v')?.[1];
  if (text === undefined) return LINK_VERSION;
  const version = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (version >= 1 && version <= LINK_VERSION) return version;
  const why = `this program reads versions up to ${LINK_VERSION}; what it knows of the rest applies`;
  notices.push(createProblem('v', text, why));
  return LINK_VERSION;
}

function readView(entries: LinkEntries, notices: Problem[]): LinkView {
  const view: Record<string, unknown> = {};
  for (const [key, text] of entries) {
    if (!isViewKey(key)) continue;
    const { parse, allowed } = VIEW_FORMS[key];
    const value = parse(text);
    if (value === undefined) notices.push(createProblem(key, text, allowed));
    else view[key] = value;
  }
  return view as LinkView;
}

/**
 * Reads a link: its hash with or without #, or the whole URL. Never throws: what it cannot use it lists.
 * `fallback` is the scenario of links that name neither a scenario nor a workload.
 */
export function decodeLink(link: string, scenarios: ScenarioSource, fallback: string): DecodedLink {
  const { entries: raw, notices } = splitHash(link);
  const entries = upgradeLink(raw, readVersion(raw, notices));
  const view = readView(entries, notices);
  const configEntries = entries.filter(([key]) => key !== 'v' && !isViewKey(key));
  const namesWorkload = configEntries.some(([key]) => key === 'sc' || key === 'w');
  const own = applyKeys(namesWorkload ? {} : { scenario: fallback }, configEntries, scenarios);
  const isComplete = own.input.scenario !== undefined || own.input.actors !== undefined;
  if (isComplete) return { input: own.input, view, notices: [...notices, ...own.problems, ...own.notices] };
  // Neither sc nor w could be used: the other keys apply to the fallback.
  const failed = own.problems.filter(({ path }) => path === 'sc' || path === 'w');
  const others = configEntries.filter(([key]) => key !== 'sc' && key !== 'w');
  const applied = applyKeys({ scenario: fallback }, others, scenarios);
  const said = [...notices, ...failed, ...applied.problems, ...applied.notices];
  return { input: applied.input, view, notices: said };
}
