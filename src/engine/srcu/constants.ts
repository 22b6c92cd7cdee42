/** The numbers that SRCU code works with, from the configuration. Times in ns. */
import type { SimConfig } from '../config.ts';
import type { SrcuConstants } from '../core/info.ts';
import type { Machine } from '../machine/presets.ts';
import type { RuleSet } from '../profiles/profiles.ts';
import { jiffyLimitOf, phaseLimitOf, RETRY_CHECK_DELAY_US } from './params.ts';

/** udelay(us) on this machine; udelay(0) takes nothing (spec srcu 11.1). */
export function udelayNs(machine: Machine, us: number): number {
  return us === 0 ? 0 : Math.round(machine.udelayBaseNs + machine.udelayPerUsNs * us);
}

function numberParam(config: SimConfig, name: string, otherwise: number): number {
  const value = config.params[name];
  return typeof value === 'number' ? value : otherwise;
}

/** Limits, waits and costs of a run (spec srcu 3.2, 3.3, 11.1). */
export function srcuConstants(config: SimConfig, rules: RuleSet): SrcuConstants {
  const { machine, hz } = config;
  const retryUs = numberParam(config, 'srcutree.srcu_retry_check_delay', RETRY_CHECK_DELAY_US);
  const secondUs = numberParam(config, 'experiment.second_retry_delay', retryUs);
  return {
    phaseLimit: numberParam(config, 'srcutree.srcu_max_nodelay_phase', phaseLimitOf(rules, hz)),
    jiffyLimit: numberParam(config, 'srcutree.srcu_max_nodelay', jiffyLimitOf(rules, hz)),
    retryNs: udelayNs(machine, retryUs) + machine.checkNs,
    secondRetryNs: udelayNs(machine, secondUs) + machine.checkNs,
    passFirstCheckNs: machine.passFirstCheckNs,
    checkNs: machine.checkNs,
    passLoopNs: machine.passLoopNs,
    expHoldoffNs: numberParam(config, 'srcutree.exp_holdoff', 25_000),
  };
}
