import type { SelectionStats } from '../analysis/types.ts';
import { formatDuration, formatTime } from './formatTime.ts';
import { rangeFigures } from './rangeFigures.ts';
import type { Viewport } from './viewport.ts';

export interface RangeSummaryProps {
  readonly range: Viewport;
  /** End of the run, which may have become shorter since the range was dragged out. */
  readonly endNs: number;
  /** Undefined until the worker has answered. */
  readonly stats: SelectionStats | undefined;
  readonly onClear: () => void;
}

/** Statistics of the time range that was dragged out. */
export function RangeSummary({ range, endNs, stats, onClear }: RangeSummaryProps) {
  const toNs = Math.min(range.toNs, endNs);
  const fromNs = Math.min(range.fromNs, toNs);
  const figures = stats ? rangeFigures(stats) : [];
  return (
    <section className="tl-summary" aria-label="Selected time range">
      <span className="tl-summary-head">
        {formatDuration(toNs - fromNs)} from {formatTime(fromNs)}
      </span>
      <dl>
        {figures.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      <button
        type="button"
        className="tl-tool"
        aria-label="Clear the time range"
        title="Clear (Esc)"
        onClick={onClear}
      >
        <svg viewBox="0 0 16 16" aria-hidden="true">
          <path d="m4 4 8 8M12 4l-8 8" />
        </svg>
      </button>
    </section>
  );
}
