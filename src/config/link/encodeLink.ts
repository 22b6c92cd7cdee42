import type { Actor, SimConfig } from '../../engine/index.ts';
import { MACHINE_ENTRY_IDS } from '../../engine/machine/presets.ts';
import { completeConfig, PASS_ENTRIES } from '../completeConfig.ts';
import type { ConfigInput, ScenarioSource } from '../configInput.ts';
import { expandInput } from '../parseConfig.ts';
import { createProblem, type Problem } from '../problem.ts';
import { joinHash, MAX_HASH_CHARS } from './linkHash.ts';
import { actorForm, findLinkKey, TOP_KEYS } from './linkKeys.ts';
import { LINK_VERSION } from './linkVersion.ts';
import { type LinkView, VIEW_FORMS } from './linkView.ts';
import { encodeWorkload, MAX_INFLATED_BYTES } from './workloadCode.ts';

type Entries = [key: string, text: string][];

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function format(key: string, value: unknown): string {
  const form = findLinkKey(key)?.form;
  if (form === undefined) throw new Error(`no link key ${key}`);
  return form.format(value as never);
}

/** Entries for what differs between two records of a group; what is absent in `now` cannot be said and is skipped. */
function groupEntries(prefix: string, now: object, base: object): Entries {
  const before = base as Record<string, unknown>;
  return Object.entries(now)
    .filter(([name, value]) => value !== undefined && !isSame(value, before[name]))
    .map(([name, value]) => [prefix + name, format(prefix + name, value)]);
}

function topEntries(now: SimConfig, base: SimConfig): Entries {
  const keys = ['k', 'hz', 'cpus', 'preempt', 'seed', 'jiffies', 'stop'];
  return keys.flatMap((key): Entries => {
    const name = TOP_KEYS[key]?.place[0] as keyof SimConfig;
    return isSame(now[name], base[name]) ? [] : [[key, format(key, now[name])]];
  });
}

function machineEntries(now: SimConfig, base: SimConfig): Entries {
  const preset: Entries = now.machine.preset === base.machine.preset ? [] : [['machine', now.machine.preset]];
  const changed = MACHINE_ENTRY_IDS.filter((entry) => !isSame(now.machine[entry], base.machine[entry]));
  const [first, ...others] = PASS_ENTRIES.map((entry) => now.machine[entry]);
  const isOneValue =
    now.machine.preset === 'plain' &&
    typeof first === 'number' &&
    PASS_ENTRIES.some((entry) => changed.includes(entry)) &&
    others.every((value) => value === first);
  const written = changed.filter((entry) => !isOneValue || !PASS_ENTRIES.some((pass) => pass === entry));
  return [
    ...preset,
    ...(isOneValue ? [['machine.passNs', format('machine.passNs', first)] as [string, string]] : []),
    ...written.map((entry): [string, string] => [
      `machine.${entry}`,
      format(`machine.${entry}`, now.machine[entry]),
    ]),
  ];
}

/** Entries aN.KEY, or undefined where kind, number or the set of keys differs. */
function actorEntries(now: readonly Actor[], base: readonly Actor[]): Entries | undefined {
  if (now.length !== base.length) return undefined;
  const entries: Entries = [];
  for (const [i, actor] of now.entries()) {
    const before = base[i] as Actor & Record<string, unknown>;
    if (actor.kind !== before.kind) return undefined;
    if (Object.keys(before).some((key) => !Object.hasOwn(actor, key))) return undefined;
    for (const [key, value] of Object.entries(actor)) {
      if (!isSame(value, before[key])) entries.push([`a${i}.${key}`, actorForm(key).format(value as never)]);
    }
  }
  return entries;
}

/** The configuration that a link with only sc, k, hz, cpus, rules, kconfig and machine of `input` stands for. */
function baseOf(input: ConfigInput, scenarios: ScenarioSource): { base: SimConfig; withRules: SimConfig } {
  const { scenario, kernel, hz, cpus, rules, machine, kconfig } = input;
  const name = scenario === undefined ? {} : { scenario };
  const complete = (overlay: ConfigInput) =>
    completeConfig((expandInput(overlay, scenarios) ?? { input: {} }).input);
  const preset = machine?.preset === undefined ? {} : { machine: { preset: machine.preset } };
  const defaultsFrom = {
    ...(kernel === undefined ? {} : { kernel }),
    ...(hz === undefined ? {} : { hz }),
    ...(cpus === undefined ? {} : { cpus }),
    ...(rules === undefined ? {} : { rules }),
    ...(kconfig === undefined ? {} : { kconfig }),
  };
  return { base: complete(name), withRules: complete({ ...name, ...defaultsFrom, ...preset }) };
}

/** Sorted: v, sc and k first, the rest of the configuration by name, then the view. */
function sorted(config: Entries, view: Entries): Entries {
  const first = ['v', 'sc', 'k'];
  const rank = ([key]: [string, string]) => (first.includes(key) ? first.indexOf(key) : first.length);
  const byName = ([a]: [string, string], [b]: [string, string]) => (a < b ? -1 : 1);
  return [...config.sort((a, b) => rank(a) - rank(b) || byName(a, b)), ...view.sort(byName)];
}

function configEntries(
  input: ConfigInput,
  scenarios: ScenarioSource,
): { entries: Entries; workloadBytes: number } {
  const expanded = expandInput(input, scenarios)?.input ?? input;
  const now = completeConfig(expanded);
  const { base, withRules } = baseOf(input, scenarios);
  const entries: Entries = [['v', String(LINK_VERSION)]];
  if (input.scenario !== undefined) entries.push(['sc', input.scenario]);
  entries.push(...topEntries(now, base));
  entries.push(...groupEntries('rules.', now.rules, base.rules));
  entries.push(
    ...machineEntries(now, { ...base, machine: { ...withRules.machine, preset: base.machine.preset } }),
  );
  entries.push(...groupEntries('initial.', now.initial, withRules.initial));
  entries.push(...groupEntries('kconfig.', now.kconfig, base.kconfig));
  entries.push(...groupEntries('', expanded.params ?? {}, withRules.params));
  const actors = actorEntries(now.actors, base.actors);
  if (actors !== undefined) return { entries: [...entries, ...actors], workloadBytes: 0 };
  const workload = expanded.actors ?? [];
  entries.push(['w', encodeWorkload(workload)]);
  return { entries, workloadBytes: JSON.stringify(workload).length };
}

/**
 * The hash (without #) of a link to `input`, one that `parseConfig` has accepted, seen as `view`. Only what differs
 * from the scenario is written. A workload too large for a link is a problem.
 */
export function encodeLink(
  input: ConfigInput,
  view: LinkView,
  scenarios: ScenarioSource,
): { readonly ok: true; readonly hash: string } | { readonly ok: false; readonly problem: Problem } {
  const { entries, workloadBytes } = configEntries(input, scenarios);
  const viewEntries = Object.entries(view)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): [string, string] => [key, VIEW_FORMS[key as keyof LinkView].format(value as never)]);
  const hash = joinHash(sorted(entries, viewEntries));
  if (workloadBytes > MAX_INFLATED_BYTES) {
    return {
      ok: false,
      problem: createProblem('w', `${workloadBytes} bytes`, `at most ${MAX_INFLATED_BYTES} bytes`),
    };
  }
  if (hash.length > MAX_HASH_CHARS) {
    const value = `${hash.length} characters`;
    return {
      ok: false,
      problem: createProblem('link', value, `at most ${MAX_HASH_CHARS}; save it as a file`),
    };
  }
  return { ok: true, hash };
}
