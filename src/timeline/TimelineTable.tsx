import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { narrateRow } from '../analysis/narrate.ts';
import { rowOf } from '../analysis/rowWindow.ts';
import { formatTime, groupDigits } from './formatTime.ts';
import { type RowRange, rowsInWindow } from './rowTable.ts';
import { tickAt } from './ticks.ts';
import type { TimelineProps } from './timelineProps.ts';
import { useSize } from './useSize.ts';

type TableProps = Pick<TimelineProps, 'info' | 'rows' | 'viewport' | 'onSelectRow' | 'onNeedRows'> & {
  /** Log row that is marked; -1: none. */
  readonly selectedRow: number;
  readonly remPx: number;
};

const ROW_REM = 1.75;
/** Rows beyond the visible ones that are in the document. */
const SPARE_ROWS = 6;
const COLUMNS = ['Time', 'Jiffy', 'Track', 'What happened', 'Caused by'] as const;
const NOTHING: RowRange = { first: 0, end: 0, missesBefore: false, missesAfter: false };

/** The visible window as a table: the same events as words, for the keyboard and for screen readers. */
export function TimelineTable(props: TableProps) {
  const { rows, viewport, selectedRow, remPx, onSelectRow, onNeedRows } = props;
  const id = useId();
  const scroller = useRef<HTMLDivElement>(null);
  const [scrollPx, setScrollPx] = useState(0);
  const range = rows ? rowsInWindow(rows, viewport) : NOTHING;
  const count = range.end - range.first;
  const rowPx = ROW_REM * remPx;
  const { active, choose, onKeyDown, heightPx } = useActiveRow(scroller, range, rowPx, onSelectRow);
  const isEmpty = count === 0;

  useEffect(() => {
    if (isEmpty) onNeedRows({ timeNs: (viewport.fromNs + viewport.toNs) / 2 });
  }, [isEmpty, viewport, onNeedRows]);

  const first = Math.max(range.first, range.first + Math.floor(scrollPx / rowPx) - SPARE_ROWS);
  const end = Math.min(range.end, first + Math.ceil(heightPx / rowPx) + 2 * SPARE_ROWS);
  const shown = Array.from({ length: Math.max(0, end - first) }, (_, i) => first + i);
  return (
    <div className="tl-table-box">
      <Notice range={range} rows={rows} onNeedRows={onNeedRows} />
      <div
        ref={scroller}
        className="tl-table"
        role="grid"
        aria-label="Events of the visible window"
        aria-rowcount={count + 1}
        aria-colcount={COLUMNS.length}
        aria-activedescendant={isEmpty ? undefined : `${id}${active}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onScroll={(event) => setScrollPx(event.currentTarget.scrollTop)}
      >
        <div className="tl-tr tl-th" role="row" aria-rowindex={1} tabIndex={-1}>
          {COLUMNS.map((name) => (
            <span key={name} role="columnheader" tabIndex={-1}>
              {name}
            </span>
          ))}
        </div>
        <div className="tl-table-body" role="rowgroup" style={{ height: count * rowPx }}>
          {shown.map((row) => (
            <TableRow
              key={row}
              info={props.info}
              rows={rows}
              id={`${id}${row}`}
              row={row}
              place={row - range.first}
              isActive={row === active}
              isSelected={row === selectedRow}
              onChoose={choose}
            />
          ))}
        </div>
      </div>
    </div>
  );
}

/** The row that the keys are on. `choose` goes to one and selects it. */
function useActiveRow(
  scroller: RefObject<HTMLDivElement | null>,
  range: RowRange,
  rowPx: number,
  onSelectRow: (row: number) => void,
) {
  const { heightPx } = useSize(scroller);
  const [chosen, setChosen] = useState(-1);
  const active = chosen >= range.first && chosen < range.end ? chosen : range.first;
  const go = (row: number) => {
    const to = Math.min(Math.max(row, range.first), range.end - 1);
    setChosen(to);
    const node = scroller.current;
    if (node === null) return;
    // The heading takes the first row's height and does not scroll.
    const topPx = (to - range.first) * rowPx;
    if (topPx < node.scrollTop) node.scrollTop = topPx;
    else if (topPx + 2 * rowPx > node.scrollTop + heightPx) node.scrollTop = topPx + 2 * rowPx - heightPx;
  };
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const page = Math.max(1, Math.floor(heightPx / rowPx) - 2);
    const to = {
      ArrowDown: active + 1,
      ArrowUp: active - 1,
      PageDown: active + page,
      PageUp: active - page,
      Home: range.first,
      End: range.end - 1,
    }[event.key];
    if (range.end === range.first || (to === undefined && event.key !== 'Enter')) return;
    event.preventDefault();
    event.stopPropagation();
    if (to === undefined) onSelectRow(active);
    else go(to);
  };
  const choose = (row: number) => {
    if (row >= range.first && row < range.end) go(row);
    onSelectRow(row);
  };
  return { active, choose, onKeyDown, heightPx };
}

interface RowProps extends Pick<TableProps, 'info' | 'rows'> {
  readonly id: string;
  readonly row: number;
  /** Position in the table, from 0. */
  readonly place: number;
  readonly isActive: boolean;
  readonly isSelected: boolean;
  readonly onChoose: (row: number) => void;
}

function TableRow({ id, row, place, isActive, isSelected, info, rows, onChoose }: RowProps) {
  const event = rows && rowOf(rows, row);
  if (event === undefined) return null;
  const jiffies = info.config.startJiffies + tickAt(event.timeNs, info.config.hz);
  const cells = [
    formatTime(event.timeNs),
    groupDigits(jiffies),
    info.tracks[event.track]?.name ?? '',
    narrateRow(event, info),
  ];
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of its active row
    <div
      id={id}
      className={`tl-tr${isActive ? ' tl-tr-active' : ''}`}
      style={{ top: `${place * ROW_REM}rem` }}
      role="row"
      aria-rowindex={place + 2}
      aria-selected={isSelected}
      tabIndex={-1}
      onClick={() => onChoose(row)}
    >
      {cells.map((text, i) => (
        <span key={COLUMNS[i]} role="gridcell" tabIndex={-1}>
          {text}
        </span>
      ))}
      <span role="gridcell" tabIndex={-1}>
        {event.cause >= 0 && <CauseButton cause={event.cause} onChoose={onChoose} />}
      </span>
    </div>
  );
}

function CauseButton({ cause, onChoose }: { readonly cause: number } & Pick<RowProps, 'onChoose'>) {
  return (
    <button
      type="button"
      tabIndex={-1}
      title="Select the cause"
      onClick={(event) => {
        event.stopPropagation();
        onChoose(cause);
      }}
    >
      event {groupDigits(cause + 1)}
    </button>
  );
}

/** Says which part of the window the table has, where it is not all of it. */
function Notice({
  range,
  rows,
  onNeedRows,
}: { readonly range: RowRange } & Pick<TableProps, 'rows' | 'onNeedRows'>) {
  if (rows === undefined || range.end === range.first) {
    return <p className="tl-table-notice">No events of this window are loaded.</p>;
  }
  if (!range.missesBefore && !range.missesAfter) return null;
  return (
    <p className="tl-table-notice">
      Events {groupDigits(range.first + 1)} to {groupDigits(range.end)} of {groupDigits(rows.total)}; the
      window has more.
      {range.missesBefore && (
        <button type="button" onClick={() => onNeedRows({ row: range.first })}>
          Earlier ones
        </button>
      )}
      {range.missesAfter && (
        <button type="button" onClick={() => onNeedRows({ row: range.end })}>
          Later ones
        </button>
      )}
    </p>
  );
}
