import { type KeyboardEvent, useEffect, useId, useMemo, useRef, useState } from 'react';
import { actionOfKey, TIMELINE_ACTIONS } from './actions.ts';
import type { Scene } from './hitTest.ts';
import { LaneLabels } from './LaneLabels.tsx';
import { Legend } from './Legend.tsx';
import { LaneDepths } from './laneDepths.ts';
import { type LaneLayout, layoutLanes, rowsBetween } from './laneLayout.ts';
import { Minimap } from './Minimap.tsx';
import { RangeSummary } from './RangeSummary.tsx';
import { Ruler } from './Ruler.tsx';
import { TimelineStage } from './TimelineStage.tsx';
import { TimelineTable } from './TimelineTable.tsx';
import { TimelineToolbar } from './TimelineToolbar.tsx';
import { jiffyRuler, timeRuler } from './ticks.ts';
import { type Commands, timelineCommands, trackOf } from './timelineCommands.ts';
import type { TimelineProps } from './timelineProps.ts';
import { type PageStyle, usePageStyle } from './usePalette.ts';
import { useSize } from './useSize.ts';
import { type TimelineState, useTimelineState } from './useTimelineState.ts';
import { limitsOf, type ViewportLimits } from './viewport.ts';
import { suffices, type WindowRequest, windowFor } from './viewRequest.ts';
import './timeline.css';

/** Height of the ruler, in rem. */
const RULER_REM = 2.25;
/** From so many lanes on only those that are scrolled into view are asked for. */
const MANY_LANES = 48;
/** Without lanes the plot is still so high, in rem. */
const LEAST_HEIGHT_REM = 8;

/** The run as lanes over time, or the same window as a table. */
export function Timeline(props: TimelineProps) {
  const root = useRef<HTMLElement>(null);
  const style = usePageStyle(root);
  const { state, change, toggleGroup } = useTimelineState();
  const limits = useMemo(() => limitsOf(props.endNs), [props.endNs]);
  const views = useMemo(() => new Map(props.view.map((lane) => [lane.id, lane])), [props.view]);
  const remPx = style?.remPx ?? 16;
  const layout = useMemo(
    () => layoutLanes(props.lanes, state.openGroups, remPx),
    [props.lanes, state.openGroups, remPx],
  );
  const shownLanes = useMemo(
    () => layout.rows.flatMap((row) => (row.kind === 'lane' ? [row.lane] : [])),
    [layout],
  );
  const commands = timelineCommands({ props, limits, state, change, views, shownLanes });
  const track = trackOf({ shownLanes, state });
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const action = actionOfKey(event);
    if (action === undefined || !commands.isEnabled(action)) return;
    event.preventDefault();
    event.stopPropagation();
    commands.perform(action);
  };
  return (
    <section ref={root} className="tl" aria-label="Timeline">
      <header className="tl-head">
        <h2>Timeline</h2>
        <Legend />
        <TimelineToolbar onAction={commands.perform} isEnabled={commands.isEnabled} isOn={commands.isOn} />
        {props.tools}
      </header>
      {style && state.isTable && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys belong to the table inside
        <div className="tl-body" onKeyDown={onKeyDown}>
          <TimelineTable {...props} selectedRow={props.selection?.row ?? -1} remPx={remPx} />
        </div>
      )}
      {style && !state.isTable && (
        <Lanes
          {...{ props, style, limits, views, layout, state, commands, onKeyDown }}
          trackId={track?.id}
          onTrack={(trackId) => change({ trackId })}
          onToggleGroup={toggleGroup}
        />
      )}
      {props.range && (
        <RangeSummary range={props.range} stats={props.rangeStats} onClear={() => props.onRange(undefined)} />
      )}
      <p className="tl-hidden" aria-live="polite">
        {state.announcement}
      </p>
    </section>
  );
}

interface LanesProps {
  readonly props: TimelineProps;
  readonly style: PageStyle;
  readonly limits: ViewportLimits;
  readonly views: Scene['views'];
  readonly layout: LaneLayout;
  readonly state: TimelineState;
  readonly commands: Commands;
  readonly trackId: string | undefined;
  readonly onTrack: (laneId: string) => void;
  readonly onToggleGroup: (group: number) => void;
  readonly onKeyDown: (event: KeyboardEvent<HTMLElement>) => void;
}

/** Ruler, lanes and minimap. */
function Lanes(lanesProps: LanesProps) {
  const { props, style, limits, views, layout, state, commands } = lanesProps;
  const { viewport, info, cursorNs, onCursor } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const plot = useRef<HTMLDivElement>(null);
  const stage = useRef<HTMLDivElement>(null);
  const roomPx = useSize(scroller).heightPx - RULER_REM * style.remPx;
  const { widthPx } = useSize(plot);
  const [scrollPx, setScrollPx] = useState(0);
  const [depthMemory] = useState(() => new LaneDepths());
  const depths = useMemo(
    () => depthMemory.update(props.lanes, props.view),
    [depthMemory, props.lanes, props.view],
  );
  const scene = useMemo<Scene>(
    () => ({ layout, views, depths, viewport, widthPx }),
    [layout, views, depths, viewport, widthPx],
  );
  const time = useMemo(() => timeRuler(viewport, widthPx), [viewport, widthPx]);
  const { hz, startJiffies } = info.config;
  const jiffies = useMemo(
    () => jiffyRuler(viewport, widthPx, hz, startJiffies),
    [viewport, widthPx, hz, startJiffies],
  );
  const gridNs = useMemo(() => jiffies.ticks.map((tick) => tick.timeNs), [jiffies]);
  const heightPx = Math.max(Math.min(Math.max(roomPx, LEAST_HEIGHT_REM * style.remPx), layout.heightPx), 1);
  const topPx = Math.min(scrollPx, Math.max(0, layout.heightPx - heightPx));
  const shownRows = useMemo(() => rowsBetween(layout, topPx, topPx + heightPx), [layout, topPx, heightPx]);
  useNeededView(props, widthPx, shownRows);
  return (
    <>
      <div
        ref={scroller}
        id={id}
        className="tl-body tl-scroll"
        role="application"
        aria-roledescription="timeline"
        aria-label={`Lanes of the run; track ${lanesProps.trackId ?? 'none'}`}
        aria-describedby={`${id}keys`}
        tabIndex={0}
        onKeyDown={lanesProps.onKeyDown}
        onScroll={(event) => setScrollPx(event.currentTarget.scrollTop)}
      >
        <div className="tl-corner">
          <span>{time.base === '' ? 'time' : `${time.base} +`}</span>
          <span>jiffies</span>
        </div>
        <div ref={plot} className="tl-ruler-cell">
          <Ruler
            {...{ viewport, widthPx, time, jiffies, cursorNs, onCursor }}
            endNs={props.endNs}
            range={props.range}
            remPx={style.remPx}
          />
        </div>
        <div className="tl-labels" style={{ height: layout.heightPx }}>
          <LaneLabels
            rows={shownRows}
            trackId={lanesProps.trackId}
            onTrack={lanesProps.onTrack}
            onToggleGroup={lanesProps.onToggleGroup}
          />
        </div>
        <TimelineStage
          {...{ stage, props, scene, limits, heightPx, gridNs, style, commands }}
          scrollPx={topPx}
          scrolls={layout.heightPx > heightPx}
          isChain={state.isChain}
          onTrack={lanesProps.onTrack}
        />
      </div>
      <p className="tl-hidden" id={`${id}keys`}>
        {TIMELINE_ACTIONS.map((action) => `${action.keyLabel}: ${action.label}`).join('. ')}
      </p>
      <div className="tl-minimap-row">
        <Minimap
          {...{ limits, viewport, cursorNs, widthPx }}
          overview={props.overview}
          range={props.range}
          palette={style.palette}
          controls={id}
          onViewport={props.onViewport}
        />
      </div>
    </>
  );
}

/** Asks for the visible window whenever what was asked for last does not do. */
function useNeededView(props: TimelineProps, widthPx: number, shownRows: LaneLayout['rows']): void {
  const { viewport, lanes, onNeedView } = props;
  const asked = useRef<WindowRequest>(undefined);
  useEffect(() => {
    if (widthPx <= 0) return;
    const wanted =
      lanes.length > MANY_LANES
        ? shownRows.flatMap((row) => (row.kind === 'lane' ? [row.lane.id] : []))
        : undefined;
    if (asked.current && suffices(asked.current, viewport, widthPx, wanted)) return;
    asked.current = windowFor(viewport, widthPx, wanted);
    onNeedView(asked.current);
  }, [viewport, widthPx, lanes, shownRows, onNeedView]);
}
