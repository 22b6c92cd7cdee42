import { useConfig } from '../session.ts';

/**
 * True in the boot storm, where start, number of calls, gap and cost of a pass were chosen by reported runs
 * (docs/model/srcu.md §8.3, 8.6); everything else in it is predicted.
 */
export function useIsFitted(): boolean {
  return useConfig((state) => state.scenario.startsWith('boot-storm'));
}
