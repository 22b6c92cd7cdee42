import { useShallow } from 'zustand/react/shallow';
import { type Mechanisms, mechanismsOf } from '../../analysis/mechanisms.ts';
import { useSetup } from '../session.ts';
import type { Setup } from '../setup.ts';

/** Whose tunables and panels are shown. */
export function useMechanisms(): Mechanisms {
  return useSetup(useShallow(({ config: { actors } }: Setup) => mechanismsOf(actors)));
}
