/** The sections `kfree` and `memory` of a result (docs/configuration.md). */
import type { EventLog } from '../engine/core/eventLog.ts';
import { seqCtr } from '../engine/tree/gpSeq.ts';
import { kfreeLine } from './kfreeFloods.ts';
import { peakMemory } from './kvfreeMemory.ts';
import type { KfreeFlood } from './kvfreeTypes.ts';
import type { RunIndex } from './types.ts';

/** Floods of the kfree test, of all actors together: they may overlap, and there may be time between them. */
export interface KfreeFigures {
  /**
   * Begin of the first flood, which is that of its last thread to begin, to the end of the last one, which is that of
   * its last thread to end.
   */
  readonly floodNs: number;
  /** From there until everything is freed; absent where the run ended before. */
  readonly drainNs?: number;
  /** Normal grace periods that ended in either time, by gp_seq. */
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
  /** Objects that were not freed as their grace period had not passed (kvfree K11); absent: none. */
  readonly leaked?: number;
}

/** Both, of a run with kvfree_rcu(); without a finished flood there is no `kfree`. */
export function kfreeResult(
  log: EventLog,
  index: RunIndex,
): { readonly kfree?: KfreeFigures; readonly memory?: MemoryFigures } {
  const { kvfree } = index;
  if (kvfree === undefined || (kvfree.units.length === 0 && kvfree.floods.length === 0)) return {};
  const { floods, queued, freed, freedInline, debug } = kvfree;
  const last = floods.at(-1);
  const memory = {
    peakBytes: peakBytes(log, index),
    ...(last === undefined ? {} : { footprintBytes: last.footprintBytes }),
    queued: queued + freedInline,
    freed: freed + freedInline,
    ...(debug.leaked === 0 ? {} : { leaked: debug.leaked }),
  };
  const kfree = floodFigures(floods);
  return kfree === undefined ? { memory } : { kfree, memory };
}

/** Figures of the floods that have ended, in the order of their ends; undefined: none has. */
export function floodFigures(floods: readonly KfreeFlood[]): KfreeFigures | undefined {
  const last = floods.at(-1);
  if (last === undefined) return undefined;
  const first = floods.reduce((early, flood) => (flood.startNs < early.startNs ? flood : early));
  // a flood of which not everything is freed makes it NaN
  const drainedNs = Math.max(...floods.map((flood) => flood.drainedNs));
  const drained = floods.find((flood) => flood.drainedNs === drainedNs);
  const line = kfreeLine(last);
  const outOfMemory = floods.reduce((all, flood) => all + flood.outOfMemory, 0);
  return {
    floodNs: last.endNs - first.startNs,
    gracePeriods: seqCtr(last.endSeq) - seqCtr(first.startSeq),
    ...(drained === undefined
      ? {}
      : {
          drainNs: drainedNs - last.endNs,
          drainGracePeriods: seqCtr(drained.drainedSeq) - seqCtr(last.endSeq),
        }),
    ...(line === undefined ? {} : { line }),
    ...(outOfMemory === 0 ? {} : { outOfMemory }),
  };
}

/** Most memory in use by the samples, bytes; undefined where nobody samples. */
export function sampledPeak({ kvfree, info }: RunIndex): number | undefined {
  const least = kvfree?.leastFreeBytes ?? Number.NaN;
  return Number.isNaN(least) ? undefined : info.config.machine.memoryBytes - least;
}

/** Most memory in use, bytes: by the samples, or exactly. */
export function peakBytes(log: EventLog, index: RunIndex): number {
  return sampledPeak(index) ?? peakMemory(log, index).total;
}
