import { max } from 'd3-array';
import { type ScaleLinear, scaleLinear } from 'd3-scale';
import { formatCount, formatDuration } from '../format.ts';
import { useWidthPx } from '../useWidthPx.ts';
import { binPosition, labelledEdges } from './bins.ts';
import type { LatencyView } from './model.ts';

const HEIGHT = 150;
const MARGIN = { top: 26, right: 8, bottom: 20, left: 40 };
const BASELINE = HEIGHT - MARGIN.bottom;
/** Narrowest room for a label on the axis. */
const LABEL_PX = 62;
/** Marks whose labels would touch go on the second line. */
const MARK_LABEL_PX = 40;
/** Marks nearer than this are one. */
const SAME_PX = 3;

/** What is drawn: bars, and places marked on their axis. */
type HistogramView = Pick<LatencyView, 'bars' | 'marks'>;

interface HistogramProps {
  readonly view: HistogramView;
  /** The picture in words. */
  readonly label: string;
  /** An edge of the axis as text. */
  readonly edge?: (value: number) => string;
}

interface PartProps {
  readonly view: HistogramView;
  /** From bin numbers, and from counts, to pixels. */
  readonly x: ScaleLinear<number, number>;
  readonly y: ScaleLinear<number, number>;
  readonly widthPx: number;
}

/** Bars over equal-width bins; the part that slept is hatched and on top. */
export function HistogramChart({ view, label, edge = formatDuration }: HistogramProps) {
  const [ref, widthPx] = useWidthPx<HTMLDivElement>(300);
  const { bars } = view;
  const x = scaleLinear([0, bars.length], [MARGIN.left, Math.max(MARGIN.left + 1, widthPx - MARGIN.right)]);
  const y = scaleLinear([0, max(bars, ({ count }) => count) ?? 1], [BASELINE, MARGIN.top]).nice(3);
  const part = { view, x, y, widthPx };
  return (
    <div ref={ref} className="histogram">
      <svg width={widthPx} height={HEIGHT} role="img" aria-label={label}>
        {bars.some(({ slept }) => slept > 0) && (
          <defs>
            <pattern
              id="histogram-hatch"
              width="6"
              height="6"
              patternUnits="userSpaceOnUse"
              patternTransform="rotate(45)"
            >
              <rect className="histogram-slept" width="6" height="6" />
              <path className="histogram-hatch" d="M0 0V6" />
            </pattern>
          </defs>
        )}
        <Counts {...part} />
        <Bars {...part} />
        <Edges {...part} edge={edge} />
        <Marks {...part} />
      </svg>
    </div>
  );
}

/** A count in the room beside the axis: "1 500", "20k", "1.5M". */
function shortCount(count: number): string {
  if (count >= 1e6) return `${Number((count / 1e6).toFixed(1))}M`;
  return count >= 1e4 ? `${Number((count / 1e3).toFixed(1))}k` : formatCount(count);
}

/** Grid lines with their counts; none for a count of zero, which is the axis. */
function Counts({ y, widthPx }: PartProps) {
  const counts = y.ticks(3).filter((count) => count > 0 && Number.isInteger(count));
  return counts.map((count) => (
    <g key={count}>
      <path className="chart-grid" d={`M${MARGIN.left} ${y(count)}H${widthPx - MARGIN.right}`} />
      <text className="chart-label" x={MARGIN.left - 4} y={y(count) + 3.5} textAnchor="end">
        {shortCount(count)}
      </text>
    </g>
  ));
}

function Bars({ view, x, y }: PartProps) {
  return view.bars.map((bar, i) => {
    const left = x(i) + 1;
    const barPx = Math.max(1, x(i + 1) - x(i) - 2);
    // One call among thousands is still to be seen.
    const top = bar.count === 0 ? BASELINE : Math.min(y(bar.count), BASELINE - 1.5);
    const split = Math.max(top, y(bar.count - bar.slept));
    return (
      <g key={bar.loNs}>
        <title>{bar.text}</title>
        <rect
          className="histogram-hit"
          x={x(i)}
          y={MARGIN.top}
          width={x(i + 1) - x(i)}
          height={BASELINE - MARGIN.top}
        />
        <rect className="histogram-fast" x={left} y={split} width={barPx} height={BASELINE - split} />
        <rect fill="url(#histogram-hatch)" x={left} y={top} width={barPx} height={split - top} />
      </g>
    );
  });
}

function Edges({ view, x, widthPx, edge }: PartProps & Required<Pick<HistogramProps, 'edge'>>) {
  const most = Math.max(2, Math.floor((widthPx - MARGIN.left) / LABEL_PX));
  return (
    <>
      <path className="chart-axis" d={`M${MARGIN.left} ${BASELINE + 0.5}H${widthPx - MARGIN.right}`} />
      {labelledEdges(view.bars, most).map(({ at, ns }) => (
        <text
          className="chart-label"
          key={ns}
          x={x(at)}
          y={HEIGHT - 6}
          textAnchor={x(at) > widthPx - LABEL_PX / 2 ? 'end' : 'middle'}
        >
          {edge(ns)}
        </text>
      ))}
    </>
  );
}

interface Mark {
  readonly name: string;
  readonly px: number;
  /** Line (0 or 1) on which the label stands. */
  readonly line: number;
}

/** Marks with their labels' lines; those that fall on one place share a label: "p90–p99". */
function placeMarks({ view, x }: PartProps): readonly Mark[] {
  const placed: Mark[] = [];
  for (const { name, ns } of view.marks) {
    const px = x(binPosition(view.bars, ns));
    const last = placed.at(-1);
    const gapPx = last === undefined ? Number.POSITIVE_INFINITY : px - last.px;
    if (last !== undefined && gapPx < SAME_PX) {
      placed[placed.length - 1] = { ...last, name: `${last.name.split('–')[0]}–${name}` };
    } else placed.push({ name, px, line: gapPx < MARK_LABEL_PX ? 1 - (last?.line ?? 0) : 0 });
  }
  return placed;
}

function Marks(props: PartProps) {
  return placeMarks(props).map(({ name, px, line }) => {
    const halfPx = name.length * 3.2;
    return (
      <g key={name}>
        <path className="histogram-mark" d={`M${px} ${line * 11 + 12}V${BASELINE}`} />
        <text className="histogram-mark-label" x={Math.min(px, props.widthPx - halfPx)} y={line * 11 + 9}>
          {name}
        </text>
      </g>
    );
  });
}
