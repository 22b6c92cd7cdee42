import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import { laneOfRow } from '../../analysis/lanes.ts';
import { narrateRow } from '../../analysis/narrate.ts';
import { Timeline } from '../../timeline/Timeline.tsx';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { PanelTools } from '../layout/PanelTools.tsx';
import { useRun, useSession, useView } from '../session.ts';
import type { TimelineData } from '../timelineData.ts';

/** The run's lanes with what they need from the stores; until the first run has come, a frame that says so. */
function LiveTimeline() {
  const { view, navigate, timelineData, timelineActions } = useSession();
  const summary = useRun((run) => run.summary);
  const isOver = useRun(({ status }) => status === 'failed' || status === 'cancelled');
  const data = useStore(
    timelineData,
    useShallow(({ lanes, overview, rows, selection, rangeStats }: TimelineData) => ({
      lanes,
      overview,
      rows,
      selection,
      rangeStats,
    })),
  );
  const viewport = useView((state) => state.window);
  const cursorNs = useView((state) => state.cursor.timeNs);
  const range = useView((state) => state.range);
  const info = summary?.info;
  const words = useMemo(
    () =>
      info === undefined
        ? undefined
        : {
            narrate: (row: Parameters<typeof narrateRow>[0]) => narrateRow(row, info),
            laneOfRow: (row: Parameters<typeof laneOfRow>[0]) => laneOfRow(row, info),
          },
    [info],
  );
  if (summary === undefined || words === undefined || viewport === undefined) {
    return (
      <p className="timeline-empty">{isOver ? 'No run has ended yet.' : 'The first run is under way.'}</p>
    );
  }
  return (
    <Timeline
      {...words}
      info={summary.info}
      endNs={summary.endNs}
      lanes={summary.lanes}
      view={data.lanes}
      overview={data.overview}
      rows={data.rows}
      viewport={viewport}
      cursorNs={cursorNs}
      selection={data.selection}
      range={range}
      rangeStats={data.rangeStats}
      onViewport={timelineActions.setWindow}
      onCursor={navigate.seekTime}
      onSelect={timelineActions.select}
      onSelectRow={navigate.seekRow}
      onRange={(next) => view.setState({ range: next })}
      onNeedView={timelineActions.needView}
      onNeedRows={timelineActions.needRows}
      onStepBeyond={(direction, track) => navigate.stepOnTrack(direction, track)}
      tools={<PanelTools id="timeline" title="Timeline" canHide={false} />}
    />
  );
}

/** The timeline's place. Single letters are shortcuts inside `data-timeline` only. */
export function TimelineHost() {
  return (
    <div className="timeline-host" data-timeline>
      <ErrorBoundary what="the timeline">
        <LiveTimeline />
      </ErrorBoundary>
    </div>
  );
}
