/** Which mechanisms a run has. */
import {
  type Actor,
  type SimConfig,
  usesExitSrcu,
  usesKvfree,
  usesRcu,
  usesSrcu,
  usesTasks,
} from '../engine/config.ts';
import { resolveRules } from '../engine/profiles/profiles.ts';

/** Whose grace periods, calls and objects a run is about. */
export interface Mechanisms {
  readonly srcu: boolean;
  readonly rcu: boolean;
  readonly kvfree: boolean;
  readonly tasks: boolean;
}

/** True if actors read or call SRCU themselves, or none uses anything; false if all there is of it stands inside RCU Tasks. */
export function areOfSrcu(actors: readonly Actor[]): boolean {
  return !usesRcu(actors) || usesSrcu(actors);
}

/**
 * What the actors use, Tree RCU also by way of kvfree_rcu() and RCU Tasks, SRCU also by way of classic RCU Tasks up to
 * 6.8; SRCU where they use nothing.
 */
export function mechanismsOf({
  actors,
  kernel,
  rules,
}: Pick<SimConfig, 'actors' | 'kernel' | 'rules'>): Mechanisms {
  const srcu = areOfSrcu(actors) || usesExitSrcu(actors, resolveRules(kernel, rules)['tasks.exit']);
  return { rcu: usesRcu(actors), srcu, kvfree: usesKvfree(actors), tasks: usesTasks(actors) };
}
