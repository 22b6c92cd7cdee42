/** CPUs as the log tells them: who runs, and when a worker had its CPU. Contended runs only. */
import { leastNs, mostNs } from '../machine/costs.ts';
import type { CostNs } from '../machine/presets.ts';
import type { Row } from './checker.ts';

/** sched_switch column c: the previous task blocked. */
const BLOCKED = 0;

/** One CPU. */
export class CpuState {
  /** Track of the running task, -1 idle. */
  current = -1;
  /**
   * Stretches [from, to) in which the worker computed since it was last woken; the last one may be open. Where the cost
   * of a switch is a range, it began between `from` and `fromAtMost`.
   */
  readonly #from: number[] = [];
  readonly #fromAtMost: number[] = [];
  readonly #to: number[] = [];
  /** The worker has the CPU, but an interrupt or a softirq goes on there. */
  #isInterrupted = false;

  /** Takes over a sched_switch row. A switch between tasks costs `switchNs`, one out of idle is paid for. */
  apply(row: Row, isWorker: (track: number) => boolean, switchNs: CostNs): void {
    if (isWorker(row.b)) {
      const last = this.#to.length - 1;
      this.#to[last] = Math.max(this.#from[last] as number, row.timeNs);
      if (row.c === BLOCKED) {
        this.#from.length = 0;
        this.#fromAtMost.length = 0;
        this.#to.length = 0;
      }
    }
    this.current = row.a;
    this.#isInterrupted = false;
    if (isWorker(row.a)) {
      const isPaid = row.b < 0;
      this.#from.push(isPaid ? row.timeNs : row.timeNs + leastNs(switchNs));
      this.#fromAtMost.push(isPaid ? row.timeNs : row.timeNs + mostNs(switchNs));
      this.#to.push(Number.POSITIVE_INFINITY);
    }
  }

  /** A batch of RCU callbacks, or an interrupt, takes the CPU from the worker that has it, or gives it back. */
  applyInterrupt(timeNs: number, begins: boolean, isWorker: (track: number) => boolean): void {
    const wasInterrupted = this.#isInterrupted;
    this.#isInterrupted = begins && isWorker(this.current);
    if (this.#isInterrupted) {
      const last = this.#to.length - 1;
      this.#to[last] = Math.max(this.#from[last] as number, timeNs);
    } else if (wasInterrupted) {
      this.#from.push(timeNs);
      this.#fromAtMost.push(timeNs);
      this.#to.push(Number.POSITIVE_INFINITY);
    }
  }

  /**
   * When the worker had `restNs` of CPU time left until `endNs`: the earliest and the latest such instant, or, where the
   * cost of a switch is a range, one that is not before it.
   */
  timeBefore(endNs: number, restNs: number): readonly [number, number] {
    let left = restNs;
    for (let i = this.#from.length - 1; i >= 0; i--) {
      const from = this.#from[i] as number;
      const to = Math.min(this.#to[i] as number, endNs);
      if (to < from) continue;
      if (left < to - from) return [to - left, to - left];
      if (left === to - from) return [i > 0 ? (this.#to[i - 1] as number) : from, from];
      left -= to - from;
    }
    return [endNs - restNs, endNs - restNs];
  }

  /** Time inside [fromNs, toNs] for which the worker was off its CPU, at most. */
  offNs(fromNs: number, toNs: number): number {
    let onNs = 0;
    for (let i = 0; i < this.#from.length; i++) {
      const from = Math.max(this.#fromAtMost[i] as number, fromNs);
      onNs += Math.max(0, Math.min(this.#to[i] as number, toNs) - from);
    }
    return toNs - fromNs - onNs;
  }
}
