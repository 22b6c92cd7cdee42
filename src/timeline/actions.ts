/** What can be done on the timeline: one list for the keys, the toolbar and the page's list of keys. */

/** An action of the timeline. */
export type TimelineAction =
  | 'zoomIn'
  | 'zoomOut'
  | 'panLeft'
  | 'panRight'
  | 'fitAll'
  | 'fitSelection'
  | 'previousOnTrack'
  | 'nextOnTrack'
  | 'trackUp'
  | 'trackDown'
  | 'markRange'
  | 'toggleChain'
  | 'toggleTable'
  | 'clear';

/** How an action is called, drawn and reached. */
export interface ActionInfo {
  readonly id: TimelineAction;
  readonly label: string;
  /** Values of `KeyboardEvent.key`, lower case. The first one is shown. */
  readonly keys: readonly string[];
  /** How the first key is written on the page. */
  readonly keyLabel: string;
  /** Path of a 16 x 16 icon drawn with strokes. */
  readonly icon: string;
  /** Actions of one group stand together in the toolbar. */
  readonly group: 'move' | 'fit' | 'event' | 'range' | 'view';
}

export const TIMELINE_ACTIONS: readonly ActionInfo[] = [
  {
    id: 'panLeft',
    label: 'Move to earlier times',
    keys: ['a'],
    keyLabel: 'A',
    icon: 'M13 8H3M7 4 3 8l4 4',
    group: 'move',
  },
  {
    id: 'panRight',
    label: 'Move to later times',
    keys: ['d'],
    keyLabel: 'D',
    icon: 'M3 8h10M9 4l4 4-4 4',
    group: 'move',
  },
  {
    id: 'zoomIn',
    label: 'Zoom in',
    keys: ['w', '+', '='],
    keyLabel: 'W',
    icon: 'M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM10 10l3.5 3.5M5 7h4M7 5v4',
    group: 'move',
  },
  {
    id: 'zoomOut',
    label: 'Zoom out',
    keys: ['s', '-'],
    keyLabel: 'S',
    icon: 'M11 7a4 4 0 1 1-8 0 4 4 0 0 1 8 0ZM10 10l3.5 3.5M5 7h4',
    group: 'move',
  },
  {
    id: 'fitAll',
    label: 'Show the whole run',
    keys: ['0'],
    keyLabel: '0',
    icon: 'M2 3v10M14 3v10M4 8h8M6 6 4 8l2 2M10 6l2 2-2 2',
    group: 'fit',
  },
  {
    id: 'fitSelection',
    label: 'Fit the selection',
    keys: ['f'],
    keyLabel: 'F',
    icon: 'M3 6V3h3M10 3h3v3M13 10v3h-3M6 13H3v-3M6 6h4v4H6z',
    group: 'fit',
  },
  {
    id: 'previousOnTrack',
    label: 'Previous event on the track',
    keys: ['[', ','],
    keyLabel: '[',
    icon: 'M11 4 7 8l4 4M4 4v8',
    group: 'event',
  },
  {
    id: 'nextOnTrack',
    label: 'Next event on the track',
    keys: [']', '.'],
    keyLabel: ']',
    icon: 'm5 4 4 4-4 4M12 4v8',
    group: 'event',
  },
  {
    id: 'trackUp',
    label: 'Track above',
    keys: ['arrowup'],
    keyLabel: '↑',
    icon: 'M8 13V3M4 7l4-4 4 4',
    group: 'event',
  },
  {
    id: 'trackDown',
    label: 'Track below',
    keys: ['arrowdown'],
    keyLabel: '↓',
    icon: 'M8 3v10M4 9l4 4 4-4',
    group: 'event',
  },
  {
    id: 'markRange',
    label: 'Statistics of the selection, or of what is visible',
    keys: ['m'],
    keyLabel: 'M',
    icon: 'M4 3v10M12 3v10M6 11V8M8 11V5M10 11V7',
    group: 'range',
  },
  {
    id: 'toggleChain',
    label: 'All causes, back to the first',
    keys: ['c'],
    keyLabel: 'C',
    icon: 'M3 3h3v3H3zM10 10h3v3h-3zM4.5 6v5.5H10',
    group: 'range',
  },
  {
    id: 'clear',
    label: 'Clear the selection',
    keys: ['escape'],
    keyLabel: 'Esc',
    icon: 'm4 4 8 8M12 4l-8 8',
    group: 'range',
  },
  {
    id: 'toggleTable',
    label: 'The same window as a table',
    keys: ['t'],
    keyLabel: 'T',
    icon: 'M2.5 3.5h11v9h-11zM2.5 6.5h11M2.5 9.5h11M6.5 6.5v6',
    group: 'view',
  },
];

/** Something that the pointer does on the timeline. */
export interface PointerInfo {
  /** How: each of these does it. */
  readonly ways: readonly string[];
  readonly label: string;
}

/** What gestures.ts, the ruler and the minimap make of the pointer, for the page's list of keys. */
export const POINTER_ACTIONS: readonly PointerInfo[] = [
  { ways: ['Drag'], label: 'Select a stretch of time: its statistics' },
  { ways: ['Shift+drag', 'middle button'], label: 'Move the window' },
  { ways: ['Drag the cursor', 'ruler'], label: 'Move the cursor' },
  { ways: ['Click'], label: 'Select what is there; where nothing is, put the cursor there' },
  { ways: ['Double click'], label: 'Zoom in there' },
  {
    ways: ['Wheel', 'Ctrl+wheel'],
    label: 'Zoom; where the lanes are taller than their place, with Ctrl only',
  },
  { ways: ['Shift+wheel'], label: 'Move the window' },
  { ways: ['Touch'], label: 'One finger moves the window, two zoom' },
  { ways: ['Overview'], label: 'Drag the window, or its edges' },
];

/** The part of a KeyboardEvent that decides. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

const BY_KEY = new Map(TIMELINE_ACTIONS.flatMap((action) => action.keys.map((key) => [key, action.id])));

/**
 * What a key means on the focused timeline; undefined for keys that are not its own. With ctrl, meta or alt held a key belongs
 * to the browser. Shift does not matter: it is how some layouts type "+" and "[".
 */
export function actionOfKey(press: KeyPress): TimelineAction | undefined {
  if (press.ctrlKey || press.metaKey || press.altKey) return undefined;
  return BY_KEY.get(press.key.toLowerCase());
}
