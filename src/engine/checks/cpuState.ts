/** CPUs as the log tells them: who runs, and when a worker had its CPU. Contended runs only. */
import type { Row } from './checker.ts';

/** sched_switch column c: the previous task blocked. */
const BLOCKED = 0;

/** One CPU. */
export class CpuState {
  /** Track of the running task, -1 idle. */
  current = -1;
  /** Stretches [from, to) in which the worker computed since it was last woken; the last one may be open. */
  readonly #from: number[] = [];
  readonly #to: number[] = [];

  /** Takes over a sched_switch row. A switch between tasks costs `switchNs`, one out of idle is paid for. */
  apply(row: Row, isWorker: (track: number) => boolean, switchNs: number): void {
    if (isWorker(row.b)) {
      const last = this.#to.length - 1;
      this.#to[last] = Math.max(this.#from[last] as number, row.timeNs);
      if (row.c === BLOCKED) {
        this.#from.length = 0;
        this.#to.length = 0;
      }
    }
    this.current = row.a;
    if (isWorker(row.a)) {
      this.#from.push(row.b < 0 ? row.timeNs : row.timeNs + switchNs);
      this.#to.push(Number.POSITIVE_INFINITY);
    }
  }

  /** When the worker had `restNs` of CPU time left until `endNs`: the earliest and the latest such instant. */
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

  /** Time inside [fromNs, toNs] for which the worker was off its CPU. */
  offNs(fromNs: number, toNs: number): number {
    let onNs = 0;
    for (let i = 0; i < this.#from.length; i++) {
      const from = Math.max(this.#from[i] as number, fromNs);
      onNs += Math.max(0, Math.min(this.#to[i] as number, toNs) - from);
    }
    return toNs - fromNs - onNs;
  }
}
