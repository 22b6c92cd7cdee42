import type { SimConfig } from '../../engine/index.ts';
import type { ConfigInput, ScenarioSource } from '../configInput.ts';
import { parseConfig } from '../parseConfig.ts';
import { createProblem, type Problem } from '../problem.ts';
import { applyKeys } from './applyKeys.ts';
import { splitHash } from './linkHash.ts';
import { findLinkKey } from './linkKeys.ts';
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

/** `sc` with a variant that its scenario does not have as the scenario's default. */
function withKnownVariant(entries: LinkEntries, scenarios: ScenarioSource, notices: Problem[]): LinkEntries {
  return entries.map(([key, text]) => {
    const [id = ''] = text.split(':');
    const variants = scenarios.variantsOf(id);
    if (key !== 'sc' || variants === undefined || scenarios.find(text) !== undefined) return [key, text];
    const standard = variants[0] === undefined ? id : `${id}:${variants[0]}`;
    const why = `unknown variant; ${id} has ${variants.join(', ')}; ${standard} instead`;
    notices.push(createProblem(key, text, why));
    return [key, standard];
  });
}

function saying(problem: Problem, what: string): Problem {
  const { path, value, allowed, isAbsent } = problem;
  return createProblem(path, value, `${allowed}; ${what}`, isAbsent);
}

/** The value of a configuration at `place`, undefined if there is none. */
function valueAt(config: SimConfig | undefined, place: readonly (string | number)[]): unknown {
  return place.reduce<unknown>((node, name) => {
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, name)) return undefined;
    return (node as Record<string | number, unknown>)[name];
  }, config);
}

/** A key that was refused, with what stays in its place; not where the kernel lacks it, which the command line refuses. */
function withWhatStays(problem: Problem, config: SimConfig | undefined): Problem {
  const key = findLinkKey(problem.path);
  if (key === undefined || problem.isAbsent) return problem;
  const value = valueAt(config, key.place);
  return saying(
    problem,
    value === undefined ? 'ignored' : `ignored, ${key.form.format(value as never)} stays`,
  );
}

/**
 * Reads a link: its hash with or without #, or the whole URL. Never throws: what it cannot use it lists.
 * `fallback` is the scenario of links that name neither a scenario nor a workload.
 */
export function decodeLink(link: string, scenarios: ScenarioSource, fallback: string): DecodedLink {
  const { entries: raw, notices } = splitHash(link);
  const entries = upgradeLink(raw, readVersion(raw, notices));
  const view = readView(entries, notices);
  const given = entries.filter(([key]) => key !== 'v' && !isViewKey(key));
  const configEntries = withKnownVariant(given, scenarios, notices);
  const namesWorkload = configEntries.some(([key]) => key === 'sc' || key === 'w');
  const own = applyKeys(namesWorkload ? {} : { scenario: fallback }, configEntries, scenarios);
  const isComplete = own.input.scenario !== undefined || own.input.actors !== undefined;
  // Neither sc nor w could be used: the other keys apply to the fallback.
  const failed = isComplete ? [] : own.problems.filter(({ path }) => path === 'sc' || path === 'w');
  const others = configEntries.filter(([key]) => key !== 'sc' && key !== 'w');
  const applied = isComplete ? own : applyKeys({ scenario: fallback }, others, scenarios);
  const parsed = parseConfig(applied.input, scenarios);
  const config = parsed.ok ? parsed.config : undefined;
  const said = [
    ...notices,
    ...failed.map((problem) => saying(problem, `${fallback} instead`)),
    ...applied.problems.map((problem) => withWhatStays(problem, config)),
    ...applied.notices,
  ];
  return { input: applied.input, view, notices: said };
}
