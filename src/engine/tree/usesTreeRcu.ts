/** Which runs have Tree RCU in them. */
import { type Actor, isRcuApi, type SimConfig } from '../config.ts';

function usesRcu(actor: Actor): boolean {
  if (actor.kind === 'reader') return actor.domain === 'rcu';
  return actor.kind === 'updater' && isRcuApi(actor.api);
}

/** True if an actor reads or waits for Tree RCU. */
export function usesTreeRcu(config: SimConfig): boolean {
  return config.actors.some(usesRcu);
}
