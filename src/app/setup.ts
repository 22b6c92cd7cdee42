import type { ConfigInput, ScenarioSource } from '../config/configInput.ts';
import { parseConfig } from '../config/parseConfig.ts';
import type { Problem } from '../config/problem.ts';
import type { SimConfig } from '../engine/index.ts';
import type { Choice, ConfigPath } from '../state/configStore.ts';
import { withPartsOf } from '../state/withPartsOf.ts';

/** A choice, worked out. */
export interface Setup {
  readonly choice: Choice;
  /** What is simulated; the last valid one where the choice is not. */
  readonly config: SimConfig;
  /** The scenario as it is without changes. */
  readonly base: SimConfig;
  /** Why the choice cannot be simulated; empty if it can. */
  readonly problems: readonly Problem[];
  /** What of it has no effect, or is not as it is set (fewer CPUs than the scenario's). */
  readonly notices: readonly Problem[];
}

const NONE: readonly Problem[] = [];

/** The choice as a configuration file would say it. */
export function inputOf({ scenario, overrides }: Choice): ConfigInput {
  return { ...overrides, ...(scenario === '' ? {} : { scenario }) } as ConfigInput;
}

/**
 * Works out a choice; `before` gives what stays in force if it is not valid. Parts of the configuration that are as
 * before are the same objects.
 */
export function setUp(choice: Choice, scenarios: ScenarioSource, before: Setup | undefined): Setup {
  const parsed = parseConfig(inputOf(choice), scenarios);
  if (!parsed.ok) {
    if (before === undefined) throw new Error(parsed.problems.map(({ message }) => message).join('; '));
    return { ...before, choice, problems: parsed.problems, notices: [] };
  }
  const isSameScenario = before !== undefined && before.choice.scenario === choice.scenario;
  const alone = isSameScenario ? undefined : parseConfig({ scenario: choice.scenario }, scenarios);
  const base = isSameScenario ? before.base : alone?.ok === true ? alone.config : parsed.config;
  const config = withPartsOf(before?.config, parsed.config);
  const notices = withPartsOf(before?.notices, parsed.notices);
  return { choice, config, base, problems: NONE, notices };
}

/** The value at a path of a complete configuration; undefined where nothing is set (rules, build options). */
export function configValueAt(config: SimConfig, path: ConfigPath): unknown {
  const value = config[path[0]] as unknown;
  return path[1] === undefined ? value : (value as Readonly<Record<string, unknown>>)[path[1]];
}

/** What a path comes to in this choice, for choices that are valid; else undefined. */
export function effectiveValue(choice: Choice, path: ConfigPath, scenarios: ScenarioSource): unknown {
  const parsed = parseConfig(inputOf(choice), scenarios);
  return parsed.ok ? configValueAt(parsed.config, path) : undefined;
}
