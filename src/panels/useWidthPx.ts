import { type RefObject, useLayoutEffect, useRef, useState } from 'react';

/** The width in CSS pixels of the element that gets `ref`; `initialPx` until it is known. */
export function useWidthPx<E extends Element>(initialPx: number): [RefObject<E | null>, number] {
  const ref = useRef<E>(null);
  const [widthPx, setWidthPx] = useState(initialPx);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const observer = new ResizeObserver(([entry]) => {
      // Rounded: a scroll bar that comes and goes by fractions must not make the chart oscillate.
      if (entry !== undefined) setWidthPx(Math.round(entry.contentRect.width));
    });
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, widthPx];
}
