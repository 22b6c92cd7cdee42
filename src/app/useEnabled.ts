import { useSyncExternalStore } from 'react';
import type { Action } from './actions.ts';
import { useSession } from './session.ts';

/** Whether an action can be done now, followed. */
export function useEnabled(action: Action): boolean {
  const session = useSession();
  return useSyncExternalStore(
    (onChange) => {
      const stops = [session.config, session.view, session.run].map((store) => store.subscribe(onChange));
      return () => {
        for (const stop of stops) stop();
      };
    },
    () => action.isEnabled(session),
  );
}
