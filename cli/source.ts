/** What a command line names as the thing to run: a file, stdin, a scenario or a link, and key=value pairs. */
import { existsSync } from 'node:fs';
import type { ConfigInput } from '../src/config/configInput.ts';
import { applyKeys } from '../src/config/link/applyKeys.ts';
import { decodeLink } from '../src/config/link/decodeLink.ts';
import { LINK_VERSION, type LinkEntries } from '../src/config/link/linkVersion.ts';
import { isViewKey, VIEW_FORMS } from '../src/config/link/linkView.ts';
import { parseConfig } from '../src/config/parseConfig.ts';
import { showValue } from '../src/config/problem.ts';
import { CONFIG_SHAPE } from '../src/config/schema.ts';
import type { SimConfig } from '../src/engine/index.ts';
import { findProfile, standInNote } from '../src/engine/profiles/profiles.ts';
import { findScenario, LINK_SCENARIO, SCENARIOS, scenarioSource } from '../src/scenarios/registry.ts';
import { Fault, fault } from './fault.ts';
import type { Io } from './io.ts';

/** Takes something to be said on stderr that does not keep a command from its work. */
export type Note = (message: string) => void;

/** A configuration, not yet complete. */
interface Source {
  readonly input: ConfigInput;
  /** The digest that a link expects, if it names one. */
  readonly digest?: string;
  /** The file that was read, "-" for stdin. */
  readonly file?: string;
}

/** Parses JSON, naming where it came from. A byte order mark is none of it. */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw fault(`${name}: not JSON: ${(error as Error).message.split('\n')[0]}`);
  }
}

/** A URL, a hash, or what stands behind its sign. */
function isLink(name: string): boolean {
  return (
    /^[a-z][a-z0-9+.-]*:\/\//i.test(name) || name.startsWith('#') || /(^|[#&])(v=\d|sc=|w=1\.)/.test(name)
  );
}

function readLink(link: string, note: Note): Source {
  const { input, view, notices } = decodeLink(link, scenarioSource, LINK_SCENARIO);
  // A kernel without the thing named would run something else than the link says (docs/configuration.md).
  const absent = notices.filter((notice) => notice.isAbsent);
  if (absent.length > 0) throw new Fault(absent.map((notice) => notice.message));
  for (const { message } of notices) note(message);
  return { input, ...(view.d === undefined ? {} : { digest: view.d }) };
}

function readFileSource(path: string, io: Io): Source {
  let text: string;
  try {
    text = io.read(path);
  } catch (error) {
    throw fault(`${path}: cannot be read: ${(error as Error).message}`);
  }
  const json = parseJson(text, path);
  if (typeof json !== 'object' || json === null || Array.isArray(json))
    throw fault(`${path}: ${showValue(json)}: ${CONFIG_SHAPE}`);
  return { input: json, file: path };
}

/** The configuration that `name` stands for: "-", a link, a scenario, or a file. Throws a Fault. */
function readSource(name: string, io: Io, note: Note): Source {
  if (name === '-') return readFileSource(name, io);
  if (isLink(name)) return readLink(name, note);
  if (findScenario(name) !== undefined) return { input: { scenario: name } };
  const known = SCENARIOS.find((scenario) => scenario.id === name.split(':')[0]);
  if (known !== undefined) {
    const variants = known.variants.map((variant) => variant.id).join(', ');
    throw fault(`${name}: unknown variant; ${known.id} has ${variants}`);
  }
  if (existsSync(name)) return readFileSource(name, io);
  const ids = SCENARIOS.map((scenario) => scenario.id).join(', ');
  throw fault(`${name}: neither a file nor a scenario nor a link; scenarios are ${ids}`);
}

/** Why a view key is refused. */
export const LINKS_ONLY = 'it belongs to links, not to the command line';

/** What key=value pairs say: the digest that is expected, and the rest. Throws a Fault that lists every bad one. */
function splitPairs(pairs: readonly string[], note: Note): { pairs: Map<string, string>; digest?: string } {
  const faults: string[] = [];
  const values = new Map<string, string>();
  for (const pair of pairs) {
    const equals = pair.indexOf('=');
    const key = pair.slice(0, Math.max(equals, 0));
    const earlier = values.get(key);
    if (key === '') faults.push(`${pair}: key=value is expected here`);
    else if (key !== 'd' && isViewKey(key)) faults.push(`${key}: ${LINKS_ONLY}`);
    else if (earlier !== undefined) note(`${key}: ${showValue(earlier)}: given twice; the last one counts`);
    values.set(key, pair.slice(equals + 1));
  }
  const { d } = VIEW_FORMS;
  const digest = values.get('d');
  if (digest !== undefined && d.parse(digest) === undefined)
    faults.push(`d: ${showValue(digest)}: ${d.allowed}`);
  const version = values.get('v');
  if (version !== undefined && version !== String(LINK_VERSION)) {
    faults.push(`v: ${showValue(version)}: ${LINK_VERSION}, the version of these keys`);
  }
  if (faults.length > 0) throw new Fault(faults);
  values.delete('d');
  values.delete('v');
  return { pairs: values, ...(digest === undefined ? {} : { digest }) };
}

/**
 * Lays pairs on a configuration. Throws a Fault that lists every bad one, and what is wrong without them. What the
 * kernel would raise or cut goes to `note`.
 */
export function withPairs(input: ConfigInput, pairs: LinkEntries, note: Note): ConfigInput {
  if (pairs.length === 0) return input;
  const base = parseConfig(input, scenarioSource);
  const applied = applyKeys(base.ok ? base.input : input, pairs, scenarioSource);
  if (applied.problems.length > 0) {
    const own = base.ok ? [] : base.problems.map((problem) => problem.message);
    const ofPairs = applied.problems.map((problem) => problem.message);
    // a pair that is blamed for what was wrong before it is not at fault
    const isOwn = (message: string) => !own.some((problem) => message.endsWith(problem));
    throw new Fault([...own, ...ofPairs.filter(isOwn)]);
  }
  for (const { message } of applied.notices) note(message);
  return applied.input;
}

/** The complete configuration of an input. Throws a Fault. */
export function toConfig(input: unknown, note: Note): SimConfig {
  const parsed = parseConfig(input, scenarioSource);
  if (!parsed.ok) throw new Fault(parsed.problems.map((problem) => problem.message));
  for (const { message } of parsed.notices) note(message);
  const { kernel } = parsed.config;
  const profile = findProfile(kernel);
  const standIn = profile === undefined ? undefined : standInNote(profile);
  if (standIn !== undefined) note(`kernel ${kernel}: ${standIn}, the nearest one that is known`);
  return parsed.config;
}

/** The first word and the pairs after it. Throws a Fault. */
export function readWords(words: readonly string[], io: Io, note: Note): Source {
  const [name, ...rest] = words;
  if (name === undefined) throw fault('what to run is missing: a file, "-", a scenario or a link');
  const { pairs, ...expected } = splitPairs(rest, note);
  const source = readSource(name, io, note);
  return { ...source, ...expected, input: withPairs(source.input, [...pairs], note) };
}

/** Says everything once. */
export function sayNotes(notes: readonly string[], io: Io): void {
  for (const message of new Set(notes)) io.err(`notice: ${message}\n`);
}
