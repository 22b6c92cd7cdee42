import './narrated-log.css';
import { type KeyboardEvent, memo, useLayoutEffect, useRef } from 'react';
import { narrateRow } from '../../analysis/narrate.ts';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelActions, PanelProps } from '../panelProps.ts';
import { useNotes } from '../useNotes.ts';
import { type LogLine, type LogView, logView } from './model.ts';
import { LOG_NOTES } from './notes.ts';

/** The events around the cursor in words; the same events as the timeline's table. */
export function NarratedLogPanel({ data, actions, tools }: PanelProps) {
  const { rows, cursor, run } = data;
  const notes = useNotes(LOG_NOTES, run?.info);
  const view =
    rows === undefined || cursor === undefined || run === undefined
      ? undefined
      : logView(rows, cursor, run.info, narrateRow);
  return (
    <PanelFrame
      title="Narrated log"
      subtitle={view === undefined ? undefined : <span className="panel-hint">{view.place}</span>}
      look="card"
      notes={notes}
      tools={tools}
    >
      {view === undefined ? (
        <PanelEmpty>Nothing has run yet.</PanelEmpty>
      ) : view.lines.length === 0 ? (
        <PanelEmpty>The events around the cursor are being fetched.</PanelEmpty>
      ) : (
        <Lines view={view} actions={actions} isStepped={data.isStepped} />
      )}
    </PanelFrame>
  );
}

interface LinesProps {
  readonly view: LogView;
  readonly actions: PanelActions;
  readonly isStepped: boolean;
}

interface LineProps extends LogLine {
  readonly isTabStop: boolean;
  readonly onStep: PanelActions['step'];
  readonly onSeek: PanelActions['seekRow'];
}

/** Drawn again when its words or its place have changed: of eighty lines a step changes two. */
const Line = memo(function Line({ row, onStep, onSeek, ...line }: LineProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
    event.preventDefault();
    onStep(event.key === 'ArrowDown' ? 1 : -1);
  };
  return (
    <li data-row={row}>
      <button
        type="button"
        className={line.isFuture ? 'log-line future' : 'log-line'}
        aria-current={line.isCurrent}
        tabIndex={line.isTabStop ? 0 : -1}
        onKeyDown={onKeyDown}
        onClick={() => onSeek(row)}
      >
        <span className="log-time">{line.timeText}</span>
        <span className="log-track">{line.track}</span>
        <span className="log-text">{line.text}</span>
      </button>
    </li>
  );
});

/** One tab stop: the current line. Arrow keys step, so that focus and cursor never part. */
function Lines({ view, actions, isStepped }: LinesProps) {
  const listRef = useRef<HTMLOListElement>(null);
  const currentRow = view.lines.find(({ isCurrent }) => isCurrent)?.row;
  useLayoutEffect(() => {
    if (currentRow === undefined) return;
    const list = listRef.current;
    const line = list?.querySelector<HTMLElement>(`[data-row="${currentRow}"]`);
    if (list === null || line === null || line === undefined) return;
    // Scrolls the list only: scrollIntoView would move the page too.
    list.scrollTop = line.offsetTop - (list.clientHeight - line.offsetHeight) / 2;
    if (list.contains(document.activeElement)) line.querySelector('button')?.focus({ preventScroll: true });
  }, [currentRow]);
  const tabStop = currentRow ?? view.lines[0]?.row;
  return (
    <>
      <ol className="log" ref={listRef}>
        {view.lines.map((line) => (
          <Line
            key={line.row}
            {...line}
            isTabStop={line.row === tabStop}
            onStep={actions.step}
            onSeek={actions.seekRow}
          />
        ))}
      </ol>
      <div className="ui-visually-hidden" aria-live="polite">
        {isStepped ? view.announcement : ''}
      </div>
    </>
  );
}
