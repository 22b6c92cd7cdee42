/** The sections `kfree` and `memory` of a result (docs/configuration.md). */
import type { EventLog } from '../engine/core/eventLog.ts';
import { kfreeLine } from './kfreeFloods.ts';
import { peakMemory } from './kvfreeMemory.ts';
import type { KfreeFlood } from './kvfreeTypes.ts';
import type { RunIndex } from './types.ts';

/** Floods of the kfree test: sums over its actors. */
export interface KfreeFigures {
  /** Begin of the last thread to begin, to end of the last one to end. */
  readonly floodNs: number;
  /** From there until everything is freed; absent where the run ended before. */
  readonly drainNs?: number;
  /** Normal grace periods that ended in either time. */
  readonly gracePeriods: number;
  readonly drainGracePeriods?: number;
  /** What the kernel prints, of the actor that ended last (kvfree K20); absent where it prints nothing. */
  readonly line?: string;
  /** Threads that ended without memory for their next object; absent: none. */
  readonly outOfMemory?: number;
}

/** Memory of kfree_rcu(). */
export interface MemoryFigures {
  /** Most in use: least memory available in the samples, or the exact maximum where nobody samples. */
  readonly peakBytes: number;
  /** As in the line. */
  readonly footprintBytes?: number;
  /** Objects given to kfree_rcu(), and freed. */
  readonly queued: number;
  readonly freed: number;
}

/** Both, of a run with kvfree_rcu(); without a finished flood there is no `kfree`. */
export function kfreeResult(
  log: EventLog,
  index: RunIndex,
): { readonly kfree?: KfreeFigures; readonly memory?: MemoryFigures } {
  const { kvfree } = index;
  if (kvfree === undefined || (kvfree.units.length === 0 && kvfree.floods.length === 0)) return {};
  const { floods, queued, freed, freedInline } = kvfree;
  const last = floods.at(-1);
  const memory = {
    peakBytes: peakBytes(log, index),
    ...(last === undefined ? {} : { footprintBytes: last.footprintBytes }),
    queued: queued + freedInline,
    freed: freed + freedInline,
  };
  return last === undefined ? { memory } : { kfree: figuresOf(floods, last), memory };
}

function figuresOf(floods: readonly KfreeFlood[], last: KfreeFlood): KfreeFigures {
  const sum = (figure: (flood: KfreeFlood) => number) =>
    floods.reduce((all, flood) => all + figure(flood), 0);
  const drainNs = sum((flood) => flood.drainNs);
  const line = kfreeLine(last);
  const outOfMemory = sum((flood) => flood.outOfMemory);
  const drained = { drainNs, drainGracePeriods: sum((flood) => flood.drainGracePeriods) };
  return {
    floodNs: sum((flood) => flood.floodNs),
    gracePeriods: sum((flood) => flood.gracePeriods),
    ...(Number.isNaN(drainNs) ? {} : drained),
    ...(line === undefined ? {} : { line }),
    ...(outOfMemory === 0 ? {} : { outOfMemory }),
  };
}

/** Most memory in use, bytes. */
export function peakBytes(log: EventLog, index: RunIndex): number {
  const least = index.kvfree?.leastFreeBytes ?? Number.NaN;
  if (!Number.isNaN(least)) return index.info.config.machine.memoryBytes - least;
  return peakMemory(log, index).total;
}
