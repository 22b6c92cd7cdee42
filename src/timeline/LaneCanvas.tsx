import { memo, useLayoutEffect, useMemo, useRef } from 'react';
import type { RunInfo } from '../engine/core/info.ts';
import type { Scene } from './hitTest.ts';
import { paintLanes, prepareText } from './paintLanes.ts';
import type { Palette } from './palette.ts';
import { createInks, type PixelLayer } from './pixelLayer.ts';
import type { FindBurst } from './polls.ts';
import { createTextures } from './textures.ts';

/** Colours, patterns and the canvas behind the one on the page; they outlive a picture. */
interface Equipment {
  readonly palette: Palette;
  readonly context: CanvasRenderingContext2D;
  readonly textures: ReturnType<typeof createTextures>;
  readonly inkOf: ReturnType<typeof createInks>;
}

/** Pixels of a size with the canvas that carries them onto the picture. */
interface Scratch {
  readonly layer: PixelLayer;
  readonly image: ImageData;
  readonly canvas: HTMLCanvasElement;
}

function createCanvas(widthPx: number, heightPx: number): HTMLCanvasElement {
  const canvas = document.createElement('canvas');
  canvas.width = widthPx;
  canvas.height = heightPx;
  return canvas;
}

function createScratch(widthPx: number, heightPx: number): Scratch {
  const image = new ImageData(widthPx, heightPx);
  return {
    layer: { widthPx, heightPx, pixels: new Uint32Array(image.data.buffer) },
    image,
    canvas: createCanvas(widthPx, heightPx),
  };
}

/**
 * Pictures are painted on a canvas that is not in the document: letters on one that is make the browser lay out the
 * page first, in the middle of a change, and that costs more than all the painting.
 */
function createEquipment(palette: Palette, widthPx: number, heightPx: number): Equipment | undefined {
  const context = createCanvas(widthPx, heightPx).getContext('2d');
  if (context === null) return undefined;
  prepareText(context, palette);
  const textures = createTextures(palette, context, (sizePx) => createCanvas(sizePx, sizePx));
  return { palette, context, textures, inkOf: createInks(palette) };
}

export interface LaneCanvasProps {
  readonly scene: Scene;
  readonly heightPx: number;
  readonly scrollPx: number;
  readonly gridNs: readonly number[];
  readonly info: RunInfo;
  readonly palette: Palette;
  readonly findBurst: FindBurst;
}

/** The static layer. Repaints exactly when one of its props changes; the cursor is not one of them. */
export const LaneCanvas = memo(function LaneCanvas(props: LaneCanvasProps) {
  const { scene, heightPx, scrollPx, gridNs, info, palette, findBurst } = props;
  const canvasRef = useRef<HTMLCanvasElement>(null);
  const widthPx = Math.max(1, Math.round(scene.widthPx));
  const rowsPx = Math.max(1, Math.round(heightPx));
  const ratio = window.devicePixelRatio || 1;
  const [width, height] = [Math.round(widthPx * ratio), Math.round(rowsPx * ratio)];
  const scratch = useMemo(() => createScratch(widthPx, rowsPx), [widthPx, rowsPx]);
  const kit = useMemo(() => createEquipment(palette, width, height), [palette, width, height]);

  useLayoutEffect(() => {
    const canvas = canvasRef.current;
    const shown = canvas?.getContext('2d');
    if (!canvas || !shown || kit === undefined) return;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    const { context } = kit;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintLanes(
      context,
      { widthPx, heightPx: rowsPx, scrollPx, gridNs },
      {
        scene,
        palette,
        findBurst,
        textures: kit.textures,
        inkOf: kit.inkOf,
        nameOf: (track) => info.tracks[track]?.name ?? '',
      },
      scratch.layer,
      (_, top, bottom) => {
        const rows = bottom - top;
        scratch.canvas.getContext('2d')?.putImageData(scratch.image, 0, 0, 0, top, widthPx, rows);
        context.imageSmoothingEnabled = false;
        context.drawImage(scratch.canvas, 0, top, widthPx, rows, 0, top, widthPx, rows);
      },
    );
    shown.globalCompositeOperation = 'copy';
    shown.drawImage(context.canvas, 0, 0);
  }, [
    scene,
    rowsPx,
    widthPx,
    width,
    height,
    ratio,
    scrollPx,
    gridNs,
    info,
    palette,
    findBurst,
    scratch,
    kit,
  ]);

  return <canvas ref={canvasRef} className="tl-canvas" style={{ width: widthPx, height: rowsPx }} />;
});
