/**
 * Dense lanes as pixels: what is too narrow for a shape is written into an image, so that a frame costs as much as its
 * pixels, however many events they stand for.
 *
 * A lane that the worker sent as coverage becomes a skyline: in every column the classes stand on one another, each as
 * tall as its share of the column's time, with the texture of its class, so that it can be read without colours.
 */
import type { LaneView } from '../analysis/laneTypes.ts';
import { mix, type Palette, rgbOf } from './palette.ts';
import { spanStyle, type Texture } from './spanStyles.ts';
import { spanNs, type Viewport } from './viewport.ts';

/** Pixels as ImageData wants them: bytes r g b a, read as one little-endian number each. 0 is transparent. */
export interface PixelLayer {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly pixels: Uint32Array;
}

/** The two colours of a class on a lane's background: its body, and the strokes of its texture. */
export interface ClassInk {
  readonly body: number;
  readonly stroke: number;
  readonly texture: Texture;
}

/** An opaque colour as a pixel of a PixelLayer. */
export function pixelOf(hex: string): number {
  const [r, g, b] = rgbOf(hex);
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** Inks of all classes asked for, for one palette. */
export function createInks(palette: Palette): (cls: number) => ClassInk {
  const cache = new Map<number, ClassInk>();
  const { colours } = palette;
  return (cls) => {
    const known = cache.get(cls);
    if (known) return known;
    const { colour, strength, texture } = spanStyle(cls);
    const body = mix(colours[colour], colours.panel, strength);
    const ink = { body: pixelOf(body), stroke: pixelOf(mix(body, colours.panel, 0.55)), texture };
    cache.set(cls, ink);
    return ink;
  };
}

/** True where a texture puts a stroke. */
function isStroke(texture: Texture, x: number, y: number): boolean {
  switch (texture) {
    case 'comb':
      return x % 3 === 2;
    case 'hatch':
      return (x + y) % 6 < 2;
    case 'cross':
      return (x + y) % 6 < 1 || (x - y + 6000) % 6 < 1;
    case 'frame':
      return (x + y) % 2 === 0;
    default:
      return false;
  }
}

/**
 * Paints a coverage lane into rows [topPx, topPx + heightPx) of the layer. The view may be of another window than the viewport: it is then
 * stretched, as the last picture is until the next one comes.
 */
export function paintCoverage(
  layer: PixelLayer,
  view: Extract<LaneView, { mode: 'coverage' }>,
  viewport: Viewport,
  topPx: number,
  heightPx: number,
  inkOf: (cls: number) => ClassInk,
): void {
  const planes = [...view.classes].map((cls, plane) => ({ cls, plane })).sort((a, b) => a.cls - b.cls);
  const inks = planes.map(({ cls }) => inkOf(cls));
  const sourcePxPerNs = view.widthPx / (view.t1Ns - view.t0Ns);
  const nsPerPx = spanNs(viewport) / layer.widthPx;
  const bottom = topPx + heightPx;
  for (let x = 0; x < layer.widthPx; x++) {
    const from = (viewport.fromNs + x * nsPerPx - view.t0Ns) * sourcePxPerNs;
    const to = from + nsPerPx * sourcePxPerNs;
    if (to <= 0 || from >= view.widthPx) continue;
    let usedPx = 0;
    let exactPx = 0;
    for (let p = 0; p < planes.length; p++) {
      const ink = inks[p];
      const share = meanShare(view.coverage, (planes[p]?.plane ?? 0) * view.widthPx, view.widthPx, from, to);
      if (share <= 0 || ink === undefined) continue;
      exactPx += share * heightPx;
      // At least one pixel: a class that is there is seen, however short it was.
      const untilPx = Math.min(Math.max(Math.round(exactPx), usedPx + 1), heightPx);
      for (; usedPx < untilPx; usedPx++) {
        const y = bottom - 1 - usedPx;
        if (y < 0 || y >= layer.heightPx) continue;
        layer.pixels[y * layer.widthPx + x] = isStroke(ink.texture, x, y) ? ink.stroke : ink.body;
      }
    }
  }
}

/** Mean of the source pixels in [from, to), the one pixel under `from` where it lies inside a single one. */
function meanShare(coverage: Float32Array, offset: number, width: number, from: number, to: number): number {
  const first = Math.max(0, Math.floor(from));
  const last = Math.min(width, Math.max(first + 1, Math.round(to)));
  let sum = 0;
  for (let i = first; i < last; i++) sum += coverage[offset + i] ?? 0;
  return last > first ? sum / (last - first) : 0;
}

/**
 * Paints spans that are narrower than a shape as single columns, fainter the less of the column they fill. `xs` and `shares` are the
 * column and the width in px of each, `count` of them.
 */
export function paintNarrow(
  layer: PixelLayer,
  columns: {
    readonly x: Int32Array;
    readonly share: Float32Array;
    readonly cls: Uint8Array;
    readonly count: number;
  },
  topPx: number,
  heightPx: number,
  inkOf: (cls: number) => ClassInk,
  background: number,
): void {
  const top = Math.max(0, Math.round(topPx));
  const bottom = Math.min(layer.heightPx, Math.round(topPx + heightPx));
  for (let i = 0; i < columns.count; i++) {
    const x = columns.x[i] ?? -1;
    if (x < 0 || x >= layer.widthPx) continue;
    const strength = 0.55 + 0.45 * Math.min(1, columns.share[i] ?? 0);
    const pixel = blend(inkOf(columns.cls[i] ?? 0).body, background, strength);
    for (let y = top; y < bottom; y++) layer.pixels[y * layer.widthPx + x] = pixel;
  }
}

/** `strength` of one opaque pixel on another. */
function blend(over: number, under: number, strength: number): number {
  let pixel = 255 << 24;
  for (const shift of [0, 8, 16]) {
    const a = (over >>> shift) & 255;
    const b = (under >>> shift) & 255;
    pixel |= Math.round(a * strength + b * (1 - strength)) << shift;
  }
  return pixel >>> 0;
}
