/** Kernel parameters as such: what is known of one, and which kernel has it. */
import { PROFILES, type ProfileId, type RuleId, type RuleSet, resolveRules } from './profiles.ts';

/** One parameter. */
export interface ParamInfo {
  readonly name: string;
  /** How the kernel reads it; absent: an unsigned long. A bool is 1 or 0 in a configuration. */
  readonly type?: 'long' | 'int' | 'bool';
  readonly unit:
    | ''
    | 'us'
    | 'ns'
    | 'ms'
    | 's'
    | 'jiffies'
    | 'passes'
    | 'CPUs'
    | 'events'
    | 'callbacks'
    | 'pages';
  /** The least value that the kernel leaves as it is. */
  readonly min: number;
  /** The largest one; "HZ": as many jiffies as there are in a second. */
  readonly max: number | 'HZ';
  /** First profile that has it; all later ones do too, unless `only` names them. */
  readonly since: ProfileId;
  readonly only?: readonly ProfileId[];
  /** A kernel has it where this rule has one of these values, whatever its release. */
  readonly rule?: { readonly id: RuleId; readonly values: readonly string[] };
  /** One line. */
  readonly help: string;
}

/** What decides which parameters a kernel has and what they default to. */
export interface Build {
  readonly kernel: ProfileId;
  readonly rules: RuleSet;
  readonly hz: number;
  /** nr_cpu_ids. */
  readonly cpus: number;
  /** Build options that are set, names without CONFIG_. */
  readonly kconfig: Readonly<Record<string, boolean>>;
}

/** The build that a configuration, or a part of one, stands for. */
export function buildOf(
  config: Omit<Build, 'rules'> & { readonly rules: Readonly<Partial<Record<RuleId, string>>> },
): Build {
  const { kernel, hz, cpus, kconfig } = config;
  return { kernel, rules: resolveRules(kernel, config.rules), hz, cpus, kconfig };
}

const ORDER = PROFILES.map((profile) => profile.id);
/** Posted patches stand for the release they run as. */
function position(kernel: ProfileId): number {
  const runsAs = PROFILES.find((profile) => profile.id === kernel)?.runsAs as ProfileId | undefined;
  return ORDER.indexOf(/^v\d/.test(kernel) ? kernel : (runsAs ?? kernel));
}

/** True if this kernel has this parameter; `rules` are those in force where they are not its own. */
export function kernelHasParam(
  kernel: ProfileId,
  param: ParamInfo,
  rules: RuleSet = resolveRules(kernel, {}),
): boolean {
  if (param.rule !== undefined) return param.rule.values.includes(rules[param.rule.id]);
  if (param.only !== undefined) return param.only.includes(kernel);
  if (kernel === 'v5.19-fix4' && param.name === 'srcutree.srcu_max_nodelay_phase') return true;
  return position(kernel) >= ORDER.indexOf(param.since);
}
