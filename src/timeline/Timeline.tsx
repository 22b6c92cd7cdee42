import { type KeyboardEvent, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { actionOfKey, type TimelineAction } from './actions.ts';
import { CpuJump } from './CpuJump.tsx';
import { Lanes } from './Lanes.tsx';
import { Legend } from './Legend.tsx';
import { CPU_GROUP_SIZE, groupToOpen, inScreenOrder, lanesShown } from './laneLayout.ts';
import { RangeSummary } from './RangeSummary.tsx';
import { TimelineTable } from './TimelineTable.tsx';
import { TimelineToolbar } from './TimelineToolbar.tsx';
import { timelineCommands, trackOf } from './timelineCommands.ts';
import type { TimelineProps } from './timelineProps.ts';
import { usePageStyle } from './usePalette.ts';
import { useTimelineState } from './useTimelineState.ts';
import { limitsOf } from './viewport.ts';
import './timeline.css';
import './minimap.css';
import './timelineTable.css';

/** The run as lanes over time, or the same window as a table. Its keys work while the focus is anywhere inside. */
export function Timeline(given: TimelineProps) {
  const lanes = useMemo(() => inScreenOrder(given.lanes), [given.lanes]);
  const props = { ...given, lanes };
  const root = useRef<HTMLElement>(null);
  const style = usePageStyle(root);
  const { state, change, setTrack, toggleGroup } = useTimelineState();
  const limits = useMemo(() => limitsOf(props.endNs), [props.endNs]);
  const views = useMemo(() => new Map(props.view.map((lane) => [lane.id, lane])), [props.view]);
  const shownLanes = useMemo(
    () => lanesShown(props.lanes, state.openGroups),
    [props.lanes, state.openGroups],
  );
  const commands = timelineCommands({ props, limits, state, change, views, shownLanes });
  // The toolbar keeps its function, and with it its buttons, from run to run.
  const newest = useRef(commands);
  useLayoutEffect(() => {
    newest.current = commands;
  });
  const perform = useCallback((action: TimelineAction) => newest.current.perform(action), []);
  const [reveal, setReveal] = useState<{ readonly laneId: string }>();
  const jump = (cpu: number) => {
    const laneId = `cpu:${cpu}`;
    const group = groupToOpen(props.lanes, cpu);
    const openGroups = group === undefined ? state.openGroups : new Set([...state.openGroups, group]);
    change({ trackId: laneId, openGroups, announcement: `CPU ${cpu}` });
    setReveal({ laneId });
  };
  const { range, endNs, rangeStats: stats } = props;
  const { cpus } = props.info.config;
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const action = actionOfKey(event);
    if (action === undefined || !commands.isEnabled(action)) return;
    event.preventDefault();
    event.stopPropagation();
    commands.perform(action);
  };
  return (
    <section ref={root} className="tl" aria-label="Timeline" onKeyDown={onKeyDown}>
      <header className="tl-head">
        <h2>Timeline</h2>
        <Legend lanes={props.lanes} />
        {cpus > CPU_GROUP_SIZE && <CpuJump cpus={cpus} onJump={jump} />}
        <TimelineToolbar onAction={perform} isEnabled={commands.isEnabled} isOn={commands.isOn} />
        {props.tools}
      </header>
      {style && state.isTable && (
        <div className="tl-body">
          <TimelineTable {...props} selectedRow={props.selection?.row ?? -1} remPx={style.remPx} />
        </div>
      )}
      {style && !state.isTable && (
        <Lanes
          {...{ props, style, limits, views, commands, reveal }}
          openGroups={state.openGroups}
          isChain={state.isChain}
          track={trackOf({ shownLanes, state })}
          onTrack={setTrack}
          onToggleGroup={toggleGroup}
        />
      )}
      {range && <RangeSummary {...{ range, endNs, stats }} onClear={() => props.onRange(undefined)} />}
      <p className="tl-hidden" aria-live="polite">
        {state.announcement}
      </p>
    </section>
  );
}
