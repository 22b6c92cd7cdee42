/** What all painters of the lanes share. */
import type { Scene } from './hitTest.ts';
import type { Palette } from './palette.ts';
import type { ClassInk } from './pixelLayer.ts';
import type { FindBurst } from './polls.ts';
import type { Texture } from './spanStyles.ts';

/** As much of a canvas context as the painters use. */
export type PaintContext = Pick<
  CanvasRenderingContext2D,
  | 'arc'
  | 'beginPath'
  | 'clearRect'
  | 'closePath'
  | 'fill'
  | 'fillRect'
  | 'fillStyle'
  | 'fillText'
  | 'font'
  | 'lineTo'
  | 'lineWidth'
  | 'moveTo'
  | 'rect'
  | 'roundRect'
  | 'stroke'
  | 'strokeStyle'
  | 'textBaseline'
>;

/** What the painters need besides the canvas. */
export interface PaintTools {
  readonly scene: Scene;
  readonly palette: Palette;
  /** The pattern that lies over a fill of that texture; undefined where a texture has none. */
  readonly textures: (texture: Texture, cls: number) => CanvasPattern | undefined;
  readonly inkOf: (cls: number) => ClassInk;
  readonly findBurst: FindBurst;
  /** Name of a track for labels; '' for none. */
  readonly nameOf: (track: number) => string;
}

/** A picture to paint: size, what of the lanes is scrolled into view, and where vertical lines go. */
export interface Picture {
  readonly widthPx: number;
  readonly heightPx: number;
  readonly scrollPx: number;
  /** Times of the jiffy lines. */
  readonly gridNs: readonly number[];
}
