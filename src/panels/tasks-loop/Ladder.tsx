import type { CSSProperties } from 'react';
import type { LadderLine, LadderView } from './ladder.ts';

/** Units of the picture: it is as wide as the panel. */
const WIDTH = 1000;
const LINE = 22;

const x = (at: number) => Math.round(at * WIDTH);

function Line({ line, top }: { readonly line: LadderLine; readonly top: number }) {
  return (
    <g className={line.isOwn ? 'tasks-line own' : 'tasks-line'}>
      <path d={`M0 ${top + LINE / 2}H${WIDTH}`} className="tasks-rail" />
      {line.scans.map((at, i) => (
        <path
          key={at}
          d={`M${x(at)} ${top + 4}v${LINE - 8}`}
          className={i === line.notices ? 'tasks-scan notices' : 'tasks-scan'}
        />
      ))}
    </g>
  );
}

/** When scans come under each kernel's back-off; the line of this one is the strong one. */
export function Ladder({ view }: { readonly view: LadderView }) {
  const height = view.lines.length * LINE;
  return (
    <div
      className="tasks-ladder"
      role="img"
      aria-label={view.label}
      style={{ '--tasks-lines': view.lines.length } as CSSProperties}
    >
      <div className="tasks-ladder-names">
        {view.lines.map(({ rule, name, isOwn }) => (
          <span key={rule} className={isOwn ? 'own' : undefined}>
            {name}
          </span>
        ))}
      </div>
      <div className="tasks-ladder-plot">
        <svg viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" aria-hidden="true">
          {view.lines.map((line, i) => (
            <Line key={line.rule} line={line} top={i * LINE} />
          ))}
          {Number.isNaN(view.released) ? null : (
            <path d={`M${x(view.released)} 0v${height}`} className="tasks-released" />
          )}
          {Number.isNaN(view.now) ? null : <path d={`M${x(view.now)} 0v${height}`} className="tasks-now" />}
        </svg>
        <div className="tasks-axis">
          {view.axis.map(({ at, text }) => (
            <span key={text} style={{ insetInlineStart: `${at * 100}%` }}>
              {text}
            </span>
          ))}
        </div>
      </div>
    </div>
  );
}
