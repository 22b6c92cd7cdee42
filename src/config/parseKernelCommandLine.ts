/** A pasted kernel command line: what of it can be set here, and why the rest is ignored. */
import type { SimConfig } from '../engine/index.ts';
import { type Build, buildOf } from '../engine/profiles/kernelParams.ts';
import { type BootParam, findBootParam } from './bootParams.ts';
import { type RawWord, splitCommandLine } from './commandLineWords.ts';
import { completeConfig, DEFAULTS } from './completeConfig.ts';
import type { ConfigInput } from './configInput.ts';
import { describeParam } from './describeParam.ts';
import { whyParameterIsIgnored } from './ignoredParams.ts';
import { MAX_CPUS } from './machineFields.ts';
import { whyNoEffect } from './noEffect.ts';
import { checkParam, findParam, SCHED_QS_SHOWN } from './paramSet.ts';
import { paramText, parseParamText } from './paramValue.ts';
import { createProblem, type Problem, showName } from './problem.ts';
import { normaliseParamName } from './schema.ts';
import { parseUnsignedLong } from './unsignedLong.ts';

/** One word of the command line and what became of it. */
export interface CommandLineWord {
  /** As written, quotes removed. */
  readonly text: string;
  /** The parameter's name, dashes as underscores. */
  readonly name: string;
  /** Whether it is part of `input`, or has no effect here. */
  readonly fate: 'set' | 'ignored';
  /** Why it is ignored, or what to know about what was set; absent: nothing to say. */
  readonly why?: string;
  /** What a value that is set comes to, where `why` does not say it. */
  readonly comesTo?: string;
  /** True for parameters that have nothing to do with RCU: lists show these together. */
  readonly isForeign: boolean;
}

export interface ParsedCommandLine {
  /** What it sets, to be laid on a configuration. */
  readonly input: Pick<ConfigInput, 'params' | 'cpus' | 'preempt' | 'kconfig'>;
  /** Every word before "--", in order. */
  readonly words: readonly CommandLineWord[];
  /** What was ignored or needs saying, each a sentence. */
  readonly notices: readonly Problem[];
}

/** What one parameter does to a configuration. */
type Effect =
  | { readonly sets: ParsedCommandLine['input']; readonly why?: string }
  | { readonly ignored: string; readonly isForeign?: boolean };

/** What is said of all words together that have nothing to do with RCU. */
export const NOT_OF_RCU = 'not RCU parameters';
/** Longest command line that is read, characters; kernels take 2048 to 4096. */
export const MAX_COMMAND_LINE_CHARS = 64 * 1024;

const PREEMPT_MODES = ['full', 'voluntary', 'none'] as const;

function readPreempt(value: string): Effect {
  const preempt = PREEMPT_MODES.find((mode) => mode === value);
  if (preempt === undefined) return { ignored: `${PREEMPT_MODES.join(', ')} are simulated` };
  const why = 'needs CONFIG_PREEMPT_DYNAMIC, which is set too';
  return { sets: { preempt, kconfig: { PREEMPT_DYNAMIC: true } }, why };
}

function readCpuCount(value: string): Effect {
  const number = parseUnsignedLong(value);
  if (!number.ok) return { ignored: number.why };
  if (number.value === 0) return { ignored: '0 is no limit' };
  if (number.value > MAX_CPUS) return { ignored: `at most ${MAX_CPUS} CPUs are simulated` };
  return { sets: { cpus: number.value }, why: 'an upper limit to the kernel, the number of CPUs here' };
}

function readBootParam(param: BootParam, value: string | undefined, cpus: number): Effect {
  const { name } = param;
  // rcu_nocb_poll: whatever is given, even 0, switches polling on
  const isIgnored = name === 'rcu_nocb_poll' && value !== undefined;
  const read = param.read(isIgnored ? '' : (value ?? ''), cpus);
  if (read.ok) {
    const sets = { params: { [name]: read.value } };
    return isIgnored ? { sets, why: 'the kernel does not read its value' } : { sets };
  }
  if (read.effective === undefined) return { ignored: read.why };
  const why = `${read.why}; the kernel makes it ${read.effective}`;
  return { sets: { params: { [name]: read.effective } }, why };
}

function readParam(name: string, value: string | undefined, build: Build): Effect {
  const param = findParam(name);
  const fault = (given: unknown) => checkParam(name, name, given, build);
  if (param === undefined) {
    if (name === SCHED_QS_SHOWN.name) return { ignored: fault(value)?.allowed ?? '' };
    const { kind, reason } = whyParameterIsIgnored(name);
    return { ignored: reason, isForeign: kind === 'foreign' };
  }
  const number = parseParamText(param, value);
  const problem = fault(number.ok ? number.value : value);
  if (problem?.isAbsent) return { ignored: problem.allowed };
  if (!number.ok) return { ignored: number.why };
  if (problem === undefined) return { sets: { params: { [name]: number.value } } };
  if (problem.effective === undefined) return { ignored: problem.allowed };
  return { sets: { params: { [name]: problem.effective } }, why: problem.allowed };
}

/** The kernel and the machine that a command line is read for; what is absent has its default. */
type Booted = Pick<SimConfig, 'kernel' | 'cpus'> &
  Partial<Pick<SimConfig, 'hz' | 'rules' | 'kconfig' | 'machine'>>;

function effectOf(name: string, value: string | undefined, build: Build): Effect {
  const bootParam = findBootParam(name);
  if (bootParam !== undefined) return readBootParam(bootParam, value, build.cpus);
  if (name === 'nr_cpus') return readCpuCount(value ?? '');
  if (name === 'preempt') return readPreempt(value ?? '');
  return readParam(name, value, build);
}

function merge(a: ParsedCommandLine['input'], b: ParsedCommandLine['input']): ParsedCommandLine['input'] {
  const params = { ...a.params, ...b.params };
  const kconfig = { ...a.kconfig, ...b.kconfig };
  return {
    ...a,
    ...b,
    ...(Object.keys(params).length > 0 ? { params } : {}),
    ...(Object.keys(kconfig).length > 0 ? { kconfig } : {}),
  };
}

/** What the last nr_cpus= says, wherever it stands. */
function cpusOf(words: readonly RawWord[]): number | undefined {
  const last = words.findLast(({ name }) => normaliseParamName(name) === 'nr_cpus');
  const effect = last && readCpuCount(last.value ?? '');
  return effect !== undefined && 'sets' in effect ? effect.sets.cpus : undefined;
}

function isRcuParameter(written: string): boolean {
  const name = normaliseParamName(written);
  const isSet =
    findParam(name) !== undefined || findBootParam(name) !== undefined || name === SCHED_QS_SHOWN.name;
  return isSet || whyParameterIsIgnored(name).kind !== 'foreign';
}

/** The whole configuration that the line comes to, for judging single words. */
function configWith(booted: Booted, input: ParsedCommandLine['input']): SimConfig {
  const { kernel, cpus, hz = DEFAULTS.hz, rules = {}, kconfig, machine } = booted;
  const options = { ...kconfig, ...input.kconfig };
  const complete = completeConfig({ kernel, cpus, hz, rules, ...input, kconfig: options });
  return machine === undefined ? complete : { ...complete, machine };
}

/** Words that get a notice of what they come to. */
const REMARKABLE = [
  'rcu_nocbs',
  'nohz_full',
  'rcu_nocb_poll',
  'rcutree.rcu_nocb_gp_stride',
  'rcupdate.rcu_expedited',
];

/** What to know of a parameter that is set: notices, and otherwise only what its value comes to. */
function tell(name: string, config: SimConfig): { notice?: string; comesTo?: string } {
  const why = whyNoEffect(name, config);
  if (why !== undefined) return { notice: why };
  const described = describeParam(name, config);
  if (described === undefined) return {};
  const { meaning, defaultValue } = described;
  if (REMARKABLE.includes(name)) return { notice: meaning };
  const isOther = defaultValue !== undefined && defaultValue !== config.params[name];
  const param = findParam(name);
  const standard = param && isOther ? ` (default ${paramText(param, defaultValue)})` : '';
  return { comesTo: `${meaning}${standard}` };
}

/**
 * Reads a kernel command line as the kernel does (parse_args()): double quotes keep spaces, "--" ends it, a dash in
 * a name equals an underscore, the last of several wins. Never throws. `booted` decides which parameters exist, and
 * (unless the line has nr_cpus=) which CPUs a list may name.
 */
export function parseKernelCommandLine(text: string, booted: Booted): ParsedCommandLine {
  if (text.length > MAX_COMMAND_LINE_CHARS) {
    const why = `too long: at most ${MAX_COMMAND_LINE_CHARS} characters`;
    return { input: {}, words: [], notices: [createProblem('command line', `${text.slice(0, 20)}...`, why)] };
  }
  const { words: raw, remarks } = splitCommandLine(text, isRcuParameter);
  const notices = remarks.map(({ text: remarked, why }) => createProblem('command line', remarked, why));
  const last = new Map(raw.map(({ name }, i) => [normaliseParamName(name), i]));
  const { hz = DEFAULTS.hz, rules = {}, kconfig = {} } = booted;
  const build = buildOf({ kernel: booted.kernel, rules, hz, cpus: cpusOf(raw) ?? booted.cpus, kconfig });
  const effects = raw.map(({ name, value }) => effectOf(normaliseParamName(name), value, build));
  const isLast = (i: number) => last.get(normaliseParamName((raw[i] as RawWord).name)) === i;
  const input = effects.reduce<ParsedCommandLine['input']>(
    (all, effect, i) => ('sets' in effect && isLast(i) ? merge(all, effect.sets) : all),
    {},
  );
  const config = configWith(booted, input);
  const words = raw.map(({ name: written, value }, i): CommandLineWord => {
    const name = normaliseParamName(written);
    const shown = value === undefined ? written : `${written}=${value}`;
    const effect = effects[i] as Effect;
    const isForeign = 'ignored' in effect && effect.isForeign === true;
    const report = (
      fate: CommandLineWord['fate'],
      why: string | undefined,
      comesTo?: string,
    ): CommandLineWord => {
      if (why !== undefined && !isForeign) notices.push(createProblem(written, value, why));
      const said = { ...(why === undefined ? {} : { why }), ...(comesTo === undefined ? {} : { comesTo }) };
      return { text: shown, name, fate, isForeign, ...said };
    };
    if ('ignored' in effect) return report('ignored', effect.ignored);
    if (!isLast(i)) return report('ignored', 'given again later: the last one wins');
    const { notice, comesTo } = tell(name, config);
    const why = [effect.why, notice].filter((part) => part !== undefined).join('; ');
    return report('set', why === '' ? undefined : why, comesTo);
  });
  const foreign = words.filter((word) => word.isForeign).map((word) => showName(word.text));
  if (foreign.length > 0) notices.push(createProblem('command line', foreign.join(' '), NOT_OF_RCU));
  return { input, words, notices };
}
