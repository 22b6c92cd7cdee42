import type { PhaseId, PhaseState } from './model.ts';

/** Where each state stands in the drawing: a square walked clockwise, as the grace period walks it. */
const BOXES: Readonly<Record<PhaseId, readonly [x: number, y: number]>> = {
  idle: [8, 3],
  scan1: [158, 3],
  flip: [158, 63],
  scan2: [8, 63],
};
const WIDTH = 84;
const HEIGHT = 34;
/** From edge to edge, clockwise: IDLE, SCAN1, flip, SCAN2, IDLE. */
const ARROWS = ['M92 20H152', 'M200 37V57', 'M158 80H98', 'M50 63V43'] as const;

/** The grace-period state machine with its active state lit; said in words by `label`. */
export function StateMachine({
  states,
  label,
}: {
  readonly states: readonly PhaseState[];
  readonly label: string;
}) {
  return (
    <svg className="machine" viewBox="0 0 250 100" role="img" aria-label={label}>
      <defs>
        <marker
          id="machine-tip"
          viewBox="0 0 8 8"
          refX="6"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path className="machine-tip" d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {ARROWS.map((d) => (
        <path className="machine-arrow" d={d} key={d} markerEnd="url(#machine-tip)" />
      ))}
      {states.map(({ id, name, note, isActive }) => {
        const [x, y] = BOXES[id];
        return (
          <g className={isActive ? 'machine-state active' : 'machine-state'} key={id}>
            <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="5" />
            <text x={x + WIDTH / 2} y={y + (note === '' ? 21.5 : 15)}>
              {name}
            </text>
            {note === '' ? null : (
              <text className="machine-note" x={x + WIDTH / 2} y={y + 28}>
                {note}
              </text>
            )}
          </g>
        );
      })}
    </svg>
  );
}
