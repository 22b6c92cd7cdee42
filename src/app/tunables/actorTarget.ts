import type { Actor } from '../../engine/index.ts';
import { isSameValue } from '../../state/isSameValue.ts';
import { useSession, useSetup } from '../session.ts';
import type { Target } from './target.ts';

/** What the tunables of one actor take: the actor and its place in the list. */
export interface ActorProps<A extends Actor = Actor> {
  readonly actor: A;
  readonly index: number;
}
/** The same for actors of one kind. */
export type ActorOf<K extends Actor['kind']> = ActorProps<Extract<Actor, { kind: K }>>;

const keyOf = (actor: Actor | undefined, key: string): unknown =>
  (actor as Readonly<Record<string, unknown>> | undefined)?.[key];

/**
 * One key of one actor. Actors replace the scenario's as a whole, so every change writes them all. `dependents` are
 * keys that go back to their defaults with it. Null takes the key away.
 */
export function useActorTarget(index: number, key: string, dependents: readonly string[] = []): Target {
  const { config, setup, drag } = useSession();
  const isChanged = useSetup(
    ({ config: now, base }) =>
      now.actors !== base.actors &&
      !isSameValue(keyOf(now.actors[index], key), keyOf(base.actors[index], key)),
  );
  const actorsWith = (value: unknown): readonly Actor[] => {
    const { config: now, base } = setup.getState();
    const next = value === undefined ? keyOf(base.actors[index], key) : value;
    return now.actors.map((actor, i) => {
      if (i !== index) return actor;
      const changed: Record<string, unknown> = { ...actor, [key]: next };
      if (next === null || next === undefined) delete changed[key];
      for (const other of dependents) delete changed[other];
      return changed as unknown as Actor;
    });
  };
  return {
    isChanged,
    set: (value) => config.setValue(['actors'], actorsWith(value)),
    drag: (value) => drag.step(() => config.dragValue(['actors'], actorsWith(value))),
  };
}
