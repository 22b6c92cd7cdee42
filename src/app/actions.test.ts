import { describe, expect, it } from 'vitest';
import { ACTIONS, actionForKey, keyLabel } from './actions.ts';

const press = (key: string, modifiers = {}) =>
  actionForKey({ key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, ...modifiers })?.id;

describe('actions', () => {
  it('no two actions share a key press', () => {
    const labels = ACTIONS.flatMap(({ keys }) => keys.map(keyLabel));
    expect(new Set(labels).size).toBe(labels.length);
    expect(new Set(ACTIONS.map(({ id }) => id)).size).toBe(ACTIONS.length);
  });

  it('finds the action of a key press', () => {
    expect(press(' ')).toBe('play');
    expect(press('ArrowRight')).toBe('step');
    expect(press('ArrowRight', { shiftKey: true })).toBe('nextGp');
    expect(press('Home')).toBe('toStart');
  });

  it('knows undo and redo on both kinds of keyboard', () => {
    expect(press('z', { ctrlKey: true })).toBe('undo');
    expect(press('z', { metaKey: true })).toBe('undo');
    expect(press('Z', { ctrlKey: true, shiftKey: true })).toBe('redo');
    expect(press('y', { ctrlKey: true })).toBe('redo');
  });

  it('a sign counts however it is typed, a letter alone does nothing here', () => {
    expect(press('?', { shiftKey: true })).toBe('help');
    expect(press('?')).toBe('help');
    expect(press('z')).toBeUndefined();
    expect(press(' ', { altKey: true })).toBeUndefined();
  });

  it('writes key presses as people do', () => {
    expect(keyLabel({ key: 'z', ctrl: true, shift: true })).toBe('Ctrl+Shift+Z');
    expect(keyLabel({ key: ' ' })).toBe('Space');
  });
});
