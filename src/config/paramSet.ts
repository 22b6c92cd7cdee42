/** Which kernel parameters a configuration may set, and what a kernel's complete set is. */
import { type Build, kernelHasParam, type ParamInfo } from '../engine/profiles/kernelParams.ts';
import { defaultKvfreeParam, KVFREE_PARAMS } from '../engine/profiles/kvfreeParams.ts';
import { PROFILES, type ProfileId } from '../engine/profiles/profiles.ts';
import { defaultTasksParam, TASKS_PARAMS } from '../engine/profiles/tasksParams.ts';
import { defaultSrcuParam, SRCU_PARAMS } from '../engine/srcu/params.ts';
import { defaultRcuParam, effectiveRcuParam, RCU_PARAMS, schedQsJiffies } from '../engine/tree/params.ts';
import { canonicalBootValue, findBootParam } from './bootParams.ts';
import { whyParameterIsIgnored } from './ignoredParams.ts';
import { defaultInertParam, INERT_PARAMS, type InertParam } from './inertParams.ts';
import { isReadable, parseParamText } from './paramValue.ts';
import { createProblem, type Problem } from './problem.ts';
import { whyAbsent } from './whyAbsent.ts';

/** Parameters that decide runs, and those that change none. */
const ALL_PARAMS: readonly ParamInfo[] = [
  ...SRCU_PARAMS,
  ...RCU_PARAMS,
  ...KVFREE_PARAMS,
  ...TASKS_PARAMS,
  ...INERT_PARAMS,
];
const BY_NAME = new Map(ALL_PARAMS.map((param) => [param.name, param]));

/** The one that can only be read: boot computes it, whatever it is set to. */
export const SCHED_QS_SHOWN: ParamInfo = {
  name: 'rcutree.jiffies_to_sched_qs',
  unit: 'jiffies',
  min: 0,
  max: Number.MAX_SAFE_INTEGER,
  since: 'v5.4',
  help: 'for reading only: jiffies_till_sched_qs, or what is computed where that was not given',
};

/** The parameter of this name (underscores), or undefined. */
export function findParam(name: string): ParamInfo | undefined {
  return BY_NAME.get(name);
}

/** The parameter of this name that changes no run, or undefined. */
export function findInertParam(name: string): InertParam | undefined {
  return INERT_PARAMS.find((param) => param.name === name);
}

/** Parameters that a kernel has, those of SRCU first. */
export function paramsOf({ kernel, rules }: Pick<Build, 'kernel' | 'rules'>): ParamInfo[] {
  return ALL_PARAMS.filter((param) => kernelHasParam(kernel, param, rules));
}

/** Why this kernel does not have a parameter; undefined where it has. */
export function whyNoParam(
  param: ParamInfo,
  { kernel, rules }: Pick<Build, 'kernel' | 'rules'>,
): string | undefined {
  if (kernelHasParam(kernel, param, rules)) return undefined;
  const takenBy = kernelHasParam(kernel, param) ? param.rule?.id : undefined;
  return whyAbsent({ kernel, releases: releasesOf(param), takenBy });
}

/** "v5.19-patch-v1 and later", "v5.19-fix4 only": for the page and for messages. */
export function releasesOf(param: ParamInfo): string {
  if (param.only !== undefined) return `${param.only.join(', ')} only`;
  const early = PROFILES.filter(
    ({ id }) => /^v/.test(id) && kernelHasParam(id, param) && position(id) < position(param.since),
  );
  const also = early.length === 0 ? '' : `, and ${early.map(({ id }) => id).join(', ')}`;
  return `${param.since} and later${also}`;
}

function position(kernel: ProfileId): number {
  return PROFILES.findIndex((profile) => profile.id === kernel);
}

/** Values that the kernel leaves as they are. */
export function rangeOf({ min, max }: ParamInfo, hz: number): { readonly min: number; readonly max: number } {
  return { min, max: max === 'HZ' ? hz : max };
}

/** "0 to 2^53-1". */
export function rangeText({ min, max }: { readonly min: number; readonly max: number }): string {
  const most = new Map([
    [Number.MAX_SAFE_INTEGER, '2^53-1'],
    [2 ** 31 - 1, '2^31-1'],
  ]);
  return `${min === -(2 ** 31) ? '-2^31' : min} to ${most.get(max) ?? max}`;
}

/** What the values of a parameter may be, for messages. */
function allowedValues(param: ParamInfo, hz: number): string {
  if (param.type === 'bool') return 'Y or N (1 or 0, true or false)';
  return `a whole number from ${rangeText(rangeOf(param, hz))}${param.unit === '' ? '' : ` (${param.unit})`}`;
}

/** The default of a parameter as it is before boot works on it; undefined where there is none, or no limit. */
export function defaultParam(name: string, build: Build): number | string | undefined {
  const inert = findInertParam(name);
  if (inert !== undefined) return defaultInertParam(inert, build);
  const value =
    defaultSrcuParam(name, build.rules, build.hz) ??
    defaultRcuParam(name, build) ??
    defaultKvfreeParam(name) ??
    defaultTasksParam(name, build);
  return value === Number.POSITIVE_INFINITY ? undefined : value;
}

/** What a kernel has where nothing is given; parameters without a value (no limit) or without effect are absent. */
export function defaultParams(build: Build): Record<string, number | string> {
  const result: Record<string, number | string> = {};
  for (const { name } of paramsOf(build)) {
    const value = findInertParam(name) === undefined ? defaultParam(name, build) : undefined;
    if (value !== undefined) result[name] = value;
  }
  return result;
}

/** True for the value that stands for what boot computes: rcu_normal_wake_from_gp=-1, the default where there is one. */
function isLeftToBoot(name: string, value: unknown, { rules }: Build): boolean {
  return (
    name === 'rcutree.rcu_normal_wake_from_gp' && value === -1 && rules['tree.wakeDefault'] === 'by-cpus'
  );
}

/** What given parameters read after boot. */
export function afterBoot(
  params: Readonly<Record<string, number | string>>,
  build: Build,
): Record<string, number | string> {
  const entries = Object.entries(params).map(([name, value]) => {
    const isLeft = isLeftToBoot(name, value, build);
    return [name, isLeft ? (defaultParam(name, build) ?? value) : value] as const;
  });
  return Object.fromEntries(entries);
}

/** jiffies_to_sched_qs with these parameters. */
export function shownSchedQs(params: Readonly<Record<string, unknown>>, { hz, cpus }: Build): number {
  const given = params['rcutree.jiffies_till_sched_qs'];
  if (typeof given === 'number') return given;
  const wait = (name: string) => Number(params[`rcutree.jiffies_till_${name}_fqs`]);
  return schedQsJiffies(hz, cpus, wait('first'), wait('next'));
}

/** The fault in a boot parameter at `path`, with what the kernel makes of it; undefined if there is none, or if it is another parameter. */
export function checkBootParam(
  path: string,
  name: string,
  value: unknown,
  cpus: number,
): Problem | undefined {
  const read = findBootParam(name)?.read(value, cpus);
  if (read === undefined || read.ok) return undefined;
  const { why, effective } = read;
  if (effective === undefined) return createProblem(path, value, why);
  return { ...createProblem(path, value, `${why}; the kernel makes it ${effective}`), effective };
}

/** What the kernel makes of a number; undefined where it would not work at all. */
function effectiveParam(param: ParamInfo, value: number, build: Build): number | undefined {
  if (SRCU_PARAMS.includes(param)) return value;
  return effectiveRcuParam(param, value, build);
}

/** The fault in setting `name` to `value` on this build, or undefined. `path` is where it stands. */
export function checkParam(path: string, name: string, value: unknown, build: Build): Problem | undefined {
  if (findBootParam(name) !== undefined) return checkBootParam(path, name, value, build.cpus);
  if (name === SCHED_QS_SHOWN.name) {
    return createProblem(
      path,
      value,
      'for reading only: set jiffies_till_sched_qs, from which it is computed',
    );
  }
  const param = findParam(name);
  if (param === undefined) return createProblem(path, value, whyParameterIsIgnored(name).reason);
  const why = whyNoParam(param, build);
  if (why !== undefined) return createProblem(path, value, why, true);
  if (isLeftToBoot(name, value, build)) return undefined;
  // A default beyond 2^53-1 is text, and a complete configuration may be read again.
  if (typeof value === 'string' && value === defaultParam(name, build)) return undefined;
  const allowed = allowedValues(param, build.hz);
  if (!isReadable(param, value)) return createProblem(path, value, allowed);
  const effective = effectiveParam(param, value, build);
  if (effective === value) return undefined;
  if (effective === undefined) return createProblem(path, value, allowed);
  return { ...createProblem(path, value, `${allowed}; the kernel makes it ${effective}`), effective };
}

/** A value in the kernel's own syntax ("0x10", "1", "Y") as the number it is; any other value as it is. */
export function canonicalParam(name: string, value: unknown): unknown {
  if (findBootParam(name) !== undefined) return canonicalBootValue(name, value);
  const param = findParam(name);
  if (param === undefined) return value;
  if (param.type === 'bool' && typeof value === 'boolean') return value ? 1 : 0;
  if (typeof value !== 'string') return value;
  const read = parseParamText(param, value);
  return read.ok ? read.value : value;
}
