/** `rcuscope scenarios`, `profiles`, `params` and `machine`: what there is. */

import { BOOT_PARAMS, NO_EFFECT } from '../src/config/bootParams.ts';
import { DEFAULTS, PASS_ENTRIES } from '../src/config/completeConfig.ts';
import { type Field, integerField } from '../src/config/fields.ts';
import { paramsOf, rangeText, releasesOf } from '../src/config/paramSet.ts';
import { isCostEntry, MAX_CPUS } from '../src/config/schema.ts';
import {
  DEFAULT_PRESET,
  defaultWorkerLagNs,
  MACHINE_ENTRIES,
  MACHINE_ENTRY_IDS,
  PRESET_IDS,
  presetMachine,
} from '../src/engine/machine/presets.ts';
import {
  DEFAULT_PROFILE,
  findProfile,
  PROFILES,
  type ProfileId,
  RULE_VALUES,
  type RuleId,
  ruleWords,
} from '../src/engine/profiles/profiles.ts';
import { defaultSrcuParam, effectiveConvertToBig } from '../src/engine/srcu/params.ts';
import { DEFAULT_SCENARIO, SCENARIOS } from '../src/scenarios/registry.ts';
import { EXIT, Fault } from './fault.ts';
import type { Io } from './io.ts';
import { formatTable } from './table.ts';

function print(io: Io, isJson: boolean, json: object, text: () => string): number {
  io.out(isJson ? `${JSON.stringify(json)}\n` : text());
  return EXIT.fine;
}

/** Scenarios and their variants. */
export function listScenarios(isJson: boolean, io: Io): number {
  const scenarios = SCENARIOS.map(({ id, title, shows, lookAt, defaultVariant, variants, reported }) => ({
    id,
    title,
    shows,
    lookAt,
    defaultVariant,
    variants: variants.map((variant) => {
      const figures = reported(variant.id).map(({ what, unit, value, fitted, source }) => ({
        what,
        unit,
        reported: value,
        fitted,
        source,
      }));
      return figures.length === 0 ? variant : { ...variant, reported: figures };
    }),
  }));
  return print(io, isJson, { default: DEFAULT_SCENARIO, scenarios }, () =>
    scenarios
      .map(({ id, title, shows, defaultVariant, variants }) => {
        const rows = variants.map((variant) => [
          `  ${id}:${variant.id}`,
          variant.id === defaultVariant ? `${variant.title} (default)` : variant.title,
        ]);
        return `${title}: ${shows}\n${formatTable(rows)}`;
      })
      .join('\n'),
  );
}

/** Profiles with their rules, and the values that rules can take. */
export function listProfiles(isJson: boolean, io: Io): number {
  const profiles = PROFILES.map((profile) => ({
    ...profile,
    ...(profile.runsAs === undefined ? {} : { note: `runs as ${profile.runsAs}` }),
  }));
  const rules = Object.entries(RULE_VALUES).map(([id, values]) => ({
    id,
    values,
    ownWords: ruleWords(id as RuleId),
  }));
  return print(io, isJson, { default: DEFAULT_PROFILE, profiles, rules }, () => {
    const rows = profiles.map((profile) => [
      profile.id,
      profile.title,
      profile.runsAs === undefined ? '' : `runs as ${profile.runsAs}`,
    ]);
    const ruleRows = rules.map(({ id, values }) => [id, values.join(', ')]);
    return `${formatTable(rows)}\nrules\n${formatTable(ruleRows)}`;
  });
}

/** Options of `params`, as text. */
export interface ParamsOptions {
  readonly json: boolean;
  readonly kernel: string | undefined;
  readonly hz: string | undefined;
  readonly cpus: string | undefined;
}

function readNumber(text: string | undefined, absent: number, field: Field<number>): number | undefined {
  if (text === undefined) return absent;
  return /^\d+$/.test(text) ? field.read(Number(text)) : undefined;
}

const HZ = integerField(24, 1200);
const CPUS = integerField(1, MAX_CPUS);

/** The options as values. Throws a Fault that lists every bad one. */
function readParamsOptions({ kernel: id = DEFAULT_PROFILE, hz: hzText, cpus: cpusText }: ParamsOptions) {
  const kernel = findProfile(id);
  const hz = readNumber(hzText, DEFAULTS.hz, HZ);
  const cpus = readNumber(cpusText, DEFAULTS.cpus, CPUS);
  if (kernel !== undefined && hz !== undefined && cpus !== undefined) return { kernel, hz, cpus };
  const faults: string[] = [];
  if (kernel === undefined)
    faults.push(`--kernel: ${id}: ${PROFILES.map((profile) => profile.id).join(', ')}`);
  if (hz === undefined) faults.push(`--hz: ${hzText}: ${HZ.allowed}`);
  if (cpus === undefined) faults.push(`--cpus: ${cpusText}: ${CPUS.allowed}`);
  throw new Fault(faults);
}

/** Parameters of a kernel: as set, and as they read after boot (spec srcu 1.5 a, 3.3). Throws a Fault. */
export function listParams(options: ParamsOptions, io: Io): number {
  const { kernel, hz, cpus } = readParamsOptions(options);
  const defaultOf = (name: string) => defaultSrcuParam(name, kernel.rules, hz) as number | string;
  const params = paramsOf(kernel.id as ProfileId).map((param) => {
    const set = defaultOf(param.name);
    const effective =
      param.name === 'srcutree.convert_to_big'
        ? effectiveConvertToBig(set as number, defaultOf('srcutree.big_cpu_lim') as number, cpus)
        : set;
    const { name, unit, min, max, help } = param;
    return { name, default: set, effective, unit, range: { min, max }, releases: releasesOf(param), help };
  });
  const bootParameters = BOOT_PARAMS.map(({ name, allowed, help }) => ({ name, values: allowed, help }));
  return print(io, options.json, { kernel: kernel.id, hz, cpus, params, bootParameters }, () => {
    const head = ['name', 'default', 'after boot', 'unit', 'range', 'releases', 'help'];
    const rows = params.map((param) => [
      param.name,
      String(param.default),
      String(param.effective),
      param.unit,
      rangeText(param.range),
      param.releases,
      param.help,
    ]);
    const bootRows = bootParameters.map(({ name, values, help }) => [name, help, values]);
    const table = formatTable([head, ...rows], [1, 2]);
    const runsAs = kernel.runsAs === undefined ? '' : ` (runs as ${kernel.runsAs})`;
    return `${kernel.id}${runsAs}, HZ=${hz}, ${cpus} CPUs\n${table}\naccepted, ${NO_EFFECT}\n${formatTable(bootRows)}`;
  });
}

/** Machine entries with their values in each preset, and the initial state that goes with it. */
export function listMachine(isJson: boolean, io: Io): number {
  const presets = PRESET_IDS.map((preset) => [preset, presetMachine(preset)] as const);
  const entries = MACHINE_ENTRY_IDS.map((name) => {
    const { meaning, unit } = MACHINE_ENTRIES[name];
    const values = Object.fromEntries(presets.map(([preset, machine]) => [preset, machine[name]]));
    return { name, meaning, unit, mayBeRange: isCostEntry(name), values };
  });
  const aliases = [
    { name: 'passNs', sets: PASS_ENTRIES, meaning: 'one value for the three; preset plain only' },
  ];
  const initial = {
    workerLagNs: Object.fromEntries(PRESET_IDS.map((preset) => [preset, defaultWorkerLagNs(preset)])),
    migratorCpu: 'the lowest CPU with a running tick',
    timekeeperCpu: 'the first CPU that ticks',
  };
  return print(
    io,
    isJson,
    { default: DEFAULT_PRESET, presets: PRESET_IDS, entries, aliases, initial },
    () => {
      const head = ['entry', ...PRESET_IDS, 'unit', 'meaning'];
      const cell = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
      const rows = entries.map(({ name, values, unit, meaning }) => [
        name,
        ...PRESET_IDS.map((preset) => cell(values[preset])),
        unit,
        meaning,
      ]);
      const lags = PRESET_IDS.map((preset) => cell(initial.workerLagNs[preset]));
      const lagRow = ['initial.workerLagNs', ...lags, 'ns', 'per CPU, the last one repeated'];
      const note =
        `passNs sets ${PASS_ENTRIES.join(', ')} to one value (preset plain only).\n` +
        'An entry in ns may be a range, from which every use draws: machine.switchNs=900ns..2us, in JSON [900, 2000].\n';
      return `${formatTable([head, ...rows, lagRow], [1, 2, 3])}\n${note}`;
    },
  );
}
