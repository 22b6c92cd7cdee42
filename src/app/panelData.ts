import { createStore, type StoreApi } from 'zustand/vanilla';
import type { PanelData } from '../panels/panelProps.ts';

export type PanelDataStore = StoreApi<PanelData>;

/** What the panels draw; written at most once per animation frame. */
export function createPanelData(isLocked: boolean): PanelDataStore {
  return createStore<PanelData>(() => ({
    run: undefined,
    state: undefined,
    domain: -1,
    cursor: undefined,
    rows: undefined,
    isStepped: false,
    why: undefined,
    slowest: [],
    selection: undefined,
    scenario: undefined,
    isLocked,
  }));
}
