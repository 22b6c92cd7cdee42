import { type RefObject, useMemo, useState } from 'react';
import type { RunInfo } from '../engine/core/info.ts';
import { hitTest, type Scene } from './hitTest.ts';
import { hitWords } from './hitWords.ts';
import { LaneCanvas } from './LaneCanvas.tsx';
import type { TimelineSelection } from './overlayGeometry.ts';
import { createFindBurst, type FindBurst } from './polls.ts';
import { TimelineOverlay } from './TimelineOverlay.tsx';
import { Tooltip } from './Tooltip.tsx';
import type { Commands } from './timelineCommands.ts';
import type { TimelineProps } from './timelineProps.ts';
import { useArrows } from './useArrows.ts';
import type { PageStyle } from './usePalette.ts';
import { useTimelinePointer } from './useTimelinePointer.ts';
import { timeOfPx, type ViewportLimits, zoomAbout } from './viewport.ts';

export interface TimelineStageProps {
  readonly stage: RefObject<HTMLDivElement | null>;
  readonly props: TimelineProps;
  readonly scene: Scene;
  readonly limits: ViewportLimits;
  readonly heightPx: number;
  readonly scrollPx: number;
  /** The lanes are taller than the stage: a plain wheel scrolls. */
  readonly scrolls: boolean;
  readonly gridNs: readonly number[];
  readonly style: PageStyle;
  readonly isChain: boolean;
  readonly commands: Commands;
  readonly onTrack: (laneId: string) => void;
}

/** A double click shows this share of what was visible. */
const DOUBLE_CLICK_ZOOM = 0.25;

/** The picture of the lanes with what lies over it, and the pointer on it. */
export function TimelineStage(stageProps: TimelineStageProps) {
  const { stage, props, scene, limits, heightPx, scrollPx, gridNs, style, commands } = stageProps;
  const { info, viewport, cursorNs, selection, range, rows } = props;
  const findBurst = useMemo(() => createFindBurst(rows, info.srcu), [rows, info]);
  const arrows = useArrows(props, selection?.row ?? -1, stageProps.isChain, scene.layout, scene.widthPx);
  const { pointer, setPointer, hover, lines } = useHover(scene, scrollPx, info, findBurst);

  const handlers = useTimelinePointer(
    stage,
    { viewport, limits, widthPx: scene.widthPx, cursorNs, endNs: props.endNs },
    stageProps.scrolls,
    {
      onViewport: props.onViewport,
      onCursor: props.onCursor,
      onRange: props.onRange,
      onHover: setPointer,
      onClick: (xPx, yPx) => {
        const clicked = hitTest(scene, xPx, yPx + scrollPx);
        if (clicked?.kind === 'item') {
          commands.select(clicked.item);
          return;
        }
        if (clicked) stageProps.onTrack(clicked.lane.id);
        commands.select(undefined);
        const at = timeOfPx(viewport, scene.widthPx, xPx);
        props.onCursor(Math.min(Math.max(0, Math.round(at)), props.endNs));
      },
    },
  );
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only; every action has its key and button
    <div
      ref={stage}
      className={`tl-stage${hover ? ' tl-stage-item' : ''}`}
      role="presentation"
      style={{ height: heightPx }}
      {...handlers}
      onDoubleClick={(event) => {
        const xPx = event.clientX - event.currentTarget.getBoundingClientRect().left;
        const at = timeOfPx(viewport, scene.widthPx, xPx);
        props.onViewport(zoomAbout(viewport, at, DOUBLE_CLICK_ZOOM, limits));
      }}
    >
      <LaneCanvas
        scene={scene}
        heightPx={heightPx}
        scrollPx={scrollPx}
        gridNs={gridNs}
        info={info}
        palette={style.palette}
        findBurst={findBurst}
      />
      <TimelineOverlay
        layout={scene.layout}
        viewport={viewport}
        widthPx={scene.widthPx}
        heightPx={heightPx}
        scrollPx={scrollPx}
        selection={selection}
        hover={hover}
        range={range}
        arrows={arrows}
        cursorNs={cursorNs}
      />
      {pointer && lines.length > 0 && <Tooltip lines={lines} xPx={pointer.xPx} yPx={pointer.yPx} />}
    </div>
  );
}

/** What is under the pointer while it does nothing: the frame around it and the words about it. */
function useHover(scene: Scene, scrollPx: number, info: RunInfo, findBurst: FindBurst) {
  const [pointer, setPointer] = useState<{ readonly xPx: number; readonly yPx: number }>();
  const hit = pointer && hitTest(scene, pointer.xPx, pointer.yPx + scrollPx);
  const timeNs = pointer ? timeOfPx(scene.viewport, scene.widthPx, pointer.xPx) : 0;
  const lines = hit ? hitWords(hit, timeNs, info, findBurst) : [];
  const item = hit?.kind === 'item' ? hit.item : undefined;
  const hover = useMemo<TimelineSelection | undefined>(
    () => item && { row: item.row, startNs: item.startNs, endNs: item.endNs, laneIds: [item.laneId] },
    [item],
  );
  return { pointer, setPointer, hover, lines };
}
