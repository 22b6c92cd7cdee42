/** A domain (struct srcu_struct): counters, grace-period state, callback lists (spec srcu §1). */
import { KIND } from '../core/eventKinds.ts';
import type { SrcuConstants } from '../core/info.ts';
import type { Sim } from '../core/sim.ts';
import { CallbackList } from './callbackList.ts';
import { effectiveConvertToBig } from './params.ts';

/** srcu_gp_seq, low two bits (1.3). */
export const STATE = { idle: 0, scan1: 1, scan2: 2 } as const;
/** srcu_size_state, as far as it is told apart here (1.5). */
export const SIZE = { small: 0, big: 8 } as const;

/** Rule srcu.delay (3.1). */
const AGE_FROM = { 'exp-only': Number.POSITIVE_INFINITY, 'age-1': 1, 'age-2': 2 } as const;

/** srcu_data of one CPU: its callbacks, oldest first, and the furthest grace periods asked for through it. */
export interface SrcuData {
  readonly cpu: number;
  readonly callbacks: CallbackList;
  /** Taken off by srcu_invoke_callbacks() and not run yet. */
  readonly invoking: CallbackList;
  /** Target of the callbacks being invoked; they count until the last of them has run. Undefined: none. */
  invokingTarget: number | undefined;
  needed: number;
  neededExp: number;
}

/** snap(seq): the end of the first grace period that begins after now (1.3). */
export function seqSnap(seq: number): number {
  return Math.floor((seq + 7) / 4) * 4;
}

/** One srcu_struct. What happens to it is in the other files of this folder. */
export class Domain {
  readonly sim: Sim;
  readonly track: number;
  readonly constants: SrcuConstants;
  /** Age of a grace period, in jiffies, from which on the age rule adds to the delay (3.1); Infinity: there is none. */
  readonly ageFrom: number;
  srcuIdx = 0;
  gpSeq = 0;
  needed = 0;
  neededExp = 0;
  gpStartJiffy = 0;
  /** srcu_last_gp_end; the domain was initialised long before t = 0 (1.6). */
  lastGpEndNs = Number.NEGATIVE_INFINITY;
  /** srcu_n_exp_nodelay. */
  n = 0;
  /** reschedule_jiffies and reschedule_count. */
  rescheduleJiffy = -1;
  rescheduleCount = 0;
  readonly sizeState: number;
  readonly locks: [number, number] = [0, 0];
  readonly unlocks: [number, number] = [0, 0];
  /** Row of the unlock that last emptied each index. */
  readonly emptiedRow: [number, number] = [-1, -1];
  readonly #data: (SrcuData | undefined)[] = [];
  /** All srcu_data that were ever used, in order of first use. */
  readonly allData: SrcuData[] = [];
  /** srcu_barrier_seq, odd while a barrier is under way, and who waits for the barrier's mutex (2.8). */
  barrierSeq = 0;
  readonly barrierWaiters: (() => void)[] = [];
  /** Called before the last reader of an index leaves (spec srcu 4.8: ends a fast-forward). */
  onEmptying: (idx: number) => void = () => {};
  /** Who polls for the end of which grace period (start_poll_synchronize_srcu()). */
  readonly pollers: { readonly target: number; readonly completed: () => void }[] = [];
  /** Queues the callback work of a CPU, `delay` in jiffies; set by the callbacks' file. */
  launch: (data: SrcuData, delay: number, fromCpu: number) => void = () => {};
  /** Queues process_srcu; set by its file. */
  queueGp: (delay: number, fromCpu: number) => void = () => {};

  constructor(sim: Sim, track: number, constants: SrcuConstants) {
    this.sim = sim;
    this.track = track;
    this.constants = constants;
    this.ageFrom = AGE_FROM[sim.rules['srcu.delay']];
    this.sizeState = initialSizeState(sim);
  }

  get state(): number {
    return this.gpSeq % 4;
  }

  /** E of 3.1: the grace period under way (or the next one) is expedited. */
  get isExpedited(): boolean {
    return this.gpSeq < this.neededExp;
  }

  /** Readers counted on an index (5.2). */
  active(idx: number): number {
    return (this.locks[idx] as number) - (this.unlocks[idx] as number);
  }

  /** srcu_data of a CPU. */
  data(cpu: number): SrcuData {
    let data = this.#data[cpu];
    if (data === undefined) {
      data = {
        cpu,
        callbacks: new CallbackList(),
        invoking: new CallbackList(),
        invokingTarget: undefined,
        needed: 0,
        neededExp: 0,
      };
      this.#data[cpu] = data;
      this.allData.push(data);
    }
    return data;
  }

  /** A grace period has ended: tells those who poll for it. */
  completePollers(): void {
    const { pollers, gpSeq } = this;
    for (let i = 0; i < pollers.length; ) {
      const poller = pollers[i] as (typeof pollers)[number];
      if (poller.target > gpSeq) i++;
      else {
        pollers.splice(i, 1);
        poller.completed();
      }
    }
  }

  /** Counts a reader (5.1 INC). `own`: an update-side call's section (5.6). */
  lock(track: number, cpu: number, idx: number, own: boolean): void {
    this.locks[idx as 0 | 1]++;
    this.sim.emit(KIND.srcu_lock, track, this.track, idx, cpu, own ? 1 : 0);
  }

  /** A reader leaves (5.1). */
  unlock(track: number, cpu: number, idx: number, own: boolean): void {
    const last = this.active(idx) === 1;
    if (last) this.onEmptying(idx);
    this.unlocks[idx as 0 | 1]++;
    const row = this.sim.emit(KIND.srcu_unlock, track, this.track, idx, cpu, own ? 1 : 0);
    if (last) this.emptiedRow[idx as 0 | 1] = row;
  }
}

/** 1.5 a: big from the start with enough CPUs or convert_to_big=1; contention is not modelled. */
function initialSizeState(sim: Sim): number {
  const { params, cpus } = sim.config;
  if (sim.rules['srcu.callbackCpu'] === 'caller') return SIZE.big;
  const convert = Number(params['srcutree.convert_to_big'] ?? 3);
  const limit = Number(params['srcutree.big_cpu_lim'] ?? 128);
  return effectiveConvertToBig(convert, limit, cpus) % 16 === 1 ? SIZE.big : SIZE.small;
}
