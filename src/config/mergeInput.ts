/** A scenario and what is laid over it, as one sparse configuration. */
import { type ProfileId, type RuleId, resolveRules } from '../engine/profiles/profiles.ts';
import { DEFAULTS, expandPassNs, PASS_ENTRIES } from './completeConfig.ts';
import type { ConfigInput, MachineInput } from './configInput.ts';
import { findParam, whyNoParam } from './paramSet.ts';
import { createProblem, type Problem } from './problem.ts';

/** Another preset replaces the scenario's machine as a whole; the same one, or none, keeps its entries. */
function mergeMachine(base: MachineInput, over: MachineInput): MachineInput {
  const isOther = over.preset !== undefined && over.preset !== (base.preset ?? DEFAULTS.preset);
  if (isOther) return over;
  const kept = { ...expandPassNs(base) };
  if (over.passNs !== undefined) for (const entry of PASS_ENTRIES) delete kept[entry];
  return { ...kept, ...over };
}

/**
 * Lays `over` on the configuration of its scenario. `actors` and `stop` replace the scenario's; `params`, `rules`,
 * `machine`, `initial` and `kconfig` are merged key by key. Parameters of the scenario that the kernel of the overlay
 * does not have are left out, and a notice says so.
 */
export function mergeInput(base: ConfigInput, over: ConfigInput): { input: ConfigInput; notices: Problem[] } {
  const kernel = (over.kernel ?? base.kernel ?? DEFAULTS.kernel) as ProfileId;
  const given = { ...base.rules, ...over.rules };
  const rules = resolveRules(kernel, given as Partial<Record<RuleId, string>>);
  const notices: Problem[] = [];
  const baseParams = Object.entries(base.params ?? {}).filter(([name, value]) => {
    const param = findParam(name);
    const why = param && whyNoParam(param, { kernel, rules });
    if (why === undefined || over.params?.[name] !== undefined) return true;
    notices.push(createProblem(`params.${name}`, value, `left out: ${why}`));
    return false;
  });
  const input: ConfigInput = {
    ...base,
    ...over,
    params: { ...Object.fromEntries(baseParams), ...over.params },
    rules: given,
    machine: mergeMachine(base.machine ?? {}, over.machine ?? {}),
    initial: { ...base.initial, ...over.initial },
    kconfig: { ...base.kconfig, ...over.kconfig },
  };
  return { input, notices };
}
