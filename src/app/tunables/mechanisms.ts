import { useShallow } from 'zustand/react/shallow';
import { areOfSrcu, type Mechanisms, mechanismsOf } from '../../analysis/mechanisms.ts';
import { useSetup } from '../session.ts';
import type { Setup } from '../setup.ts';

/** Whose tunables and panels are shown. */
export function useMechanisms(): Mechanisms {
  return useSetup(useShallow(({ config }: Setup) => mechanismsOf(config)));
}

/** Whether the requester model and new actors are those of SRCU. */
export function useAreOfSrcu(): boolean {
  return useSetup(({ config: { actors } }: Setup) => areOfSrcu(actors));
}
