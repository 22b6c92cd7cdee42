/** Which runs have Tree RCU in them. */
import { type Actor, isRcuApi, type SimConfig, usesTasks } from '../config.ts';

function usesRcu(actor: Actor): boolean {
  if (actor.kind === 'reader') return actor.domain === 'rcu';
  return usesKvfreeActor(actor) || (actor.kind === 'updater' && isRcuApi(actor.api));
}

function usesKvfreeActor(actor: Actor): boolean {
  return actor.kind === 'kfree' || (actor.kind === 'updater' && actor.api === 'kvfree_rcu_barrier');
}

/** True if an actor queues objects with kvfree_rcu() or waits for them. */
export function usesKvfree(config: SimConfig): boolean {
  return config.actors.some(usesKvfreeActor);
}

/** True if an actor reads or waits for Tree RCU, or for RCU Tasks, which waits for Tree RCU itself. */
export function usesTreeRcu(config: SimConfig): boolean {
  return config.actors.some(usesRcu) || usesTasks(config.actors);
}
