/**
 * Units of kvfree_rcu() by channel, as rows tell them. A unit has a place in the order in which its channel was filled
 * on its CPU; channels, batches and what is being freed are ranges of places, so that moving thousands of blocks is
 * moving two numbers. What a place holds never changes once it is known: replays of one log share it.
 */
import { KVFREE_CHANNEL } from '../engine/core/eventKinds.ts';

/** Channels of a CPU. */
export const CHANNELS = Object.values(KVFREE_CHANNEL).length;

/** Places [from, to) of one channel. */
export interface PlaceRange {
  readonly from: number;
  readonly to: number;
}
/** A range per channel. */
export type PlaceRanges = readonly [PlaceRange, PlaceRange, PlaceRange];

const NO_PLACES: PlaceRange = { from: 0, to: 0 };
/** Nothing on any channel. */
export const NO_RANGES: PlaceRanges = [NO_PLACES, NO_PLACES, NO_PLACES];

/** Places of one channel from `first` on, in columns; plain data, structured-cloneable. */
export interface UnitColumns {
  first: number;
  length: number;
  id: Int32Array;
  thread: Uint16Array;
  openRow: Int32Array;
  openNs: Float64Array;
  closedNs: Float64Array;
  /** Objects and bytes of all places up to and with this one. */
  objectsTo: Float64Array;
  bytesTo: Float64Array;
  /** The same of all places before `first`. */
  objectsBefore: number;
  bytesBefore: number;
}

/** By CPU of the krc and channel: CHANNELS * cpu + channel. */
export type UnitStore = Map<number, UnitColumns>;

const FIRST_CAPACITY = 16;
const COLUMNS = ['id', 'thread', 'openRow', 'openNs', 'closedNs', 'objectsTo', 'bytesTo'] as const;

function createColumns(first: number, capacity: number): UnitColumns {
  return {
    ...{ first, length: 0, objectsBefore: 0, bytesBefore: 0 },
    id: new Int32Array(capacity),
    thread: new Uint16Array(capacity),
    openRow: new Int32Array(capacity),
    openNs: new Float64Array(capacity),
    closedNs: new Float64Array(capacity),
    objectsTo: new Float64Array(capacity),
    bytesTo: new Float64Array(capacity),
  };
}

/** A copy of places [from, to) with room for more. */
function copyColumns(old: UnitColumns, from: number, to: number, capacity: number): UnitColumns {
  const copy = createColumns(from, capacity);
  const start = from - old.first;
  for (const name of COLUMNS) copy[name].set(old[name].subarray(start, to - old.first));
  copy.length = to - from;
  copy.objectsBefore = start === 0 ? old.objectsBefore : (old.objectsTo[start - 1] as number);
  copy.bytesBefore = start === 0 ? old.bytesBefore : (old.bytesTo[start - 1] as number);
  return copy;
}

/** The columns of a channel, made if there are none. */
export function columnsOf(store: UnitStore, cpu: number, channel: number): UnitColumns {
  const key = CHANNELS * cpu + channel;
  let columns = store.get(key);
  if (columns === undefined) {
    columns = createColumns(0, FIRST_CAPACITY);
    store.set(key, columns);
  }
  return columns;
}

/** What the row that opens a unit says. */
export interface OpenedUnit {
  readonly id: number;
  readonly thread: number;
  readonly openRow: number;
  readonly openNs: number;
}

/** A unit begins at place `place`, the next one of its channel. */
export function addUnit(columns: UnitColumns, place: number, unit: OpenedUnit): void {
  const i = place - columns.first;
  if (i < columns.length) return;
  const { length: capacity } = columns.id;
  if (i === capacity) {
    const grown = copyColumns(columns, columns.first, place, 2 * capacity);
    for (const name of COLUMNS) Object.assign(columns, { [name]: grown[name] });
  }
  columns.length = i + 1;
  columns.id[i] = unit.id;
  columns.thread[i] = unit.thread;
  columns.openRow[i] = unit.openRow;
  columns.openNs[i] = unit.openNs;
}

/** It takes no more. */
export function closeUnit(
  columns: UnitColumns,
  place: number,
  closedNs: number,
  objects: number,
  bytes: number,
): void {
  const i = place - columns.first;
  columns.closedNs[i] = closedNs;
  columns.objectsTo[i] = objectsBefore(columns, place) + objects;
  columns.bytesTo[i] = bytesBefore(columns, place) + bytes;
}

function objectsBefore({ first, objectsTo, objectsBefore: before }: UnitColumns, place: number): number {
  return place === first ? before : (objectsTo[place - first - 1] as number);
}

function bytesBefore({ first, bytesTo, bytesBefore: before }: UnitColumns, place: number): number {
  return place === first ? before : (bytesTo[place - first - 1] as number);
}

/** Objects in places [from, to), all of them closed. */
export function objectsIn(columns: UnitColumns, from: number, to: number): number {
  return from >= to ? 0 : objectsBefore(columns, to) - objectsBefore(columns, from);
}

/** Their bytes. */
export function bytesIn(columns: UnitColumns, from: number, to: number): number {
  return from >= to ? 0 : bytesBefore(columns, to) - bytesBefore(columns, from);
}

/** Number of the unit at a place. */
export function idAt(columns: UnitColumns, place: number): number {
  return columns.id[place - columns.first] as number;
}

/** A store that holds nothing but these places, by key. */
export function trimStore(store: UnitStore, live: ReadonlyMap<number, PlaceRange>): UnitStore {
  const trimmed: UnitStore = new Map();
  for (const [key, columns] of store) {
    const { from, to } = live.get(key) ?? { from: columns.first, to: columns.first };
    trimmed.set(key, copyColumns(columns, from, to, Math.max(FIRST_CAPACITY, 2 * (to - from))));
  }
  return trimmed;
}
