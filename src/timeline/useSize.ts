/** The size of an element, followed through resizes. */
import { type RefObject, useLayoutEffect, useState } from 'react';

export interface Size {
  readonly widthPx: number;
  readonly heightPx: number;
}

/** Inner size of an element in CSS px; 0 x 0 before it is mounted. */
export function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ widthPx: 0, heightPx: 0 });
  useLayoutEffect(() => {
    const node = element.current;
    if (node === null) return undefined;
    const measure = () =>
      setSize((before) =>
        before.widthPx === node.clientWidth && before.heightPx === node.clientHeight
          ? before
          : { widthPx: node.clientWidth, heightPx: node.clientHeight },
      );
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(node);
    return () => observer.disconnect();
  }, [element]);
  return size;
}
