/** Which kernel has which update-side call. */
import type { UpdaterApi } from '../engine/config.ts';
import { PROFILES, type ProfileId, type RuleSet, resolveRules } from '../engine/profiles/profiles.ts';

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

/** True if this kernel has RCU Tasks Rude and RCU Tasks Trace. */
export function kernelHasTasksFlavours(kernel: ProfileId): boolean {
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
      return kernelHasFullCookies(rules);
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

/** True if polled calls of Tree RCU take full cookies too. */
export function kernelHasFullCookies(rules: RuleSet): boolean {
  return rules['tree.polled'] === 'gp-seq-polled';
}

/** The profiles that have a call: "v5.18 and later", "all". */
export function releasesOfApi(api: UpdaterApi): string {
  const first = PROFILES.find(({ id }) => kernelHasApi(id, api));
  return first === PROFILES[0] ? 'all' : `${first?.id} and later`;
}

/** The profiles with full cookies. */
export function releasesOfFullCookies(): string {
  return `${PROFILES.find(({ rules }) => kernelHasFullCookies(rules))?.id} and later`;
}

/** The profiles with the one-argument form of kvfree_rcu(). */
export function releasesOfOneArgument(): string {
  return `${PROFILES.find(({ rules }) => rules['kvfree.oneArg'] === 'yes')?.id} and later`;
}

/** The profiles with RCU Tasks Rude and RCU Tasks Trace. */
export function releasesOfTasksFlavours(): string {
  return `${PROFILES.find(({ id }) => kernelHasTasksFlavours(id))?.id} and later`;
}
