import type { Session } from './session.ts';
import { nextTheme } from './theme.ts';

/** A key press that stands for an action. `key` as in KeyboardEvent.key, letters in lower case. */
export interface KeyCombo {
  readonly key: string;
  readonly ctrl?: boolean;
  readonly shift?: boolean;
}

/** What a user can do: one object for the button, the shortcut and the list of keys. */
export interface Action {
  readonly id: string;
  readonly label: string;
  readonly group: 'Playing' | 'Configuration' | 'Page';
  readonly keys: readonly KeyCombo[];
  readonly isEnabled: (session: Session) => boolean;
  readonly perform: (session: Session) => void;
}

const hasRun = ({ run }: Session) => run.getState().summary !== undefined;
const isUnlocked = ({ view }: Session) => !view.getState().isLocked;
const always = () => true;

function endNs({ run }: Session): number {
  return run.getState().summary?.endNs ?? 0;
}

function playOrPause(session: Session): void {
  const { view } = session;
  const { isPlaying, cursor } = view.getState();
  if (!isPlaying && cursor.timeNs >= endNs(session)) session.navigate.toStart();
  view.setState({ isPlaying: !isPlaying });
}

const playing = [
  {
    id: 'play',
    label: 'Play or pause',
    group: 'Playing',
    keys: [{ key: ' ' }],
    isEnabled: hasRun,
    perform: playOrPause,
  },
  {
    id: 'stepBack',
    label: 'Step back by one event',
    group: 'Playing',
    keys: [{ key: 'ArrowLeft' }],
    isEnabled: (session) => hasRun(session) && session.view.getState().cursor.row >= 0,
    perform: ({ navigate }) => navigate.step(-1),
  },
  {
    id: 'step',
    label: 'Step by one event',
    group: 'Playing',
    keys: [{ key: 'ArrowRight' }],
    isEnabled: hasRun,
    perform: ({ navigate }) => navigate.step(1),
  },
  {
    id: 'previousGp',
    label: 'To the previous grace period',
    group: 'Playing',
    keys: [{ key: 'ArrowLeft', shift: true }],
    isEnabled: hasRun,
    perform: ({ navigate }) => navigate.stepGp(-1),
  },
  {
    id: 'nextGp',
    label: 'To the next grace period',
    group: 'Playing',
    keys: [{ key: 'ArrowRight', shift: true }],
    isEnabled: hasRun,
    perform: ({ navigate }) => navigate.stepGp(1),
  },
  {
    id: 'toStart',
    label: 'Reset to the start',
    group: 'Playing',
    keys: [{ key: 'Home' }],
    isEnabled: hasRun,
    perform: ({ navigate }) => navigate.toStart(),
  },
  {
    id: 'toEnd',
    label: 'To the end',
    group: 'Playing',
    keys: [{ key: 'End' }],
    isEnabled: hasRun,
    perform: ({ navigate }) => navigate.toEnd(),
  },
] as const satisfies readonly Action[];

const others = [
  {
    id: 'undo',
    label: 'Undo the last change',
    group: 'Configuration',
    keys: [{ key: 'z', ctrl: true }],
    isEnabled: (session) => isUnlocked(session) && session.config.getState().past.length > 0,
    perform: ({ config }) => config.undo(),
  },
  {
    id: 'redo',
    label: 'Redo it',
    group: 'Configuration',
    keys: [
      { key: 'z', ctrl: true, shift: true },
      { key: 'y', ctrl: true },
    ],
    isEnabled: (session) => isUnlocked(session) && session.config.getState().future.length > 0,
    perform: ({ config }) => config.redo(),
  },
  {
    id: 'resetAll',
    label: 'Reset all to the scenario',
    group: 'Configuration',
    keys: [],
    isEnabled: (session) =>
      isUnlocked(session) && Object.keys(session.config.getState().overrides).length > 0,
    perform: ({ config }) => config.resetAll(),
  },
  {
    id: 'commandLine',
    label: 'Paste a kernel command line',
    group: 'Configuration',
    keys: [],
    isEnabled: isUnlocked,
    perform: ({ dialog }) => dialog.show('commandLine'),
  },
  {
    id: 'share',
    label: 'Share this run',
    group: 'Page',
    keys: [],
    isEnabled: always,
    perform: ({ dialog }) => dialog.show('share'),
  },
  {
    id: 'leaveFull',
    label: 'Leave full screen',
    group: 'Page',
    keys: [{ key: 'Escape' }],
    isEnabled: ({ view }) => view.getState().fullPanel !== undefined,
    perform: ({ view }) => view.setState({ fullPanel: undefined }),
  },
  {
    id: 'theme',
    label: 'Change the theme: system, dark, light',
    group: 'Page',
    keys: [],
    isEnabled: always,
    perform: ({ view }) => view.setState({ theme: nextTheme(view.getState().theme) }),
  },
  {
    id: 'help',
    label: 'List the keys',
    group: 'Page',
    keys: [{ key: '?' }],
    isEnabled: always,
    perform: ({ dialog }) => dialog.show('help'),
  },
] as const satisfies readonly Action[];

/** All actions of the page; the timeline's own are in timeline/actions.ts. */
export const ACTIONS: readonly Action[] = [...playing, ...others];
export type ActionId = (typeof playing)[number]['id'] | (typeof others)[number]['id'];

/** The action of this id. */
export function actionOf(id: ActionId): Action {
  return ACTIONS.find((action) => action.id === id) as Action;
}

const KEY_NAMES: Readonly<Record<string, string>> = { ' ': 'Space', ArrowLeft: '←', ArrowRight: '→' };

/** "Ctrl+Shift+Z": how a key press is written. */
export function keyLabel({ key, ctrl = false, shift = false }: KeyCombo): string {
  const name = KEY_NAMES[key] ?? (key.length === 1 ? key.toUpperCase() : key);
  return `${ctrl ? 'Ctrl+' : ''}${shift ? 'Shift+' : ''}${name}`;
}

/** What of a KeyboardEvent counts. */
export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

/** The action of a key press, or undefined. The command key stands for Ctrl; Shift is part of signs such as "?". */
export function actionForKey(event: KeyPress): Action | undefined {
  if (event.altKey) return undefined;
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  const isSign = key.length === 1 && !/[a-z ]/.test(key);
  return ACTIONS.find(({ keys }) =>
    keys.some(
      (combo) =>
        combo.key === key &&
        (combo.ctrl ?? false) === (event.ctrlKey || event.metaKey) &&
        (isSign || (combo.shift ?? false) === event.shiftKey),
    ),
  );
}
