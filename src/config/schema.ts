/**
 * The shape of a configuration: which keys there are, and what a single value may be. Ranges that depend on other
 * keys are checked in checkConfig.ts.
 */
import * as z from 'zod/mini';
import { MACHINE_ENTRY_IDS, PRESET_IDS } from '../engine/machine/presets.ts';
import { PROFILES, RULE_IDS, type RuleId, ruleWords } from '../engine/profiles/profiles.ts';
import { ACTOR_FIELDS, ACTOR_KINDS } from './actorFields.ts';
import type { ActorInput, ConfigInput } from './configInput.ts';
import {
  booleanField,
  durationField,
  type Field,
  integerField,
  lagField,
  rcuGpField,
  textField,
  wordField,
} from './fields.ts';
import { MACHINE_FIELDS, MAX_CPUS } from './machineFields.ts';
import { canonicalParam } from './paramSet.ts';
import { createProblem, joinPath, listOf, type Problem } from './problem.ts';

// zod's compiled parsers use Function(), which a strict content security policy forbids.
z.config({ jitless: true });

/** Ticks per second that kernels are built for. */
export const HZ = integerField(24, 1200);
/** jiffies at t = 0; jiffies at the end of the longest run are still safe integers. */
const MAX_START_JIFFIES = 2 ** 52;

const PROFILE_IDS = PROFILES.map((profile) => profile.id);

/** Build options that a configuration may name (docs/configuration.md). */
export const KCONFIG_NAMES = [
  'RCU_LAZY',
  'RCU_NOCB_CPU_DEFAULT_ALL',
  'NO_HZ_FULL',
  'PREEMPT_DYNAMIC',
  'PREEMPT_COUNT',
  'PROVE_RCU',
  'PREEMPT_RT',
  'RCU_BOOST',
  'RCU_EXP_KTHREAD',
  'DEBUG_OBJECTS_RCU_HEAD',
  'TASKS_TRACE_RCU_READ_MB',
] as const;

/** Machine keys that one pair of braces of a configuration may have, besides the entries. */
export const MACHINE_EXTRA_KEYS = ['preset', 'passNs'] as const;

type Schema = z.ZodMiniType<unknown>;

function schemaOf(field: Field<unknown>): Schema {
  return z.pipe(
    z.unknown(),
    z.transform((value, context) => {
      const result = field.read(value);
      if (result !== undefined) return result;
      context.issues.push({ code: 'custom', input: value, message: field.allowed });
      return z.NEVER;
    }),
  );
}

function optionalFields(fields: Readonly<Record<string, Field<unknown>>>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(fields).map(([key, field]) => [key, z.optional(schemaOf(field)) as unknown as Schema]),
  );
}

const OBJECT = { error: 'an object' };

function ruleField(id: RuleId): Field<string> {
  const words = ruleWords(id);
  const own = words.length === 0 ? '' : `, or ${listOf(words)}`;
  return {
    allowed: `the id of a profile (${PROFILE_IDS.join(', ')})${own}`,
    read: (value) => [...PROFILE_IDS, ...words].find((word) => word === value),
  };
}

/** What a parameter may be at all; which value of it is checked with its kernel (checkConfig.ts). */
const paramField: Field<number | string | boolean> = {
  allowed: 'a number or text',
  read: (value) =>
    typeof value === 'number' || typeof value === 'string' || typeof value === 'boolean' ? value : undefined,
};

/** Every key of a configuration but `actors`, which are read kind by kind. */
const TOP = {
  ...optionalFields({
    v: { allowed: '1, the version of this format', read: (value) => (value === 1 ? 1 : undefined) },
    scenario: textField,
    kernel: wordField(PROFILE_IDS),
    hz: HZ,
    startJiffies: integerField(0, MAX_START_JIFFIES),
    cpus: integerField(1, MAX_CPUS),
    preempt: wordField(['full', 'voluntary', 'none']),
    seed: integerField(0, Number.MAX_SAFE_INTEGER),
  }),
  rules: z.optional(
    z.strictObject(optionalFields(Object.fromEntries(RULE_IDS.map((id) => [id, ruleField(id)]))), OBJECT),
  ),
  params: z.optional(z.record(z.string(), schemaOf(paramField), OBJECT)),
  machine: z.optional(
    z.strictObject(
      optionalFields({ preset: wordField(PRESET_IDS), ...Object.fromEntries(MACHINE_FIELDS) }),
      OBJECT,
    ),
  ),
  initial: z.optional(
    z.strictObject(
      optionalFields({
        workerLagNs: lagField,
        migratorCpu: integerField(0, MAX_CPUS - 1),
        timekeeperCpu: integerField(0, MAX_CPUS - 1),
        gpKthreadCpu: integerField(0, MAX_CPUS - 1),
        rcuGp: rcuGpField,
        tasksUrgent: integerField(0, 3),
      }),
      OBJECT,
    ),
  ),
  kconfig: z.optional(
    z.strictObject(optionalFields(Object.fromEntries(KCONFIG_NAMES.map((id) => [id, booleanField]))), OBJECT),
  ),
  actors: z.optional(z.array(z.unknown(), { error: 'a list of actors' })),
  stop: z.optional(
    z.strictObject(
      optionalFields({
        afterNs: {
          allowed: `${durationField.allowed}, not 0`,
          read: (value) => durationField.read(value) || undefined,
        },
        whenDone: booleanField,
      }),
      OBJECT,
    ),
  ),
};

/** Keys of each object of the shape, for messages about unknown ones. */
const KEYS: Readonly<Record<string, readonly string[]>> = {
  '': Object.keys(TOP),
  rules: RULE_IDS,
  machine: [...MACHINE_EXTRA_KEYS, ...MACHINE_ENTRY_IDS],
  initial: ['workerLagNs', 'migratorCpu', 'timekeeperCpu', 'gpKthreadCpu', 'rcuGp', 'tasksUrgent'],
  kconfig: KCONFIG_NAMES,
  stop: ['afterNs', 'whenDone'],
};

/** What a configuration has to be before anything else. */
export const CONFIG_SHAPE = 'an object with the keys of a configuration';

const topSchema = z.strictObject(TOP, { error: CONFIG_SHAPE });
const actorSchemas = Object.fromEntries(
  Object.entries(ACTOR_FIELDS).map(([kind, { fields }]) => [
    kind,
    z.strictObject({ kind: z.unknown(), ...optionalFields(fields) }) as unknown as Schema,
  ]),
);

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) value = (value as Record<PropertyKey, unknown> | undefined)?.[key];
  return value;
}

/** Our sentence for each of zod's issues; `prefix` is where `root` stands in the whole. */
function toProblems(
  issues: readonly z.core.$ZodIssue[],
  root: unknown,
  prefix: string,
  keysOf: (path: string) => readonly string[],
): Problem[] {
  return issues.flatMap((issue) => {
    const path = issue.path.reduce<string>((at, key) => joinPath(at, key as string | number), prefix);
    const value = valueAt(root, issue.path);
    if (issue.code !== 'unrecognized_keys')
      return [{ ...createProblem(path, value, issue.message), isForm: true as const }];
    return issue.keys.map((key) => {
      const keyPath = joinPath(path, key);
      const why = `unknown key; allowed: ${keysOf(path).join(', ')}`;
      return createProblem(keyPath, valueAt(value, [key]), why);
    });
  });
}

function readActor(value: unknown, index: number, problems: Problem[]): ActorInput | undefined {
  const path = `actors[${index}]`;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    problems.push(createProblem(path, value, 'an actor: an object with kind'));
    return undefined;
  }
  const kind = (value as { kind?: unknown }).kind;
  const known = ACTOR_KINDS.find((word) => word === kind);
  if (known === undefined) {
    problems.push(createProblem(`${path}.kind`, kind, listOf(ACTOR_KINDS)));
    return undefined;
  }
  const { required, fields } = ACTOR_FIELDS[known];
  const missing = required.filter((key) => (value as Record<string, unknown>)[key] === undefined);
  for (const key of missing) {
    problems.push(createProblem(`${path}.${key}`, undefined, fields[key]?.allowed ?? ''));
  }
  const result = (actorSchemas[known] as Schema).safeParse(value);
  if (!result.success) {
    const keys = () => ['kind', ...Object.keys(fields)];
    for (const problem of toProblems(result.error.issues, value, path, keys)) problems.push(problem);
    return undefined;
  }
  return missing.length === 0 ? (withoutUndefined(result.data as object) as ActorInput) : undefined;
}

/** Removes keys that are present without a value, which JSON cannot say and TypeScript can. */
function withoutUndefined(value: object): object {
  return Object.fromEntries(Object.entries(value).filter(([, entry]) => entry !== undefined));
}

/** To the kernel a dash in a parameter's name is an underscore (parameq()). */
export function normaliseParamName(name: string): string {
  return name.replaceAll('-', '_');
}

function normaliseNames(params: unknown, problems: Problem[]): Record<string, number | string> | undefined {
  if (typeof params !== 'object' || params === null || Array.isArray(params)) return undefined;
  const result = new Map<string, unknown>();
  for (const [name, value] of Object.entries(params)) {
    const normal = normaliseParamName(name);
    if (result.has(normal)) problems.push(createProblem(`params.${name}`, value, `${normal} is given twice`));
    result.set(normal, canonicalParam(normal, value));
  }
  return Object.fromEntries(result) as Record<string, number | string>;
}

/** Reads a JSON value as a sparse configuration, durations turned into ns. Never throws. */
export function readInput(
  json: unknown,
): { readonly ok: true; readonly input: ConfigInput } | { readonly ok: false; readonly problems: Problem[] } {
  const result = topSchema.safeParse(json);
  const problems = result.success
    ? []
    : toProblems(result.error.issues, json, '', (path) => KEYS[path] ?? []);
  const list = (json as { actors?: unknown } | null | undefined)?.actors;
  const actors = Array.isArray(list) ? list.map((actor, i) => readActor(actor, i, problems)) : undefined;
  const params = normaliseNames((json as { params?: unknown } | null | undefined)?.params, problems);
  if (!result.success || problems.length > 0) return { ok: false, problems };
  const input = withoutUndefined({ ...result.data, params, actors });
  return { ok: true, input: input as ConfigInput };
}
