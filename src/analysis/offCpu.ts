/** When workers were off their CPUs: what a pass that was preempted did not use. */

import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { workerOfCpu } from './scanState.ts';

/** A stretch during which the worker of a CPU was off it. */
export interface OffCpu {
  readonly fromNs: number;
  /** Infinity while it lasts. */
  toNs: number;
}

/** Fed with all sched_switch rows; remembers back to when each worker blocked last, as no pass goes on over that. */
export class OffCpuTimes {
  readonly #workers: Int32Array;
  readonly #off: OffCpu[][];

  constructor(info: RunInfo) {
    this.#workers = workerOfCpu(info);
    this.#off = Array.from({ length: info.config.cpus }, () => []);
  }

  /** A sched_switch row. */
  switched(event: EventRow): void {
    const { track: cpu } = event;
    const worker = this.#workers[cpu] ?? -1;
    if (worker < 0) return;
    const off = this.#off[cpu] as OffCpu[];
    const { timeNs } = event;
    if (event.b === worker) {
      // c = 0: it blocked.
      if (event.c === 0) off.length = 0;
      off.push({ fromNs: timeNs, toNs: Number.POSITIVE_INFINITY });
    } else if (event.a === worker) {
      const last = off.at(-1);
      if (last !== undefined) last.toNs = timeNs;
    }
  }

  /** The parts of [startNs, endNs) during which the worker of `cpu` was off it. */
  within(cpu: number, startNs: number, endNs: number): OffCpu[] {
    const parts: OffCpu[] = [];
    for (const { fromNs, toNs } of this.#off[cpu] ?? []) {
      const part = { fromNs: Math.max(fromNs, startNs), toNs: Math.min(toNs, endNs) };
      if (part.toNs > part.fromNs) parts.push(part);
    }
    return parts;
  }
}
