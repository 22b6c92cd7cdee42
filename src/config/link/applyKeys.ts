/** Lays the key=value pairs of a link, or of a command line, on a configuration. */
import type { ConfigInput, ScenarioSource } from '../configInput.ts';
import { expandInput, parseConfig } from '../parseConfig.ts';
import { createProblem, type Problem } from '../problem.ts';
import { readInput } from '../schema.ts';
import { findLinkKey, KEYS_ALLOWED, pathOf, withValue } from './linkKeys.ts';
import type { LinkEntries } from './linkVersion.ts';
import { decodeWorkload } from './workloadCode.ts';

/** One key of a link, ready to be laid on a configuration. */
interface Change {
  readonly key: string;
  readonly text: string;
  readonly place: readonly (string | number)[];
  readonly value: unknown;
  /** What its text may be, where JSON may be something else. */
  readonly allowed: string | undefined;
}

export interface Applied {
  /** The configuration with the keys that could be applied. */
  readonly input: ConfigInput;
  /** A key that was not applied, each with the reason. */
  readonly problems: readonly Problem[];
  /** A key whose value was applied as the kernel raises or cuts it (docs/configuration.md). */
  readonly notices: readonly Problem[];
}

/** `sc` replaces everything, `w` all actors: they come before the keys that change single values. */
function rankOf(place: Change['place']): number {
  if (place[0] === 'scenario') return 0;
  if (place[0] === 'actors') return place.length === 1 ? 1 : 3;
  return place[0] === 'kernel' || place[1] === 'preset' ? 2 : 3;
}

function readChanges(entries: LinkEntries): { changes: Change[]; problems: Problem[] } {
  const changes: Change[] = [];
  const problems: Problem[] = [];
  for (const [key, text] of entries) {
    if (key === 'w') {
      const workload = decodeWorkload(text);
      if (workload.ok)
        changes.push({ key, text, place: ['actors'], value: workload.value, allowed: undefined });
      else problems.push(createProblem(key, text, workload.why));
      continue;
    }
    const known = findLinkKey(key);
    if (known === undefined) problems.push(createProblem(key, text, `unknown key; allowed: ${KEYS_ALLOWED}`));
    else {
      const { place, form } = known;
      changes.push({ key, text, place, value: form.parse(text), allowed: form.allowed });
    }
  }
  changes.sort((a, b) => rankOf(a.place) - rankOf(b.place));
  return { changes, problems };
}

function layOn(base: ConfigInput, changes: readonly Change[], scenarios: ScenarioSource): ConfigInput {
  return changes.reduce<ConfigInput>((input, { place, value }) => {
    const patchesActor = place[0] === 'actors' && place.length > 1;
    if (!patchesActor || input.actors !== undefined) return withValue(input, place, value);
    // The overlay gets a copy of the scenario's actors, of which one value changes.
    const actors = scenarioActors(input.scenario, scenarios);
    return withValue(withValue(input, ['actors'], actors), place, value);
  }, base);
}

function scenarioActors(
  name: string | undefined,
  scenarios: ScenarioSource,
): NonNullable<ConfigInput['actors']> {
  if (name === undefined) return [];
  return expandInput({ scenario: name }, scenarios)?.input.actors ?? [];
}

/** Changes of actors that are not there say so, instead of being lost. */
function missingActors(
  base: ConfigInput,
  changes: readonly Change[],
  scenarios: ScenarioSource,
): Map<Change, string> {
  const withoutPatches = changes.filter(({ place }) => place[0] !== 'actors' || place.length === 1);
  const { scenario, actors } = layOn(base, withoutPatches, scenarios);
  const list: unknown = actors ?? scenarioActors(scenario, scenarios);
  const count = Array.isArray(list) ? list.length : 0;
  const missing = changes.filter(({ place }) => place.length === 3 && (place[1] as number) >= count);
  const why = count === 0 ? 'there are no actors' : `the last actor is a${count - 1}`;
  return new Map(missing.map((change) => [change, why]));
}

/** Which changes a round of parsing blames, with what it says about each. */
function blame(changes: readonly Change[], problems: readonly Problem[]): Map<Change, Problem> {
  const blamed = new Map<Change, Problem>();
  for (const problem of problems) {
    const guilty = changes.filter(({ place }) => isAt(problem.path, pathOf(place)));
    for (const change of guilty) if (!blamed.has(change)) blamed.set(change, problem);
  }
  return blamed;
}

function isAt(path: string, place: string): boolean {
  return path === place || path.startsWith(`${place}.`) || path.startsWith(`${place}[`);
}

/** Takes the changes one by one and keeps each that leaves a valid configuration. */
function keepWhatFits(
  base: ConfigInput,
  changes: readonly Change[],
  scenarios: ScenarioSource,
): { kept: Change[]; refused: Map<Change, Problem> } {
  const kept: Change[] = [];
  const refused = new Map<Change, Problem>();
  for (const change of changes) {
    const parsed = parseConfig(layOn(base, [...kept, change], scenarios), scenarios);
    if (parsed.ok) kept.push(change);
    else refused.set(change, parsed.problems[0] as Problem);
  }
  return { kept, refused };
}

function refusalOf({ key, text, place, allowed }: Change, problem: Problem): Problem {
  if (!isAt(problem.path, pathOf(place))) return createProblem(key, text, problem.message, problem.isAbsent);
  const why = problem.isForm === true && allowed !== undefined ? allowed : problem.allowed;
  return createProblem(key, text, why, problem.isAbsent);
}

/** Values that the kernel would raise or cut, as what it makes of them; undefined if there is none. */
function asTheKernel(
  changes: readonly Change[],
  problems: readonly Problem[],
  notices: Problem[],
): Change[] | undefined {
  const effectiveOf = ({ place }: Change) =>
    problems.find(({ path, effective }) => effective !== undefined && path === pathOf(place));
  if (!changes.some((change) => effectiveOf(change) !== undefined)) return undefined;
  return changes.map((change) => {
    const problem = effectiveOf(change);
    if (problem === undefined) return change;
    notices.push(createProblem(change.key, change.text, problem.allowed));
    return { ...change, value: problem.effective };
  });
}

/**
 * Lays `entries` on `base`. Keys that are unknown or whose value is not allowed become problems that name the key;
 * the others apply. If `base` itself is no valid configuration, only the shape of what results is sure.
 */
export function applyKeys(base: ConfigInput, entries: LinkEntries, scenarios: ScenarioSource): Applied {
  const { changes, problems } = readChanges(entries);
  const notices: Problem[] = [];
  const missing = missingActors(base, changes, scenarios);
  for (const [{ key, text }, why] of missing) problems.push(createProblem(key, text, why));
  let rest = changes.filter((change) => !missing.has(change));
  for (;;) {
    const input = layOn(base, rest, scenarios);
    const parsed = parseConfig(input, scenarios);
    if (parsed.ok) return { input: parsed.input, problems, notices };
    const refused = parsed.problems.filter(({ effective }) => effective === undefined);
    const blamed = blame(rest, refused);
    if (blamed.size > 0) {
      for (const [change, problem] of blamed) problems.push(refusalOf(change, problem));
      rest = rest.filter((change) => !blamed.has(change));
      continue;
    }
    const corrected = asTheKernel(rest, parsed.problems, notices);
    if (corrected !== undefined) {
      rest = corrected;
      continue;
    }
    const { kept, refused: unfit } = keepWhatFits(base, rest, scenarios);
    for (const [change, problem] of unfit) problems.push(refusalOf(change, problem));
    const result = readInput(layOn(base, kept, scenarios));
    return { input: result.ok ? result.input : base, problems, notices };
  }
}
