/** Figures of the kfree test, actor by actor, as rcuscale takes them (kvfree K18 to K21). */
import { KFREE_TEST, KIND } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { footprintBytes, printedMb } from '../engine/kvfree/footprint.ts';
import { GP_STEP, seqCtr, seqState } from '../engine/tree/gpSeq.ts';
import type { KfreeFlood } from './kvfreeTypes.ts';

/** rcuscale's count of grace periods between two readings of gp_seq, rcu_seq_diff() (tree R1.6). */
export function seqDiff(now: number, old: number): number {
  if (now === old) return 0;
  const isPartial = seqState(now) !== 0 || seqState(old) !== 0;
  const rounded = GP_STEP * (seqCtr(now) - seqCtr(old + 3)) + (isPartial ? 1 : 0);
  return rounded < GP_STEP ? 1 : Math.floor((rounded - GP_STEP) / GP_STEP) + 2;
}

/** A flood under way. */
interface Open {
  startNs: number;
  startSeq: number;
  endSeq: number;
  outOfMemory: number;
}

/** Reads rows in order. */
export class KfreeFloods {
  readonly floods: KfreeFlood[] = [];
  /** Least memory in the samples, NaN: none. */
  leastFreeBytes = Number.NaN;
  readonly #info: RunInfo;
  /** By actor. */
  readonly #open = new Map<number, Open>();
  /** By thread: pages available at loop 0 and at the quarters. */
  readonly #pages = new Map<number, number[]>();

  constructor(info: RunInfo) {
    this.#info = info;
  }

  /** Takes a row of any kind. */
  row(event: EventRow): void {
    if (event.kind === KIND.kvfree_memory) this.#memory(event);
    else if (event.kind === KIND.kfree_test) this.#test(event);
  }

  #memory({ track, a: freeBytes, b: quarter }: EventRow): void {
    if (quarter < 0) {
      const { leastFreeBytes: least } = this;
      this.leastFreeBytes = Number.isNaN(least) ? freeBytes : Math.min(least, freeBytes);
      return;
    }
    const pages = this.#pages.get(track) ?? [];
    this.#pages.set(track, pages);
    pages.push(Math.floor(freeBytes / this.#info.config.machine.pageSize));
  }

  #test({ track, a: what, b: seq, c: ns, timeNs }: EventRow): void {
    const actor = this.#info.tracks[track]?.actor ?? -1;
    const open = this.#open.get(actor);
    if (what === KFREE_TEST.begin) {
      // the last one to begin counts
      const outOfMemory = open?.outOfMemory ?? 0;
      this.#open.set(actor, { startNs: timeNs, startSeq: seq, endSeq: seq, outOfMemory });
    } else if (what === KFREE_TEST.noMemory && open !== undefined) {
      open.outOfMemory++;
    } else if (what === KFREE_TEST.last && open !== undefined) {
      open.endSeq = seq;
      this.floods.push(this.#flood(actor, track, open, timeNs, ns));
    } else if (what === KFREE_TEST.drained && open !== undefined) {
      const i = this.floods.findIndex((flood) => flood.actor === actor);
      const flood = this.floods[i];
      if (flood === undefined) return;
      this.floods[i] = { ...flood, drainedNs: timeNs, drainedSeq: seq };
    }
  }

  #flood(actor: number, thread: number, open: Open, endNs: number, totalNs: number): KfreeFlood {
    const { config } = this.#info;
    const [first = 0, ...later] = this.#pages.get(thread) ?? [];
    const kfree = config.actors[actor];
    return {
      ...{ actor, startNs: open.startNs, endNs, startSeq: open.startSeq, endSeq: open.endSeq, totalNs },
      ...{ drainedNs: Number.NaN, drainedSeq: Number.NaN },
      batches: seqDiff(open.endSeq, open.startSeq),
      footprintBytes: footprintBytes(first, later, config.machine.pageSize),
      loops: kfree?.kind === 'kfree' ? kfree.loops : 0,
      outOfMemory: open.outOfMemory,
    };
  }
}

/** Follows on which CPUs threads of floods run. Reads rows in order. */
export class FloodThreads {
  /** By CPU without a thread that runs: when its last one ended. */
  readonly endedNs = new Map<number, number>();
  readonly #info: RunInfo;
  /** By CPU: threads that run. */
  readonly #running = new Map<number, Set<number>>();

  constructor(info: RunInfo) {
    this.#info = info;
  }

  /** Takes a row of any kind. */
  row({ kind, track, a: what, timeNs }: EventRow): void {
    if (kind !== KIND.kfree_test || what === KFREE_TEST.drained) return;
    const cpu = this.#info.tracks[track]?.cpu ?? -1;
    const running = this.#running.get(cpu) ?? new Set();
    this.#running.set(cpu, running);
    if (what === KFREE_TEST.begin) {
      running.add(track);
      this.endedNs.delete(cpu);
      return;
    }
    if (running.delete(track) && running.size === 0) this.endedNs.set(cpu, timeNs);
  }
}

/** The line that the kernel prints (K20); it prints none where a thread got no memory. */
export function kfreeLine(flood: KfreeFlood): string | undefined {
  const { totalNs, loops, batches, footprintBytes: footprint, outOfMemory } = flood;
  if (outOfMemory > 0) return undefined;
  const time = `Total time taken by all kfree'ers: ${totalNs} ns`;
  return `${time}, loops: ${loops}, batches: ${batches}, memory footprint: ${printedMb(footprint)}MB`;
}
