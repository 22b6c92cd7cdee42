/** The colours of the page as the canvas needs them: read from the CSS variables, so that there is one place for them. */

/** CSS variables of the page, by meaning. */
const VARIABLES = {
  panel: '--panel',
  raised: '--raised',
  line: '--line',
  text: '--text',
  muted: '--muted',
  faint: '--faint',
  reader: '--reader',
  poll: '--poll',
  sleep: '--sleep',
  gp: '--gp',
  callback: '--callback',
  expedited: '--ipi',
  memory: '--memory',
  idle: '--idle',
  error: '--error',
} as const;

/** A colour by its meaning. */
export type ColourName = keyof typeof VARIABLES;

/** Colours as #rrggbb, and the font for text on the canvas. */
export interface Palette {
  readonly colours: Readonly<Record<ColourName, string>>;
  readonly font: string;
}

const NAMES = Object.keys(VARIABLES) as ColourName[];
/** What an unreadable variable becomes: visible on both themes, and clearly not meant. */
const UNKNOWN = '#808080';

/** The palette in force at an element, from `read` = name of a CSS variable -> its value. */
export function paletteOf(read: (variable: string) => string): Palette {
  const entries = NAMES.map((name) => {
    const value = read(VARIABLES[name]).trim();
    return [name, /^#[0-9a-f]{3}$|^#[0-9a-f]{6}$/i.test(value) ? longHex(value) : UNKNOWN] as const;
  });
  return {
    colours: Object.fromEntries(entries) as Record<ColourName, string>,
    font: read('--mono').trim() || 'monospace',
  };
}

function longHex(hex: string): string {
  if (hex.length === 7) return hex.toLowerCase();
  return `#${[...hex.slice(1)].map((digit) => digit + digit).join('')}`.toLowerCase();
}

/** Red, green and blue, 0..255, of #rrggbb. */
export function rgbOf(hex: string): readonly [number, number, number] {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** `share` of `over` on `under`, both #rrggbb: what a translucent fill would look like, as an opaque colour. */
export function mix(over: string, under: string, share: number): string {
  const a = rgbOf(over);
  const b = rgbOf(under);
  const channels = a.map((value, i) => Math.round(value * share + (b[i] ?? 0) * (1 - share)));
  return `#${channels.map((value) => value.toString(16).padStart(2, '0')).join('')}`;
}

/** WCAG relative luminance, 0..1. */
function luminance(hex: string): number {
  const [r, g, b] = rgbOf(hex).map((value) => {
    const v = value / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * (r ?? 0) + 0.7152 * (g ?? 0) + 0.0722 * (b ?? 0);
}

/** Black or white, whichever reads better on a fill. */
export function inkOn(hex: string): '#000000' | '#ffffff' {
  const light = luminance(hex);
  return (light + 0.05) / 0.05 > 1.05 / (light + 0.05) ? '#000000' : '#ffffff';
}
