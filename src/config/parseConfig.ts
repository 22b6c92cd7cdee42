/** The boundary: unknown JSON in, a complete configuration or sentences about what is wrong out. */
import type { SimConfig } from '../engine/index.ts';
import { buildOf } from '../engine/profiles/kernelParams.ts';
import { findProfile } from '../engine/profiles/profiles.ts';
import { checkConfig, checkParams, checkPassNs } from './checkConfig.ts';
import { completeConfig, DEFAULTS } from './completeConfig.ts';
import { type ConfigInput, NO_SCENARIOS, type ScenarioSource } from './configInput.ts';
import { withFewerCpus } from './fewerCpus.ts';
import { integerField } from './fields.ts';
import { MAX_CPUS } from './machineFields.ts';
import { mergeInput } from './mergeInput.ts';
import {
  whyInitialHasNoEffect,
  whyMachineHasNoEffect,
  whyNoEffect,
  whyOptionHasNoEffect,
} from './noEffect.ts';
import { defaultParam } from './paramSet.ts';
import { createProblem, type Problem } from './problem.ts';
import { HZ, normaliseParamName, readInput } from './schema.ts';
import { whyFewerAreStuck } from './stuckCpus.ts';

export type ParsedConfig =
  | {
      readonly ok: true;
      readonly config: SimConfig;
      /** What was given, durations in ns; with `scenario` still an overlay. */
      readonly input: ConfigInput;
      /** What was accepted and has no effect. */
      readonly notices: readonly Problem[];
    }
  | { readonly ok: false; readonly problems: readonly Problem[] };

/**
 * The configuration of `input` laid over its scenario's, without judgement of what the two come to together.
 * Undefined if the scenario is unknown.
 */
export function expandInput(
  input: ConfigInput,
  scenarios: ScenarioSource,
): { readonly input: ConfigInput; readonly notices: readonly Problem[] } | undefined {
  if (input.scenario === undefined) return mergeInput({}, input);
  const scenario = scenarios.find(input.scenario);
  if (scenario === undefined) return undefined;
  const read = readInput(scenario);
  if (!read.ok) throw new Error(`scenario ${input.scenario}: ${read.problems[0]?.message}`);
  const { base, notices } = withFewerCpus(read.input, input);
  const merged = mergeInput(base, input);
  return { input: merged.input, notices: [...notices, ...merged.notices] };
}

/**
 * Reads a configuration (docs/configuration.md to §4). Never throws on bad input: every fault is a problem that names the JSON
 * path, the value and what is allowed. `scenarios` resolves the key `scenario`.
 */
export function parseConfig(json: unknown, scenarios: ScenarioSource = NO_SCENARIOS): ParsedConfig {
  const read = readInput(json);
  if (!read.ok) return { ok: false, problems: [...read.problems, ...furtherParamProblems(json)] };
  const expanded = expandInput(read.input, scenarios);
  if (expanded === undefined) {
    return { ok: false, problems: [unknownScenario(read.input.scenario ?? '', scenarios)] };
  }
  const preset = expanded.input.machine?.preset ?? DEFAULTS.preset;
  const config = completeConfig(expanded.input);
  const problems = [...checkPassNs(read.input.machine ?? {}, preset), ...checkConfig(config, expanded.input)];
  if (problems.length > 0) return { ok: false, problems };
  return {
    ok: true,
    config,
    input: read.input,
    notices: [...expanded.notices, ...ineffective(read.input, config, scenarios)],
  };
}

function unknownScenario(name: string, scenarios: ScenarioSource): Problem {
  const [id = ''] = name.split(':');
  const variants = scenarios.variantsOf(id);
  const allowed =
    variants === undefined
      ? `unknown scenario; there are ${scenarios.names.join(', ') || 'none here'}`
      : `unknown variant; ${id} has ${variants.join(', ')}`;
  return createProblem('scenario', name, allowed);
}

/** Faults of `params` where the shape is wrong elsewhere: everything that can be said is said at once. */
function furtherParamProblems(json: unknown): Problem[] {
  const { params, kernel = DEFAULTS.kernel, cpus, hz, scenario } = (json ?? {}) as Record<string, unknown>;
  const known = typeof kernel === 'string' ? findProfile(kernel) : undefined;
  const isReadable = typeof params === 'object' && params !== null && !Array.isArray(params);
  if (!isReadable || known === undefined || scenario !== undefined) return [];
  const values = Object.entries(params).map(([name, value]) => [normaliseParamName(name), value]);
  const shapeIsKnown = ({ value }: Problem) => ['number', 'string', 'boolean'].includes(typeof value);
  const build = buildOf({
    kernel: known.id,
    rules: {},
    hz: HZ.read(hz) ?? DEFAULTS.hz,
    cpus: integerField(1, MAX_CPUS).read(cpus) ?? DEFAULTS.cpus,
    kconfig: {},
  });
  return checkParams(Object.fromEntries(values), build).filter(shapeIsKnown);
}

/** Why no kernel can be built so: PREEMPT_RT selects PREEMPTION. */
function whyNoSuchKernel({ preempt, kconfig }: SimConfig): string | undefined {
  if (preempt === 'full' || kconfig.PREEMPT_RT !== true) return undefined;
  return '"full" is all that PREEMPT_RT can be built with; here RCU is preemptible all the same, and tasks in the kernel are not';
}

/** Objects of a configuration of which single entries may have no effect. */
type Group = 'params' | 'kconfig' | 'initial' | 'machine';

/** What the entries of `group` would be if `input` said nothing of them: the scenario's values, and defaults. */
function valuesAnyway(
  group: Group,
  input: ConfigInput,
  scenarios: ScenarioSource,
): Readonly<Record<string, unknown>> {
  const { [group]: _, ...others } = input;
  const { preset } = input.machine ?? {};
  const isOfPreset = group === 'machine' && preset !== undefined;
  const expanded = expandInput({ ...others, ...(isOfPreset ? { machine: { preset } } : {}) }, scenarios);
  const config = completeConfig(expanded?.input ?? {});
  if (group !== 'params') return { ...config[group] };
  const names = Object.keys(input.params ?? {});
  const defaults = names.map((name) => [name, defaultParam(name, buildOf(config))]);
  return { ...Object.fromEntries(defaults), ...config.params };
}

/**
 * What was given by itself and changes nothing; what no kernel is, and what the workload cannot fill. Of an entry that is as
 * it would be anyway there is nothing to say: files that were written out have all of them.
 */
function ineffective(input: ConfigInput, config: SimConfig, scenarios: ScenarioSource): Problem[] {
  const notices = (group: Group, why: (name: string) => string | undefined) => {
    const entries = Object.entries(input[group] ?? {});
    const reasons = entries.flatMap(([name, value]) => {
      const reason = why(name);
      return reason === undefined ? [] : [{ name, value, reason }];
    });
    if (reasons.length === 0) return [];
    const anyway = valuesAnyway(group, input, scenarios);
    const here: Readonly<Record<string, unknown>> = { ...config[group] };
    return reasons.flatMap(({ name, value, reason }) =>
      JSON.stringify(here[name]) === JSON.stringify(anyway[name])
        ? []
        : [createProblem(`${group}.${name}`, value, reason)],
    );
  };
  const { kfreeStuckCpus } = config.machine;
  const stuck = whyFewerAreStuck(config);
  const noKernel = whyNoSuchKernel(config);
  return [
    ...notices('params', (name) => whyNoEffect(name, config)),
    ...notices('kconfig', (name) =>
      config.kconfig[name] === true ? whyOptionHasNoEffect(name, config.actors) : undefined,
    ),
    ...notices('initial', (name) => whyInitialHasNoEffect(name, config)),
    ...notices('machine', (name) => whyMachineHasNoEffect(name, config)),
    ...(noKernel === undefined ? [] : [createProblem('preempt', config.preempt, noKernel)]),
    ...(stuck === undefined ? [] : [createProblem('machine.kfreeStuckCpus', kfreeStuckCpus, stuck)]),
  ];
}
