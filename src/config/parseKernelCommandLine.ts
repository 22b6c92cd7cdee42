/** A pasted kernel command line: what of it can be set here, and why the rest is ignored. */
import type { ProfileId } from '../engine/profiles/profiles.ts';
import { kernelHasParam } from '../engine/srcu/params.ts';
import { type BootParam, findBootParam, NO_EFFECT } from './bootParams.ts';
import { type RawWord, splitCommandLine } from './commandLineWords.ts';
import type { ConfigInput } from './configInput.ts';
import { whyParameterIsIgnored } from './ignoredParams.ts';
import { findParam, releasesOf } from './paramSet.ts';
import { createProblem, type Problem, showName } from './problem.ts';
import { MAX_CPUS, normaliseParamName } from './schema.ts';
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
    const why = isIgnored ? `${NO_EFFECT}; the kernel does not read its value` : NO_EFFECT;
    return { sets: { params: { [name]: read.value } }, why };
  }
  if (read.effective === undefined) return { ignored: read.why };
  const why = `${read.why}; the kernel makes it ${read.effective}; ${NO_EFFECT}`;
  return { sets: { params: { [name]: read.effective } }, why };
}

function readParam(name: string, value: string | undefined, kernel: ProfileId): Effect {
  const param = findParam(name);
  if (param === undefined) {
    const { kind, reason } = whyParameterIsIgnored(name);
    return { ignored: reason, isForeign: kind === 'foreign' };
  }
  if (!kernelHasParam(kernel, param)) {
    return { ignored: `kernel ${kernel} does not have it (${releasesOf(param)})` };
  }
  const number = parseUnsignedLong(value ?? '');
  return number.ok ? { sets: { params: { [name]: number.value } } } : { ignored: number.why };
}

/** The kernel and the machine that a command line is read for. */
interface Booted {
  readonly kernel: ProfileId;
  readonly cpus: number;
}

function effectOf(name: string, value: string | undefined, { kernel, cpus }: Booted): Effect {
  const bootParam = findBootParam(name);
  if (bootParam !== undefined) return readBootParam(bootParam, value, cpus);
  if (name === 'nr_cpus') return readCpuCount(value ?? '');
  if (name === 'preempt') return readPreempt(value ?? '');
  return readParam(name, value, kernel);
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
  const isSet = findParam(name) !== undefined || findBootParam(name) !== undefined;
  return isSet || whyParameterIsIgnored(name).kind !== 'foreign';
}

/**
 * Reads a kernel command line as the kernel does (parse_args()): double quotes keep spaces, "--" ends it, a dash in
 * a name equals an underscore, the last of several wins. Never throws. `kernel` decides which parameters exist, `cpus`
 * (unless the line has nr_cpus=) which CPUs a list may name.
 */
export function parseKernelCommandLine(text: string, { kernel, cpus }: Booted): ParsedCommandLine {
  if (text.length > MAX_COMMAND_LINE_CHARS) {
    const why = `too long: at most ${MAX_COMMAND_LINE_CHARS} characters`;
    return { input: {}, words: [], notices: [createProblem('command line', `${text.slice(0, 20)}...`, why)] };
  }
  const { words: raw, remarks } = splitCommandLine(text, isRcuParameter);
  const notices = remarks.map(({ text: remarked, why }) => createProblem('command line', remarked, why));
  const last = new Map(raw.map(({ name }, i) => [normaliseParamName(name), i]));
  const booted = { kernel, cpus: cpusOf(raw) ?? cpus };
  let input: ParsedCommandLine['input'] = {};
  const words = raw.map(({ name: written, value }, i): CommandLineWord => {
    const name = normaliseParamName(written);
    const shown = value === undefined ? written : `${written}=${value}`;
    const effect = effectOf(name, value, booted);
    const isForeign = 'ignored' in effect && effect.isForeign === true;
    const report = (fate: CommandLineWord['fate'], why: string | undefined): CommandLineWord => {
      if (why !== undefined && !isForeign) notices.push(createProblem(written, value, why));
      return { text: shown, name, fate, isForeign, ...(why === undefined ? {} : { why }) };
    };
    if ('ignored' in effect) return report('ignored', effect.ignored);
    if (last.get(name) !== i) return report('ignored', 'given again later: the last one wins');
    input = merge(input, effect.sets);
    return report('set', effect.why);
  });
  const foreign = words.filter((word) => word.isForeign).map((word) => showName(word.text));
  if (foreign.length > 0)
    notices.push(createProblem('command line', foreign.join(' '), 'not RCU parameters'));
  return { input, words, notices };
}
