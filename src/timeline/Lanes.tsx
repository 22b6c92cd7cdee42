import { useId, useMemo, useRef, useState } from 'react';
import type { LaneInfo } from '../analysis/laneTypes.ts';
import { TIMELINE_ACTIONS } from './actions.ts';
import type { Scene } from './hitTest.ts';
import { LaneLabels } from './LaneLabels.tsx';
import { layoutLanes } from './laneLayout.ts';
import { Minimap } from './Minimap.tsx';
import { Ruler } from './Ruler.tsx';
import { TimelineStage } from './TimelineStage.tsx';
import type { Commands } from './timelineCommands.ts';
import { laneWords } from './timelineItem.ts';
import type { TimelineProps } from './timelineProps.ts';
import { useNeededView } from './useNeededView.ts';
import type { PageStyle } from './usePalette.ts';
import { type Reveal, useReveal } from './useReveal.ts';
import { useScene } from './useScene.ts';
import { useSize } from './useSize.ts';
import type { ViewportLimits } from './viewport.ts';

export interface LanesProps {
  readonly props: TimelineProps;
  readonly style: PageStyle;
  readonly limits: ViewportLimits;
  readonly views: Scene['views'];
  readonly openGroups: ReadonlySet<number>;
  readonly isChain: boolean;
  readonly commands: Commands;
  /** Lane that the keys step on. */
  readonly track: LaneInfo | undefined;
  readonly onTrack: (laneId: string) => void;
  readonly onToggleGroup: (group: number) => void;
  readonly reveal: Reveal | undefined;
}

/** Height of the ruler, in rem; the style sheet says the same. */
const RULER_REM = 2.25;
/** In a box without a height of its own the lanes still get so much, in rem. */
const LEAST_HEIGHT_REM = 8;
const KEYS = TIMELINE_ACTIONS.map((action) => `${action.keyLabel}: ${action.label}`).join('. ');

/** Ruler, lanes and minimap. */
export function Lanes({ props, style, limits, views, openGroups, reveal, ...rest }: LanesProps) {
  const { viewport, cursorNs, range } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const [scrollPx, setScrollPx] = useState(0);
  const { heightPx: bodyPx } = useSize(scroller);
  const { widthPx } = useSize(plot);
  const roomPx = Math.max(bodyPx - RULER_REM * style.remPx, LEAST_HEIGHT_REM * style.remPx);
  const layout = useMemo(
    () => layoutLanes(props.lanes, openGroups, style.remPx, roomPx),
    [props.lanes, openGroups, style.remPx, roomPx],
  );
  useReveal(scroller, reveal, layout, roomPx);
  const parts = useScene(props, layout, views, { widthPx, heightPx: roomPx }, scrollPx);
  const { scene, time, jiffies, heightPx, topPx } = parts;
  useNeededView(props, widthPx, parts.shownRows);
  return (
    <>
      <div
        ref={scroller}
        id={id}
        className="tl-body tl-scroll"
        role="application"
        aria-roledescription="timeline"
        aria-label={`Lanes of the run. Track: ${rest.track ? laneWords(rest.track) : 'none'}`}
        aria-describedby={`${id}keys`}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: an application takes the keys that are described for it
        tabIndex={0}
        onScroll={(event) => setScrollPx(event.currentTarget.scrollTop)}
      >
        <Corner base={time.base} />
        <div ref={plot} className="tl-ruler-cell">
          <Ruler
            {...{ viewport, widthPx, time, jiffies, cursorNs, range }}
            endNs={props.endNs}
            remPx={style.remPx}
            onCursor={props.onCursor}
          />
        </div>
        <div className="tl-labels" style={{ height: layout.heightPx }}>
          <LaneLabels
            rows={parts.shownRows}
            {...{ trackId: rest.track?.id, onTrack: rest.onTrack, onToggleGroup: rest.onToggleGroup }}
          />
        </div>
        <TimelineStage
          {...{ stage, props, scene, limits, heightPx, style }}
          {...rest}
          gridNs={parts.gridNs}
          scrollPx={topPx}
          scrolls={layout.heightPx > heightPx}
        />
      </div>
      <p className="tl-hidden" id={`${id}keys`}>
        {KEYS}
      </p>
      <div className="tl-minimap-row">
        <Minimap
          {...{ limits, viewport, cursorNs, widthPx, range }}
          overview={props.overview}
          palette={style.palette}
          controls={id}
          onViewport={props.onViewport}
        />
      </div>
    </>
  );
}

/** Above the names: what the ruler's labels count from, and what its two rows are. */
function Corner({ base }: { readonly base: string }) {
  return (
    <div className="tl-corner">
      <span>{base === '' ? 'time' : `${base} +`}</span>
      <span>jiffies</span>
    </div>
  );
}
