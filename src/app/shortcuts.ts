import { actionForKey } from './actions.ts';
import type { Session } from './session.ts';

/** Controls that use keys themselves: typing, sliders, lists, menus, tabs, and whatever is in a dialog. */
const OWN_KEYS =
  'input, textarea, select, [contenteditable], [role="slider"], [role="listbox"], [role="menu"], [role="tablist"], ' +
  '[role="dialog"], [role="separator"], [role="grid"]';
/** Controls that take the space bar only. */
const OWN_SPACE = 'button, a[href], summary, [role="button"], [role="switch"], [role="option"]';
/** Where single characters are shortcuts: nowhere in particular, or the timeline. */
const CHARACTER_KEYS = '[data-timeline]';

function isTaken(event: KeyboardEvent): boolean {
  const { target } = event;
  if (!(target instanceof Element)) return false;
  const isCtrl = event.ctrlKey || event.metaKey;
  if (isCtrl)
    return (
      target.closest(
        'input:not([type="range"], [type="checkbox"]), textarea, [contenteditable], [role="dialog"]',
      ) !== null
    );
  if (target.closest(OWN_KEYS) !== null) return true;
  if (event.key === ' ' || event.key === 'Enter') return target.closest(OWN_SPACE) !== null;
  if (event.key.length === 1) return target !== document.body && target.closest(CHARACTER_KEYS) === null;
  return false;
}

/** Listens for the shortcuts of the page's actions until the returned function is called. */
export function listenForShortcuts(session: Session): () => void {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.defaultPrevented || isTaken(event)) return;
    const action = actionForKey(event);
    if (action === undefined) return;
    event.preventDefault();
    if (action.isEnabled(session)) action.perform(session);
  };
  window.addEventListener('keydown', onKeyDown);
  return () => window.removeEventListener('keydown', onKeyDown);
}
