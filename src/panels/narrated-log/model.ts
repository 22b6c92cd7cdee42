/** The log around the cursor as sentences. */
import { rowOf } from '../../analysis/rowWindow.ts';
import type { Cursor, RowWindow } from '../../analysis/types.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import type { EventRow } from '../../engine/core/rows.ts';
import { formatTime } from '../../timeline/formatTime.ts';
import { formatCount } from '../format.ts';

/** The sentence of a row: analysis has one for every kind. */
export type Narrate = (row: EventRow, info: RunInfo) => string;

export interface LogLine {
  readonly row: number;
  readonly timeText: string;
  /** Name of the track the row is about. */
  readonly track: string;
  readonly text: string;
  readonly isCurrent: boolean;
  /** Later than the cursor: has not happened yet. */
  readonly isFuture: boolean;
}

export interface LogView {
  readonly lines: readonly LogLine[];
  /** "event 412 of 1 903". */
  readonly place: string;
  /** What is read out after a step. */
  readonly announcement: string;
}

/** Lines on each side of the cursor: a screen of a full-size panel. */
const LINES_PER_SIDE = 40;

function pollText(cursor: Cursor): string {
  return cursor.poll === undefined
    ? ''
    : `check ${cursor.poll.check + 1} of pass ${cursor.poll.pass + 1} in this burst`;
}

/** The lines around `cursor`, as far as `window` holds them. */
export function logView(window: RowWindow, cursor: Cursor, info: RunInfo, narrate: Narrate): LogView {
  const from = Math.max(window.first, cursor.row - LINES_PER_SIDE);
  const to = Math.min(window.first + window.length, cursor.row + LINES_PER_SIDE + 1);
  // While single polls are stepped through, it is their burst that one is in.
  const currentRow = cursor.poll?.row ?? cursor.row;
  const lines: LogLine[] = [];
  for (let row = from; row < to; row++) {
    const event = rowOf(window, row);
    if (event === undefined) continue;
    const isCurrent = row === currentRow;
    const poll = isCurrent ? pollText(cursor) : '';
    lines.push({
      row,
      timeText: formatTime(isCurrent && poll !== '' ? cursor.timeNs : event.timeNs),
      track: info.tracks[event.track]?.name ?? '',
      text: `${narrate(event, info)}${poll === '' ? '' : ` (${poll})`}`,
      isCurrent,
      isFuture: row > cursor.row,
    });
  }
  const current = lines.find((line) => line.isCurrent);
  return {
    lines,
    place: `event ${formatCount(cursor.row + 1)} of ${formatCount(window.total)}`,
    announcement:
      current === undefined
        ? 'Before the first event'
        : `${current.timeText}, ${current.track}: ${current.text}`,
  };
}
