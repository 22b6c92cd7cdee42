/** Which kernel has which update-side call. */
import type { UpdaterApi } from '../engine/config.ts';
import type { Build } from '../engine/profiles/kernelParams.ts';
import {
  PROFILES,
  type ProfileId,
  type RuleId,
  type RuleSet,
  resolveRules,
} from '../engine/profiles/profiles.ts';
import { whyAbsent } from './whyAbsent.ts';

/** The polled calls of SRCU came with 5.11; posted patches are of the time in their name. */
const WITHOUT_SRCU_POLLING: readonly ProfileId[] = [
  'v4.17',
  'v4.19',
  'v5.4',
  'v5.6',
  'v5.7',
  'v5.10',
  'tasks-2018-05-20',
  'kfree-bulk-2019-12-31',
];

/** The flavours Rude and Trace of RCU Tasks came with 5.7. */
const WITHOUT_TASKS_FLAVOURS: readonly ProfileId[] = [
  'v4.17',
  'v4.19',
  'v5.4',
  'v5.6',
  'tasks-2018-05-20',
  'kfree-bulk-2019-12-31',
];

function kernelHasTasksFlavours(kernel: ProfileId): boolean {
  return !WITHOUT_TASKS_FLAVOURS.includes(kernel);
}

/** True if this kernel has this call; `rules` are those in force where they are not its own. */
export function kernelHasApi(
  kernel: ProfileId,
  api: UpdaterApi,
  rules: RuleSet = resolveRules(kernel, {}),
): boolean {
  switch (api) {
    case 'start_poll_synchronize_srcu':
      return !WITHOUT_SRCU_POLLING.includes(kernel);
    case 'start_poll_synchronize_rcu':
      return rules['tree.polled'] !== 'get-cond';
    case 'start_poll_synchronize_rcu_expedited':
      return hasFullCookies(rules);
    case 'synchronize_rcu_tasks_rude':
    case 'synchronize_rcu_tasks_trace':
    case 'call_rcu_tasks_trace':
      return kernelHasTasksFlavours(kernel);
    case 'kvfree_rcu_barrier':
      return rules['kvfree.barrier'] === 'yes';
    default:
      return true;
  }
}

function hasFullCookies(rules: RuleSet): boolean {
  return rules['tree.polled'] === 'gp-seq-polled';
}

function hasOneArgument(rules: RuleSet): boolean {
  return rules['kvfree.oneArg'] === 'yes';
}

/** "v5.18 and later": from the first profile that has it on. */
function sinceFirst(has: (profile: (typeof PROFILES)[number]) => boolean): string {
  return `${PROFILES.find(has)?.id} and later`;
}

/** Calls that a kernel has or not by a rule. */
const RULE_OF_API: Readonly<Partial<Record<UpdaterApi, RuleId>>> = {
  start_poll_synchronize_rcu: 'tree.polled',
  start_poll_synchronize_rcu_expedited: 'tree.polled',
  kvfree_rcu_barrier: 'kvfree.barrier',
};

/** A kernel, and the rules in force. */
type Kernel = Pick<Build, 'kernel' | 'rules'>;

/** Why there is no such call; undefined where there is. */
export function whyNoApi(api: UpdaterApi, { kernel, rules }: Kernel): string | undefined {
  if (kernelHasApi(kernel, api, rules)) return undefined;
  const takenBy = kernelHasApi(kernel, api) ? RULE_OF_API[api] : undefined;
  return whyAbsent({ kernel, releases: sinceFirst(({ id }) => kernelHasApi(id, api)), takenBy });
}

function whyNot(
  has: (rules: RuleSet) => boolean,
  rule: RuleId,
  what: string,
  { kernel, rules }: Kernel,
): string | undefined {
  if (has(rules)) return undefined;
  const takenBy = has(resolveRules(kernel, {})) ? rule : undefined;
  return whyAbsent({ kernel, releases: sinceFirst((profile) => has(profile.rules)), takenBy }, what);
}

/** Why polled calls of Tree RCU take no full cookies; undefined where they do. */
export function whyNoFullCookies(kernel: Kernel): string | undefined {
  return whyNot(hasFullCookies, 'tree.polled', 'full cookies', kernel);
}

/** Why kvfree_rcu() has no one-argument form; undefined where it has. */
export function whyNoOneArgument(kernel: Kernel): string | undefined {
  return whyNot(hasOneArgument, 'kvfree.oneArg', 'the one-argument form', kernel);
}

/** Why there are no RCU Tasks Rude and RCU Tasks Trace; undefined where there are. */
export function whyNoTasksFlavours(kernel: ProfileId): string | undefined {
  if (kernelHasTasksFlavours(kernel)) return undefined;
  return whyAbsent({
    kernel,
    releases: sinceFirst(({ id }) => kernelHasTasksFlavours(id)),
    takenBy: undefined,
  });
}
