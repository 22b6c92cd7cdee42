import { type KeyboardEvent, memo, useState } from 'react';
import { TIMELINE_ACTIONS, type TimelineAction } from './actions.ts';

export interface TimelineToolbarProps {
  /** The same function as long as only what it does with the present run changes. */
  readonly onAction: (action: TimelineAction) => void;
  readonly isEnabled: (action: TimelineAction) => boolean;
  /** State of actions that switch something; undefined for the others. */
  readonly isOn: (action: TimelineAction) => boolean | undefined;
}

/** The toolbar holds every action but those that only walk about with the keyboard. */
const SHOWN = TIMELINE_ACTIONS.filter((action) => action.id !== 'trackUp' && action.id !== 'trackDown');

/** Two sets of props show the same buttons. */
function showTheSame(a: TimelineToolbarProps, b: TimelineToolbarProps): boolean {
  const isSame = ({ id }: (typeof SHOWN)[number]) =>
    a.isEnabled(id) === b.isEnabled(id) && a.isOn(id) === b.isOn(id);
  return a.onAction === b.onAction && SHOWN.every(isSame);
}

/** Every action as a button. One tab stop; arrow keys go from button to button. */
export const TimelineToolbar = memo(function TimelineToolbar(props: TimelineToolbarProps) {
  const { onAction, isEnabled, isOn } = props;
  const [current, setCurrent] = useState(0);
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    const to =
      step !== undefined
        ? (current + step + SHOWN.length) % SHOWN.length
        : { Home: 0, End: SHOWN.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    setCurrent(to);
    event.currentTarget.querySelectorAll('button')[to]?.focus();
  };
  return (
    <div className="tl-toolbar" role="toolbar" aria-label="Timeline" onKeyDown={onKeyDown}>
      {SHOWN.map((action, i) => (
        <button
          key={action.id}
          type="button"
          className={i > 0 && SHOWN[i - 1]?.group !== action.group ? 'tl-tool tl-tool-first' : 'tl-tool'}
          tabIndex={i === current ? 0 : -1}
          title={`${action.label} (${action.keyLabel})`}
          aria-label={action.label}
          aria-pressed={isOn(action.id)}
          aria-disabled={!isEnabled(action.id)}
          onFocus={() => setCurrent(i)}
          onClick={() => {
            if (isEnabled(action.id)) onAction(action.id);
          }}
        >
          <svg viewBox="0 0 16 16" aria-hidden="true">
            <path d={action.icon} />
          </svg>
        </button>
      ))}
    </div>
  );
}, showTheSame);
