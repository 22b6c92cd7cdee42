/** The numbers that SRCU code works with, from the configuration. Times in ns. */
import type { SimConfig } from '../config.ts';
import type { SrcuConstants } from '../core/info.ts';
import { fixedCosts, hasRange, meanNs } from '../machine/costs.ts';
import type { Costs, Machine } from '../machine/presets.ts';
import type { RuleSet } from '../profiles/profiles.ts';
import { jiffyLimitOf, phaseLimitOf, RETRY_CHECK_DELAY_US } from './params.ts';

/** Entries that decide how long a pass takes. */
const PASS_ENTRIES = ['udelayBaseNs', 'udelayPerUsNs', 'checkNs', 'passLoopNs', 'passFirstCheckNs'] as const;

/** True if passes differ in length: there are no closed forms then. */
export function passesVary(machine: Machine): boolean {
  return hasRange(machine, PASS_ENTRIES);
}

/** udelay(us) on this machine; udelay(0) takes nothing (spec srcu 11.1). */
export function udelayNs(costs: Costs, us: number): number {
  return us === 0 ? 0 : Math.round(costs.udelayBaseNs + costs.udelayPerUsNs * us);
}

function numberParam(config: SimConfig, name: string, otherwise: number): number {
  const value = config.params[name];
  return typeof value === 'number' ? value : otherwise;
}

function constantsWith(costs: Costs, config: SimConfig, rules: RuleSet): SrcuConstants {
  const { hz } = config;
  const retryUs = numberParam(config, 'srcutree.srcu_retry_check_delay', RETRY_CHECK_DELAY_US);
  const secondUs = numberParam(config, 'experiment.second_retry_delay', retryUs);
  return {
    phaseLimit: numberParam(config, 'srcutree.srcu_max_nodelay_phase', phaseLimitOf(rules, hz)),
    jiffyLimit: numberParam(config, 'srcutree.srcu_max_nodelay', jiffyLimitOf(rules, hz)),
    retryNs: udelayNs(costs, retryUs) + costs.checkNs,
    secondRetryNs: udelayNs(costs, secondUs) + costs.checkNs,
    passFirstCheckNs: costs.passFirstCheckNs,
    checkNs: costs.checkNs,
    passLoopNs: costs.passLoopNs,
    expHoldoffNs: numberParam(config, 'srcutree.exp_holdoff', 25_000),
  };
}

/** Limits, waits and costs of a run (spec srcu 3.2, 3.3, 11.1); of costs that are ranges the middle. */
export function srcuConstants(config: SimConfig, rules: RuleSet): SrcuConstants {
  return constantsWith(fixedCosts(config.machine, meanNs), config, rules);
}

/** The same for the engine: costs that are ranges are drawn at every use. */
export function liveSrcuConstants(costs: Costs, config: SimConfig, rules: RuleSet): SrcuConstants {
  const constants = constantsWith(costs, config, rules);
  if (!passesVary(config.machine)) return constants;
  const names = ['retryNs', 'secondRetryNs', 'passFirstCheckNs', 'checkNs', 'passLoopNs'] as const;
  for (const name of names) {
    Object.defineProperty(constants, name, { get: () => constantsWith(costs, config, rules)[name] });
  }
  return constants;
}
