import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { SPAN_CLASS } from '../analysis/laneTypes.ts';
import { inkOn, mix, paletteOf, rgbOf } from './palette.ts';
import { markStyle, SPAN_STYLES, spanStyle } from './spanStyles.ts';

const css = readFileSync('src/ui/tokens.css', 'utf8');

/** Reads a theme's variables as a browser would. */
function theme(selector: string): (variable: string) => string {
  const block = (of: string) => css.slice(css.indexOf(`${of} {`), css.indexOf('}', css.indexOf(`${of} {`)));
  const valueIn = (text: string, variable: string) => new RegExp(`${variable}: ([^;]+);`).exec(text)?.[1];
  return (variable) => valueIn(block(selector), variable) ?? valueIn(block(':root'), variable) ?? '';
}

describe('palette', () => {
  it('finds every colour in both themes', () => {
    for (const selector of [':root', ':root[data-theme="light"]']) {
      const { colours, font } = paletteOf(theme(selector));
      for (const [name, value] of Object.entries(colours)) {
        expect(value, name).toMatch(/^#[0-9a-f]{6}$/);
        expect(value, name).not.toBe('#808080');
      }
      expect(font).toContain('mono');
    }
  });

  it('reads short hex and survives what it cannot read', () => {
    expect(
      paletteOf((variable) => (variable === '--panel' ? ' #1aF ' : 'rebeccapurple')).colours,
    ).toMatchObject({
      panel: '#11aaff',
      text: '#808080',
    });
  });

  it('mixes, and writes on a fill with the ink that reads better', () => {
    expect(mix('#ffffff', '#000000', 0.5)).toBe('#808080');
    expect(rgbOf(mix('#ff0000', '#0000ff', 0.25))).toEqual([64, 0, 191]);
    expect(inkOn('#e8b339')).toBe('#000000');
    expect(inkOn('#0072b2')).toBe('#ffffff');
  });
});

describe('styles', () => {
  it('exist for every class, and no two classes look alike', () => {
    expect(SPAN_STYLES).toHaveLength(Object.keys(SPAN_CLASS).length);
    const looks = SPAN_STYLES.map(({ colour, texture, strength }) => `${colour} ${texture} ${strength}`);
    expect(new Set(looks).size).toBe(looks.length);
    expect(new Set(SPAN_STYLES.map((style) => style.words)).size).toBe(SPAN_STYLES.length);
  });

  it('tell sleeping, polling and waste apart without colour', () => {
    const textures = (['poll', 'sleepHeld', 'sleepWaste', 'gpScan2'] as const).map(
      (name) => spanStyle(SPAN_CLASS[name]).texture,
    );
    expect(new Set(textures).size).toBe(4);
  });

  it('do not break on a class from a newer worker', () => {
    expect(spanStyle(250).words).toBe('idle');
    expect(markStyle(250).words).toBe('tick');
  });
});
