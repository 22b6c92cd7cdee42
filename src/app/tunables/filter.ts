import { createContext, useContext } from 'react';

/** What was typed in the filter box, in lower case; empty: everything is shown. */
export const FilterContext = createContext('');
/** Title of the group around a tunable: the filter finds a group as a whole. */
export const GroupContext = createContext('');

export function useFilter(): string {
  return useContext(FilterContext);
}

/** Whether a tunable of this name is shown. */
export function useIsShown(name: string): boolean {
  const filter = useFilter();
  const group = useContext(GroupContext);
  return [name, group].some((text) => text.toLowerCase().includes(filter));
}
