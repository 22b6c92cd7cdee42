/** Which kernel parameters a configuration may set, and what a kernel's complete set is. */
import { PROFILES, type ProfileId, type RuleSet } from '../engine/profiles/profiles.ts';
import { defaultSrcuParam, kernelHasParam, type ParamInfo, SRCU_PARAMS } from '../engine/srcu/params.ts';
import { canonicalBootValue, findBootParam } from './bootParams.ts';
import { whyParameterIsIgnored } from './ignoredParams.ts';
import { createProblem, type Problem } from './problem.ts';
import { parseUnsignedLong } from './unsignedLong.ts';

/** The parameter of this name (underscores), or undefined. */
export function findParam(name: string): ParamInfo | undefined {
  return SRCU_PARAMS.find((param) => param.name === name);
}

/** Parameters that a kernel has, in the order of the kernel's documentation. */
export function paramsOf(kernel: ProfileId): ParamInfo[] {
  return SRCU_PARAMS.filter((param) => kernelHasParam(kernel, param));
}

/** "v5.19-patch-v1 and later", "v5.19-fix4 only": for the page and for messages. */
export function releasesOf(param: ParamInfo): string {
  if (param.only !== undefined) return `${param.only.join(', ')} only`;
  const early = PROFILES.filter(
    ({ id }) => kernelHasParam(id, param) && position(id) < position(param.since),
  );
  const also = early.length === 0 ? '' : `, and ${early.map(({ id }) => id).join(', ')}`;
  return `${param.since} and later${also}`;
}

function position(kernel: ProfileId): number {
  return PROFILES.findIndex((profile) => profile.id === kernel);
}

/** "0 to 2^53-1". */
export function rangeText({ min, max }: Pick<ParamInfo, 'min' | 'max'>): string {
  return `${min} to ${max === Number.MAX_SAFE_INTEGER ? '2^53-1' : max}`;
}

/** What the values of a parameter may be, for messages. */
function allowedValues(param: ParamInfo): string {
  return `a whole number from ${rangeText(param)}${param.unit === '' ? '' : ` (${param.unit})`}`;
}

/** What a kernel has where nothing is given; parameters without a value (no limit) are absent. */
export function defaultParams(
  kernel: ProfileId,
  rules: RuleSet,
  hz: number,
): Record<string, number | string> {
  const result: Record<string, number | string> = {};
  for (const { name } of paramsOf(kernel)) {
    const value = defaultSrcuParam(name, rules, hz);
    if (value !== undefined && value !== Number.POSITIVE_INFINITY) result[name] = value;
  }
  return result;
}

/** The fault in a boot parameter, or undefined. */
function checkBootParam(path: string, name: string, value: unknown, cpus: number): Problem | undefined {
  const read = findBootParam(name)?.read(value, cpus);
  if (read === undefined || read.ok) return undefined;
  const { why, effective } = read;
  if (effective === undefined) return createProblem(path, value, why);
  return { ...createProblem(path, value, `${why}; the kernel makes it ${effective}`), effective };
}

/** The fault in setting `name` to `value` on a kernel with so many CPUs, or undefined. `path` is where it stands. */
export function checkParam(
  path: string,
  name: string,
  value: unknown,
  { kernel, cpus }: { readonly kernel: ProfileId; readonly cpus: number },
): Problem | undefined {
  if (findBootParam(name) !== undefined) return checkBootParam(path, name, value, cpus);
  const param = findParam(name);
  if (param === undefined) return createProblem(path, value, whyParameterIsIgnored(name).reason);
  if (!kernelHasParam(kernel, param)) {
    return createProblem(path, value, `kernel ${kernel} does not have it (${releasesOf(param)})`, true);
  }
  const isInRange =
    Number.isInteger(value) && (value as number) >= param.min && (value as number) <= param.max;
  // A default beyond 2^53-1 is text, and a complete configuration may be read again.
  const isDefaultText = typeof value === 'string' && value === textDefault(name);
  return isInRange || isDefaultText ? undefined : createProblem(path, value, allowedValues(param));
}

/** A value in the kernel's own syntax ("0x10", "1") as the number it is; any other value as it is. */
export function canonicalParam(name: string, value: unknown): unknown {
  if (findBootParam(name) !== undefined) return canonicalBootValue(name, value);
  if (typeof value !== 'string' || findParam(name) === undefined) return value;
  const number = parseUnsignedLong(value);
  return number.ok ? number.value : value;
}

function textDefault(name: string): string | undefined {
  const rules = PROFILES.at(-1)?.rules as RuleSet;
  const value = defaultSrcuParam(name, rules, 250);
  return typeof value === 'string' ? value : undefined;
}
