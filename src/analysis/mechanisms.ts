/** Which mechanisms a run has. */
import { type Actor, usesKvfree, usesRcu, usesSrcu, usesTasks } from '../engine/config.ts';

/** Whose grace periods, calls and objects a run is about. */
export interface Mechanisms {
  readonly srcu: boolean;
  readonly rcu: boolean;
  readonly kvfree: boolean;
  readonly tasks: boolean;
}

/** What the actors use, Tree RCU also by way of kvfree_rcu() and RCU Tasks; SRCU where they use nothing. */
export function mechanismsOf(actors: readonly Actor[]): Mechanisms {
  const rcu = usesRcu(actors);
  const srcu = !rcu || usesSrcu(actors);
  return { rcu, srcu, kvfree: usesKvfree(actors), tasks: usesTasks(actors) };
}
