/** The keys of a link that say what is run: where each stands in a configuration, and how its value is written. */
import { findBootParam } from '../bootParams.ts';
import type { ConfigInput } from '../configInput.ts';
import { whyParameterIsIgnored } from '../ignoredParams.ts';
import { isCostEntry, MACHINE_FIELDS } from '../machineFields.ts';
import { findParam } from '../paramSet.ts';
import { joinPath } from '../problem.ts';
import { normaliseParamName } from '../schema.ts';
import { parseUnsignedLong } from '../unsignedLong.ts';
import {
  booleanForm,
  bySizeForm,
  costForm,
  distForm,
  durationForm,
  lagForm,
  numberForm,
  perUsForm,
  raceForm,
  rcuGpForm,
  shareForm,
  signedForm,
  sizesForm,
  startForm,
  stopForm,
  type TextForm,
  wordForm,
} from './linkText.ts';

/** A key: its place in the JSON, and its text. */
export interface LinkKey {
  readonly place: readonly (string | number)[];
  readonly form: TextForm;
}

/** Keys of the whole configuration that have a name of their own in a link. */
export const TOP_KEYS: Readonly<Record<string, LinkKey>> = {
  sc: { place: ['scenario'], form: wordForm },
  k: { place: ['kernel'], form: wordForm },
  hz: { place: ['hz'], form: numberForm },
  cpus: { place: ['cpus'], form: numberForm },
  preempt: { place: ['preempt'], form: wordForm },
  seed: { place: ['seed'], form: numberForm },
  jiffies: { place: ['startJiffies'], form: numberForm },
  stop: { place: ['stop'], form: stopForm },
  machine: { place: ['machine', 'preset'], form: wordForm },
};

/** For messages about unknown keys. */
export const KEYS_ALLOWED =
  'v, sc, k, hz, cpus, preempt, seed, jiffies, stop, rules.ID, machine, machine.ENTRY, initial.NAME, ' +
  'kconfig.NAME, aN.KEY, w, d, kernel parameters; t, cur, sel, panel, lock, paused, theme';

/** Kernel parameters: in the kernel's own syntax. */
const paramForm = {
  parse: (text: string): unknown => {
    const result = parseUnsignedLong(text);
    return result.ok ? result.value : text;
  },
  format: (value: number | string): string => String(value),
};

/** Machine entries that are whole numbers and no times. */
const WHOLE_ENTRIES = ['windowNs', 'pageSize', 'memoryBytes', 'kfreeStuckCpus'];

function machineForm(entry: string): TextForm {
  if (entry === 'passNs') return durationForm;
  if (entry === 'udelayPerUsNs') return perUsForm;
  if (isCostEntry(entry)) return costForm;
  if (['kfreeAllocQueueNs', 'kfreeFreeNs'].includes(entry)) return bySizeForm;
  if (entry === 'jiffyRace') return raceForm;
  if (entry === 'sharedLlc') return booleanForm;
  if (WHOLE_ENTRIES.includes(entry)) return numberForm;
  const isWord = ['requester', 'idleTick', 'allocator'].includes(entry) || !MACHINE_FIELDS.has(entry);
  return isWord ? wordForm : shareForm;
}

function initialForm(name: string): TextForm {
  if (name === 'workerLagNs') return lagForm;
  return name === 'rcuGp' ? rcuGpForm : numberForm;
}

const formsOf = (form: TextForm, ...keys: string[]) => keys.map((key) => [key, form] as const);
/** Keys of actors that are no words. */
const ACTOR_FORMS: ReadonlyMap<string, TextForm> = new Map([
  ...formsOf(numberForm, 'cpu', 'count', 'times', 'calls', 'batch', 'loops', 'allocs'),
  ...formsOf(distForm, 'hold', 'idle', 'incDelay', 'gap', 'spin', 'sleep', 'exit', 'tail'),
  ...formsOf(durationForm, 'stagger', 'sampleNs'),
  ...formsOf(startForm, 'start'),
  ...formsOf(sizesForm, 'sizes'),
  ...formsOf(booleanForm, 'resched'),
  ...formsOf(signedForm, 'nice'),
]);

/** The text form of an actor's key; keys that no actor has are words, and refused later. */
export function actorForm(key: string): TextForm {
  return ACTOR_FORMS.get(key) ?? wordForm;
}

/** What `key` means, or undefined if it is not a key of a configuration. `w`, `v`, `d` and view keys are not here. */
export function findLinkKey(key: string): LinkKey | undefined {
  if (Object.hasOwn(TOP_KEYS, key)) return TOP_KEYS[key];
  const actor = /^a(\d{1,5})\.([A-Za-z]+)$/.exec(key);
  if (actor !== null) {
    const name = actor[2] as string;
    return { place: ['actors', Number(actor[1]), name], form: actorForm(name) };
  }
  const dot = key.indexOf('.');
  const name = key.slice(dot + 1);
  switch (key.slice(0, Math.max(dot, 0))) {
    case 'rules':
      return { place: ['rules', name], form: wordForm };
    case 'machine':
      return { place: ['machine', name], form: machineForm(name) };
    case 'initial':
      return { place: ['initial', name], form: initialForm(name) };
    case 'kconfig':
      return { place: ['kconfig', name], form: booleanForm };
    default:
      return findParamKey(normaliseParamName(key));
  }
}

/** Boot parameters: text, whatever it looks like. */
const bootForm = {
  parse: (text: string): unknown => text,
  format: (value: number | string) => String(value),
};

function findParamKey(name: string): LinkKey | undefined {
  if (findBootParam(name) !== undefined) return { place: ['params', name], form: bootForm };
  if (findParam(name) === undefined && whyParameterIsIgnored(name).kind === 'foreign') return undefined;
  return { place: ['params', name], form: paramForm };
}

/** The JSON path of a place, as it stands in a Problem. */
export function pathOf(place: readonly (string | number)[]): string {
  return place.reduce<string>((path, key) => joinPath(path, key), '');
}

/** A copy of `input` with `value` at `place`. */
export function withValue(
  input: ConfigInput,
  place: readonly (string | number)[],
  value: unknown,
): ConfigInput {
  const set = (node: unknown, keys: readonly (string | number)[]): unknown => {
    const [key, ...rest] = keys;
    if (key === undefined) return value;
    const child = (node as Record<string | number, unknown> | undefined)?.[key];
    if (Array.isArray(node)) return node.map((entry, i) => (i === key ? set(child, rest) : entry));
    return { ...(node as object | undefined), [key]: set(child, rest) };
  };
  return set(input, place) as ConfigInput;
}
