import { memo } from 'react';
import type { LaneInfo } from '../analysis/laneTypes.ts';
import { type LegendEntry, legendOf, type Shape } from './spanStyles.ts';

const VARIABLES: Readonly<Record<string, string>> = {
  reader: '--reader',
  poll: '--poll',
  sleep: '--sleep',
  gp: '--gp',
  callback: '--callback',
  expedited: '--ipi',
  memory: '--memory',
};

/** Outlines of the marks that the legend has, in a box of 12 by 12. */
const OUTLINES: Readonly<Partial<Record<Shape, string>>> = {
  diamond: 'M6 1l5 5-5 5-5-5z',
  circle: 'M6 2a4 4 0 1 0 .01 0z',
  triangleDown: 'M1 2.5h10l-5 8z',
  hollowTriangleDown: 'M1.5 2.5h9l-4.5 7z',
  hollowTriangleUp: 'M1.5 9.5h9l-4.5-7z',
};

/** More entries than this have a line of their own below the heading. */
const BESIDE_HEADING = 6;

function Sign({ entry }: { readonly entry: LegendEntry }) {
  if ('shape' in entry) {
    const isHollow = entry.shape.startsWith('hollow');
    return <path d={OUTLINES[entry.shape]} className={isHollow ? 'tl-legend-hollow' : 'tl-legend-full'} />;
  }
  const { texture } = entry;
  return (
    <>
      <rect
        y={texture === 'low' ? 4 : 0}
        width="12"
        height={texture === 'low' ? 5 : 12}
        rx={texture === 'low' ? 1 : 2}
        fill="currentColor"
      />
      {texture === 'comb' && <path d="M2.5 0v12M5.5 0v12M8.5 0v12" className="tl-legend-stroke" />}
      {(texture === 'hatch' || texture === 'cross') && (
        <path d="M0 6l6-6M0 12 12 0M6 12l6-6" className="tl-legend-stroke" />
      )}
      {texture === 'cross' && <path d="M0 6l6 6M0 0l12 12M6 0l6 6" className="tl-legend-stroke" />}
    </>
  );
}

/** What colours, textures and marks of this run mean. */
export const Legend = memo(function Legend({ lanes }: { readonly lanes: readonly LaneInfo[] }) {
  const entries = legendOf(lanes);
  const isLong = entries.length > BESIDE_HEADING;
  return (
    <ul className={isLong ? 'tl-legend tl-legend-long' : 'tl-legend'} aria-label="Legend">
      {entries.map((entry) => (
        <li key={entry.words}>
          <svg viewBox="0 0 12 12" aria-hidden="true" style={{ color: `var(${VARIABLES[entry.colour]})` }}>
            <Sign entry={entry} />
          </svg>
          {entry.words}
        </li>
      ))}
    </ul>
  );
});
