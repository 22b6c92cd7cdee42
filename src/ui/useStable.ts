import { useCallback, useLayoutEffect, useRef } from 'react';

/**
 * A function that stays the same from render to render and calls the newest `callback`: what memoised children are
 * given, so that a new closure alone does not draw them again. For events only, not for use while rendering.
 */
export function useStable<A extends unknown[], R>(callback: (...args: A) => R): (...args: A) => R {
  const newest = useRef(callback);
  useLayoutEffect(() => {
    newest.current = callback;
  });
  return useCallback((...args: A) => newest.current(...args), []);
}
