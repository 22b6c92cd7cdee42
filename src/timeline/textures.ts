/** Canvas patterns of the span textures: the strokes that lie over a fill. */
import type { PaintContext, PaintTools } from './paintTools.ts';
import { mix, type Palette } from './palette.ts';
import { spanStyle, type Texture } from './spanStyles.ts';

const TILE_PX = 6;

/** Draws one tile of a texture with the context's fill colour. */
function drawTile(ctx: PaintContext, texture: Texture): void {
  for (let y = 0; y < TILE_PX; y++) {
    for (let x = 0; x < TILE_PX; x++) {
      const rises = (x + y) % TILE_PX;
      const falls = (x - y + TILE_PX) % TILE_PX;
      const isStroke =
        (texture === 'comb' && x % 3 === 2) ||
        (texture === 'hatch' && rises < 2) ||
        (texture === 'cross' && (rises < 1 || falls < 1));
      if (isStroke) ctx.fillRect(x, y, 1, 1);
    }
  }
}

/** Makes each pattern once per palette. `createTile` gives a canvas of the size asked for. */
export function createTextures(
  palette: Palette,
  context: CanvasRenderingContext2D,
  createTile: (sizePx: number) => HTMLCanvasElement,
): PaintTools['textures'] {
  const cache = new Map<number, CanvasPattern | undefined>();
  return (texture, cls) => {
    if (texture !== 'comb' && texture !== 'hatch' && texture !== 'cross') return undefined;
    if (!cache.has(cls)) cache.set(cls, make(texture, cls));
    return cache.get(cls);
  };

  function make(texture: Texture, cls: number): CanvasPattern | undefined {
    const { colour, strength } = spanStyle(cls);
    const { colours } = palette;
    const tile = createTile(TILE_PX);
    const ctx = tile.getContext('2d');
    if (ctx === null) return undefined;
    ctx.fillStyle = mix(mix(colours[colour], colours.panel, strength), colours.panel, 0.55);
    drawTile(ctx, texture);
    return context.createPattern(tile, 'repeat') ?? undefined;
  }
}
