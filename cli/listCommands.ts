/** `rcuscope scenarios`, `profiles` and `machine`: what there is. */

import { PASS_ENTRIES } from '../src/config/completeConfig.ts';
import { isCostEntry } from '../src/config/machineFields.ts';
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
  PROFILES,
  RULE_VALUES,
  type RuleId,
  ruleWords,
  standInNote,
} from '../src/engine/profiles/profiles.ts';
import { DEFAULT_SCENARIO, SCENARIOS } from '../src/scenarios/registry.ts';
import { storyOf } from '../src/scenarios/stories.ts';
import type { Io } from './io.ts';
import { print } from './print.ts';
import { formatTable } from './table.ts';

/** Scenarios and their variants. */
export function listScenarios(isJson: boolean, io: Io): number {
  const scenarios = SCENARIOS.map(({ id, title, defaultVariant, variants }) => {
    const { shows, lookAt, reported } = storyOf(id);
    const withFigures = variants.map((variant) => {
      const figures = reported(variant.id).map(({ what, unit, value, fitted, source }) => ({
        what,
        unit,
        reported: value,
        fitted,
        source,
      }));
      return figures.length === 0 ? variant : { ...variant, reported: figures };
    });
    return { id, title, shows, lookAt, defaultVariant, variants: withFigures };
  });
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
  const profiles = PROFILES.map((profile) => {
    const note = standInNote(profile);
    return { ...profile, ...(note === undefined ? {} : { note }) };
  });
  const rules = Object.entries(RULE_VALUES).map(([id, values]) => ({
    id,
    values,
    ownWords: ruleWords(id as RuleId),
  }));
  return print(io, isJson, { default: DEFAULT_PROFILE, profiles, rules }, () => {
    const rows = profiles.map((profile) => [profile.id, profile.title, standInNote(profile) ?? '']);
    const ruleRows = rules.map(({ id, values }) => [id, values.join(', ')]);
    return `${formatTable(rows)}\nrules\n${formatTable(ruleRows)}`;
  });
}

/** Machine entries with their values in each preset, and the initial state that goes with it. */
export function listMachine(isJson: boolean, io: Io): number {
  const presets = PRESET_IDS.map((preset) => [preset, presetMachine(preset)] as const);
  const entries = MACHINE_ENTRY_IDS.map((name) => {
    const { meaning, unit } = MACHINE_ENTRIES[name];
    // an entry that stands for a sum of steps has no value of its own
    const values = Object.fromEntries(presets.map(([preset, machine]) => [preset, machine[name] ?? null]));
    return { name, meaning, unit, mayBeRange: isCostEntry(name), values };
  });
  const aliases = [
    { name: 'passNs', sets: PASS_ENTRIES, meaning: 'one value for the three; preset plain only' },
  ];
  const initial = {
    workerLagNs: Object.fromEntries(PRESET_IDS.map((preset) => [preset, defaultWorkerLagNs(preset)])),
    migratorCpu: 'the lowest CPU with a running tick',
    timekeeperCpu: 'the first CPU that ticks',
    gpKthreadCpu: Object.fromEntries(
      PRESET_IDS.map((preset) => [preset, preset === 'typical' ? 'drawn from the seed' : 0]),
    ),
    rcuGp: 'idle',
    tasksUrgent: 0,
  };
  return print(
    io,
    isJson,
    { default: DEFAULT_PRESET, presets: PRESET_IDS, entries, aliases, initial },
    () => {
      const head = ['entry', ...PRESET_IDS, 'unit', 'meaning'];
      const cell = (value: unknown) => {
        if (value === null) return 'sum';
        return typeof value === 'object' ? JSON.stringify(value) : String(value);
      };
      const rows = entries.map(({ name, values, unit, meaning }) => [
        name,
        ...PRESET_IDS.map((preset) => cell(values[preset])),
        unit,
        meaning,
      ]);
      const lags = PRESET_IDS.map((preset) => cell(initial.workerLagNs[preset]));
      const lagRow = ['initial.workerLagNs', ...lags, 'ns', 'per CPU, the last one repeated'];
      const kthreads = PRESET_IDS.map((preset) => cell(initial.gpKthreadCpu[preset]));
      const kthreadRow = ['initial.gpKthreadCpu', ...kthreads, 'CPU', 'of the RCU grace-period kthread'];
      const note =
        `passNs sets ${PASS_ENTRIES.join(', ')} to one value (preset plain only).\n` +
        'sum: of the steps that the entry covers; a given value replaces it.\n' +
        'An entry in ns may be a range, from which every use draws: machine.switchNs=900ns..2us, in JSON [900, 2000].\n' +
        'One in ns by size may name sizes in bytes: machine.kfreeFreeNs=32:49ns/256:56ns, in JSON {"32": 49, "256": 56}; ' +
        'linear between two, the nearest outside.\n';
      return `${formatTable([head, ...rows, lagRow, kthreadRow], [1, 2, 3])}\n${note}`;
    },
  );
}
