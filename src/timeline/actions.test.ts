import { describe, expect, it } from 'vitest';
import { actionOfKey, TIMELINE_ACTIONS } from './actions.ts';

const press = (key: string, held: 'ctrlKey' | 'metaKey' | 'altKey' | '' = '') => ({
  key,
  ctrlKey: held === 'ctrlKey',
  metaKey: held === 'metaKey',
  altKey: held === 'altKey',
});

describe('keys of the timeline', () => {
  it('are those of the page description', () => {
    const keys = ['w', 'a', 's', 'd', '0', 'f', '[', ']', ',', '.', 'Escape'];
    expect(keys.map((key) => actionOfKey(press(key)))).toEqual([
      'zoomIn',
      'panLeft',
      'zoomOut',
      'panRight',
      'fitAll',
      'fitSelection',
      'previousOnTrack',
      'nextOnTrack',
      'previousOnTrack',
      'nextOnTrack',
      'clear',
    ]);
  });

  it('work with caps lock on', () => {
    expect(actionOfKey(press('W'))).toBe('zoomIn');
  });

  it('leave the browser its own: ctrl+S, ctrl+F, ctrl+0, alt+D', () => {
    expect(actionOfKey(press('s', 'ctrlKey'))).toBeUndefined();
    expect(actionOfKey(press('f', 'metaKey'))).toBeUndefined();
    expect(actionOfKey(press('d', 'altKey'))).toBeUndefined();
  });

  it("leave the transport its own: space, left and right, Home, End, '?'", () => {
    for (const key of [' ', 'ArrowLeft', 'ArrowRight', 'Home', 'End', '?', 'Tab', 'Enter']) {
      expect(actionOfKey(press(key))).toBeUndefined();
    }
  });

  it('mean one thing each, and every action has a name, a key and an icon', () => {
    const keys = TIMELINE_ACTIONS.flatMap((action) => action.keys);
    expect(new Set(keys).size).toBe(keys.length);
    for (const action of TIMELINE_ACTIONS) {
      expect(action.label.length).toBeGreaterThan(3);
      expect(action.keys.length).toBeGreaterThan(0);
      expect(action.icon.toLowerCase().startsWith('m')).toBe(true);
    }
  });
});
