/** Which kernel parameters a configuration may set, and what a kernel's complete set is. */
import { PROFILES, type ProfileId, type RuleSet } from '../engine/profiles/profiles.ts';
import { defaultSrcuParam, kernelHasParam, type ParamInfo, SRCU_PARAMS } from '../engine/srcu/params.ts';
import { whyParameterIsIgnored } from './bootParameters.ts';
import { createProblem, type Problem } from './problem.ts';

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

/** What the values of a parameter may be, for messages. */
export function allowedValues(param: ParamInfo): string {
  const max = param.max === Number.MAX_SAFE_INTEGER ? '2^53-1' : String(param.max);
  const unit = param.unit === '' ? '' : ` (${param.unit})`;
  return `a whole number from ${param.min} to ${max}${unit}`;
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

/** The fault in setting `name` to `value` on this kernel, or undefined. `path` is where it stands. */
export function checkParam(
  path: string,
  name: string,
  value: unknown,
  kernel: ProfileId,
): Problem | undefined {
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

function textDefault(name: string): string | undefined {
  const rules = PROFILES.at(-1)?.rules as RuleSet;
  const value = defaultSrcuParam(name, rules, 250);
  return typeof value === 'string' ? value : undefined;
}
