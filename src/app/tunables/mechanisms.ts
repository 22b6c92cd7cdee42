import { useShallow } from 'zustand/react/shallow';
import { usesKvfree, usesRcu, usesSrcu, usesTasks } from '../../engine/index.ts';
import { useSetup } from '../session.ts';
import type { Setup } from '../setup.ts';

/** Whose tunables are shown. */
export interface Mechanisms {
  readonly srcu: boolean;
  readonly rcu: boolean;
  readonly kvfree: boolean;
  readonly tasks: boolean;
}

/** What the actors use; SRCU where they use nothing. */
export function useMechanisms(): Mechanisms {
  return useSetup(
    useShallow(({ config: { actors } }: Setup) => {
      const rcu = usesRcu(actors);
      const srcu = !rcu || usesSrcu(actors);
      return { rcu, srcu, kvfree: usesKvfree(actors), tasks: usesTasks(actors) };
    }),
  );
}
