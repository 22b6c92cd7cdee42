/** What a kernel parameter comes to in a configuration: one line for people. */
import type { SimConfig } from '../engine/index.ts';
import { buildOf } from '../engine/profiles/kernelParams.ts';
import { resolveRules } from '../engine/profiles/profiles.ts';
import { srcuConstants } from '../engine/srcu/constants.ts';
import { effectiveConvertToBig } from '../engine/srcu/params.ts';
import { SCHED_QS_NOT_GIVEN } from '../engine/tree/params.ts';
import { findBootParam } from './bootParams.ts';
import { describeRcuParam } from './describeRcuParam.ts';
import { defaultParam, findParam, whyNoParam } from './paramSet.ts';
import { type PollingModel, passPeriodNs, type WindowEnd, windowRange } from './pollWindow.ts';
import { shortTime } from './shortTime.ts';

/** What the page says about a parameter. */
export interface ParamDescription {
  /** What its value comes to, usually in ms. */
  readonly meaning: string;
  /** The kernel's default in this configuration; undefined if the kernel lacks it, has no limit, or computes it. */
  readonly defaultValue: number | string | undefined;
}

/** The polling model of a configuration (spec srcu 4.1, 11.1). */
export function pollingModelOf(config: SimConfig): PollingModel {
  const rules = resolveRules(config.kernel, config.rules);
  const { retryNs, secondRetryNs, passLoopNs, phaseLimit, jiffyLimit } = srcuConstants(config, rules);
  const tickNs = Math.floor(1e9 / config.hz);
  return { tickNs, retryNs, secondRetryNs, passNs: passLoopNs, phaseLimit, jiffyLimit, rules };
}

const END_WORDS: Readonly<Record<WindowEnd, string>> = {
  phase: 'this limit',
  jiffy: 'srcu_max_nodelay',
  age: 'the age of the grace period',
};

function phaseMeaning(model: PollingModel): string {
  const range = windowRange(model);
  if (range === undefined) return 'nothing ends the polling of an expedited grace period';
  const { minNs, maxNs, endedBy } = range;
  const span = minNs === maxNs ? shortTime(minNs) : `${shortTime(minNs)} to ${shortTime(maxNs)}`;
  return `polls for ${span} before the first sleep; ${endedBy.map((end) => END_WORDS[end]).join(' or ')} ends it`;
}

function jiffyMeaning(model: PollingModel): string {
  const passes = Math.max(model.jiffyLimit, 1) + 1;
  const ns = passes * passPeriodNs(model);
  const total = `${passes} passes of ${shortTime(passPeriodNs(model))} are ${shortTime(ns)}`;
  if (ns > model.tickNs)
    return `${total}: more than a jiffy of ${shortTime(model.tickNs)}, so it never bites`;
  return `${total} of a jiffy of ${shortTime(model.tickNs)}`;
}

function retryMeaning(model: PollingModel): string {
  const { retryNs, secondRetryNs, passNs } = model;
  const waits =
    retryNs === secondRetryNs
      ? `two busy-waits of ${shortTime(retryNs)}`
      : `busy-waits of ${shortTime(retryNs)} and ${shortTime(secondRetryNs)}`;
  return `a pass takes ${shortTime(passPeriodNs(model))}: ${waits}, and ${shortTime(passNs)} of work`;
}

function sizeMeaning(config: SimConfig): string {
  const { params, cpus } = config;
  const set = Number(params['srcutree.convert_to_big']);
  const effective = effectiveConvertToBig(set, Number(params['srcutree.big_cpu_lim']), cpus);
  const where =
    effective % 16 === 1
      ? 'big from the start: callbacks on the CPU that queues them'
      : 'small: callbacks on CPU 0';
  return `reads ${effective} after boot with ${cpus} CPUs; domains are ${where}`;
}

function meaningOf(name: string, config: SimConfig): string {
  const model = pollingModelOf(config);
  switch (name) {
    case 'srcutree.srcu_max_nodelay_phase':
      return phaseMeaning(model);
    case 'srcutree.srcu_max_nodelay':
      return jiffyMeaning(model);
    case 'srcutree.srcu_retry_check_delay':
    case 'experiment.second_retry_delay':
      return retryMeaning(model);
    case 'srcutree.exp_holdoff': {
      const ns = Number(config.params[name]);
      if (ns === 0) return 'synchronize_srcu() is never expedited by itself';
      return `synchronize_srcu() is normal within ${shortTime(ns)} of the end of the last grace period`;
    }
    case 'srcutree.convert_to_big':
    case 'srcutree.big_cpu_lim':
      return sizeMeaning(config);
    case 'srcutree.small_contention_lim':
      return 'no effect here: lock contention is not simulated';
    default:
      return describeRcuParam(name, config) ?? 'no effect on timing';
  }
}

/**
 * Describes a parameter, those without a prefix included; undefined for unknown names. Where the kernel lacks it,
 * `meaning` says so.
 */
export function describeParam(name: string, config: SimConfig): ParamDescription | undefined {
  const param = findParam(name);
  if (param === undefined) {
    const boot = findBootParam(name);
    if (boot === undefined) return undefined;
    return { meaning: describeRcuParam(name, config) ?? boot.help, defaultValue: undefined };
  }
  const build = buildOf(config);
  const value = defaultParam(name, build);
  const why = whyNoParam(param, build);
  return {
    meaning: why ?? meaningOf(name, config),
    defaultValue: why === undefined && value !== SCHED_QS_NOT_GIVEN ? value : undefined,
  };
}
