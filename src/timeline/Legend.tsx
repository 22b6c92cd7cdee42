import { memo } from 'react';
import { LEGEND } from './spanStyles.ts';

const VARIABLES: Readonly<Record<string, string>> = {
  reader: '--reader',
  poll: '--poll',
  sleep: '--sleep',
  gp: '--gp',
  callback: '--callback',
};

/** What colours and textures mean. */
export const Legend = memo(function Legend() {
  return (
    <ul className="tl-legend" aria-label="Legend">
      {LEGEND.map(({ words, colour, texture }) => (
        <li key={words}>
          <svg viewBox="0 0 12 12" aria-hidden="true" style={{ color: `var(${VARIABLES[colour]})` }}>
            {texture === 'diamond' ? (
              <path d="M6 1l5 5-5 5-5-5z" fill="currentColor" />
            ) : (
              <rect width="12" height="12" rx="2" fill="currentColor" />
            )}
            {texture === 'comb' && <path d="M2.5 0v12M5.5 0v12M8.5 0v12" className="tl-legend-stroke" />}
            {(texture === 'hatch' || texture === 'cross') && (
              <path d="M0 6l6-6M0 12 12 0M6 12l6-6" className="tl-legend-stroke" />
            )}
            {texture === 'cross' && <path d="M0 6l6 6M0 0l12 12M6 0l6 6" className="tl-legend-stroke" />}
          </svg>
          {words}
        </li>
      ))}
    </ul>
  );
});
