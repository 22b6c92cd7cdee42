/** Colours and root font size of the page, followed through theme switches. */
import { type RefObject, useEffect, useState } from 'react';
import { type Palette, paletteOf } from './palette.ts';

export interface PageStyle {
  readonly palette: Palette;
  /** Size of 1rem in px. */
  readonly remPx: number;
}

function read(element: Element): PageStyle {
  const style = getComputedStyle(element);
  const remPx = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return { palette: paletteOf((variable) => style.getPropertyValue(variable)), remPx: remPx || 16 };
}

/** The style in force at an element, undefined before it is mounted. Read anew when the theme or the colour scheme changes. */
export function usePageStyle(element: RefObject<HTMLElement | null>): PageStyle | undefined {
  const [style, setStyle] = useState<PageStyle>();
  useEffect(() => {
    const update = () => {
      if (element.current) setStyle(read(element.current));
    };
    update();
    const observer = new MutationObserver(update);
    observer.observe(document.documentElement, {
      attributes: true,
      attributeFilter: ['data-theme', 'class', 'style'],
    });
    const scheme = matchMedia('(prefers-color-scheme: light)');
    scheme.addEventListener('change', update);
    return () => {
      observer.disconnect();
      scheme.removeEventListener('change', update);
    };
  }, [element]);
  return style;
}
