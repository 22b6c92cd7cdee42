import { Ticks } from '../../engine/core/ticks.ts';
import { useRun, useView } from '../session.ts';

const NS_PER_MS = 1_000_000;

/** "21.384" in ms, to the microsecond: what steps and slow playing move. */
export function clockText(timeNs: number): string {
  return (timeNs / NS_PER_MS).toFixed(3);
}

/** Where the cursor is: time and jiffy. */
export function Clock() {
  const timeNs = useView((view) => view.cursor.timeNs);
  const config = useRun((run) => run.summary?.info.config);
  const jiffy =
    config === undefined
      ? undefined
      : new Ticks(config.hz, config.startJiffies).jiffiesAt(Math.floor(timeNs));
  return (
    <output className="app-clock ui-mono" aria-label="Cursor" aria-live="off">
      <span className="app-clock-time">t = {clockText(timeNs)} ms</span>
      {jiffy !== undefined && <span> · jiffy {jiffy}</span>}
    </output>
  );
}
