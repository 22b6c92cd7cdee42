/** Messages about grace periods that take long (spec tasks 6, 9.4). All times in jiffies. */
import { KIND, TASKS_STALL } from '../core/eventKinds.ts';
import type { TasksFlavor } from './flavor.ts';

/** What one grace period has reported. */
export class StallReports {
  readonly #flavor: TasksFlavor;
  #lastReport = 0;
  #lastInfo = 0;
  /** rtsi: from the last info line to the next. */
  #infoAfter = 0;
  #hasReported = false;

  constructor(flavor: TasksFlavor) {
    this.#flavor = flavor;
  }

  /** The hold-out phase begins. */
  begin(): void {
    const { sim, constants } = this.#flavor;
    this.#lastReport = sim.jiffies;
    this.#lastInfo = sim.jiffies;
    this.#infoAfter = constants.stallInfo;
    this.#hasReported = false;
  }

  /** Before a scan: true if it is to report who is left of these holdouts; writes the header. */
  isDue(holdouts: number): boolean {
    const { sim, constants } = this.#flavor;
    const { stallTimeout } = constants;
    const isDue = stallTimeout > 0 && sim.jiffies > this.#lastReport + stallTimeout;
    if (!isDue) return false;
    this.#lastReport = sim.jiffies;
    this.#hasReported = true;
    this.#trace(TASKS_STALL.stall, holdouts);
    return true;
  }

  /** After a scan: an info line while nothing has been reported. */
  scanned(): void {
    const { sim, constants } = this.#flavor;
    const { jiffies } = sim;
    if (this.#infoAfter <= 0 || this.#hasReported || jiffies <= this.#lastInfo + this.#infoAfter) return;
    this.#lastInfo = jiffies;
    this.#infoAfter *= constants.stallInfoMult;
    this.#trace(TASKS_STALL.info, 0);
  }

  #trace(what: number, holdouts: number): void {
    const { sim, track, flavor, gpStart } = this.#flavor;
    sim.emit(KIND.rcu_tasks_stall, track, what, flavor, sim.jiffies - gpStart, holdouts);
  }
}
