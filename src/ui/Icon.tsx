/** Paths on a 16 x 16 grid, drawn with strokes unless they are in `FILLED`. */
const PATHS = {
  start: 'M3.5 3v10M12.5 3.5 6 8l6.5 4.5Z',
  stepBack: 'M10.5 3.5 4 8l6.5 4.5ZM13 3.5v9',
  step: 'M5.5 3.5 12 8l-6.5 4.5ZM3 3.5v9',
  previousGp: 'M9 4 4 8l5 4M13 4 8 8l5 4',
  nextGp: 'M7 4l5 4-5 4M3 4l5 4-5 4',
  play: 'M4.5 3 13 8l-8.5 5Z',
  pause: 'M4.5 3v10M11.5 3v10',
  undo: 'M6 3 2.5 6.5 6 10M2.5 6.5h7a4 4 0 0 1 0 8H7',
  redo: 'M10 3l3.5 3.5L10 10M13.5 6.5h-7a4 4 0 0 0 0 8H9',
  reset: 'M3 3v4h4M3.4 7A5 5 0 1 1 3 9.5',
  share: 'M9 3h4v4M13 3 7.5 8.5M11 9v4H3V5h4',
  help: 'M6 6a2 2 0 1 1 3 1.7c-.7.4-1 .8-1 1.6M8 12v.2',
  sun: 'M8 5.2a2.8 2.8 0 1 0 0 5.6 2.8 2.8 0 0 0 0-5.6ZM8 1.5v1.4M8 13.1v1.4M1.5 8h1.4M13.1 8h1.4M3.4 3.4l1 1M11.6 11.6l1 1M12.6 3.4l-1 1M4.4 11.6l-1 1',
  moon: 'M13 9.6A5.5 5.5 0 0 1 6.4 3 5.5 5.5 0 1 0 13 9.6Z',
  system: 'M2.5 3.5h11v7h-11ZM6 13.5h4M8 10.5v3',
  close: 'M4 4l8 8M12 4l-8 8',
  full: 'M9.5 2.5h4v4M6.5 13.5h-4v-4M13.5 2.5 9 7M2.5 13.5 7 9',
  small: 'M13 7H9V3M3 9h4v4M9 7l4.5-4.5M7 9l-4.5 4.5',
  hide: 'M3 8h10',
  panels: 'M2.5 3h11v10h-11ZM2.5 9.5h11M8 9.5V13',
  sliders: 'M3 4.5h10M3 8h10M3 11.5h10M6 3v3M10.5 6.5v3M5 10v3',
  lock: 'M4 7.5h8v6H4ZM5.5 7.5V5.2a2.5 2.5 0 0 1 5 0v2.3',
  plus: 'M8 3v10M3 8h10',
} as const;

const FILLED: ReadonlySet<string> = new Set(['start', 'stepBack', 'step', 'play', 'moon']);

export type IconName = keyof typeof PATHS;

/** A small sign beside or in place of a text; never the only name of a control. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg width="1em" height="1em" viewBox="0 0 16 16" className="ui-icon" aria-hidden="true">
      <path
        d={PATHS[name]}
        fill={FILLED.has(name) ? 'currentColor' : 'none'}
        stroke="currentColor"
        strokeWidth="1.5"
        strokeLinecap="round"
        strokeLinejoin="round"
      />
    </svg>
  );
}
