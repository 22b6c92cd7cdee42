import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

const css = readFileSync(new URL('./tokens.css', import.meta.url), 'utf8');

/** The colour tokens of one theme block. */
function colours(selector: string): Map<string, string> {
  const start = css.indexOf(`${selector} {`);
  const block = css.slice(start, css.indexOf('}', start));
  return new Map([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map((m) => [m[1] ?? '', m[2] ?? '']));
}

/** WCAG 2 relative luminance. */
function luminance(hex: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((i) => {
    const v = Number.parseInt(hex.slice(i, i + 2), 16) / 255;
    return v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(a: string, b: string): number {
  const [hi = 0, lo = 0] = [luminance(a), luminance(b)].sort((x, y) => y - x);
  return (hi + 0.05) / (lo + 0.05);
}

const meanings = ['reader', 'poll', 'sleep', 'gp', 'callback', 'ipi', 'memory', 'error'];

describe.each([
  ['dark', ':root'],
  ['light', ':root[data-theme="light"]'],
])('%s tokens', (_, selector) => {
  const theme = colours(selector);
  const ratio = (a: string, b: string) => contrast(theme.get(a) ?? '', theme.get(b) ?? '');

  it.each(['text', 'muted', ...meanings.map((m) => `${m}-text`)])('%s reads on every background', (token) => {
    for (const background of ['bg', 'panel', 'raised']) {
      expect(ratio(token, background), background).toBeGreaterThanOrEqual(4.5);
    }
  });

  it.each(meanings)('%s stands out from panel and idle lane', (token) => {
    for (const background of ['panel', 'idle']) {
      expect(ratio(token, background), background).toBeGreaterThanOrEqual(3);
    }
  });

  it('text on the chosen colour, the focus ring and the borders of controls stand out', () => {
    expect(ratio('on-gp', 'gp')).toBeGreaterThanOrEqual(4.5);
    for (const background of ['bg', 'panel', 'raised']) {
      expect(ratio('focus', background)).toBeGreaterThanOrEqual(3);
      expect(ratio('control-line', background)).toBeGreaterThanOrEqual(3);
    }
  });
});
