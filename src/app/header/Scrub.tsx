import { formatCount, formatDuration } from '../../panels/format.ts';
import { Slider } from '../../ui/Slider.tsx';
import { RUN_PLACE, RunButton } from '../RunButton.tsx';
import { useRun, useSession, useView } from '../session.ts';
import { clockText } from './Clock.tsx';

/** How far a run is that takes long enough to tell. */
function Progress() {
  const { cancel } = useSession();
  const progress = useRun((run) => run.progress);
  if (progress === undefined) return null;
  const { rows, nowNs, read } = progress;
  return (
    <>
      <span className="app-progress" role="status">
        {read === undefined
          ? `simulating: ${formatCount(rows)} events, ${formatDuration(nowNs)}`
          : `reading ${formatCount(rows)} events: ${formatCount(Math.floor(100 * read))} %`}
      </span>
      <RunButton look="plain" onPress={cancel}>
        Cancel
      </RunButton>
    </>
  );
}

/** The whole run as a slider, and the cursor's place in it: "event 412 of 1 903". */
export function Scrub() {
  const { navigate } = useSession();
  const { timeNs, row, poll } = useView((view) => view.cursor);
  const endNs = useRun((run) => run.summary?.endNs ?? 0);
  const rows = useRun((run) => run.summary?.rows ?? 0);
  return (
    <div className="app-scrub" id={RUN_PLACE} role="group" aria-label="Run" tabIndex={-1}>
      <Slider
        label="Time in the run"
        value={timeNs}
        scale={{ kind: 'linear', min: 0, max: endNs, step: Math.max(1, Math.round(endNs / 1000)) }}
        valueText={`${clockText(timeNs)} ms`}
        onChange={navigate.seekTime}
        isDisabled={endNs === 0}
      />
      <Progress />
      <output className="app-event ui-mono" aria-label="Event">
        event {formatCount(row + 1)} of {formatCount(rows)}
        {poll !== undefined && ` · poll ${formatCount(poll.pass + 1)}`}
      </output>
    </div>
  );
}
