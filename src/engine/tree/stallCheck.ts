/** The stall warning of a grace period that does not end (check_cpu_stall(), tree R2.28). */
import { KIND, RCU_STALL } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import type { RcuData } from './rcuData.ts';
import { forceQuiescentState } from './request.ts';
import type { TreeRcu } from './treeRcu.ts';

/** Other CPUs than those that are late wait this much longer, in jiffies (RCU_STALL_RAT_DELAY). */
const OTHERS_WAIT = 2;
/** The next warning comes after 3 timeouts and so many jiffies. */
const AGAIN_TIMEOUTS = 3;
const AGAIN_JIFFIES = 3;

/** Looks at the ticks at which a warning may come. */
export class StallCheck {
  readonly #rcu: TreeRcu;
  readonly #slot: number;

  constructor(rcu: TreeRcu) {
    this.#rcu = rcu;
    this.#slot = rcu.sim.queue.allocate(PRIORITY.softirq - 1, () => this.#look());
  }

  /** A grace period starts (record_gp_stall_check_time()). */
  begin(): void {
    const rcu = this.#rcu;
    const { stallJiffies } = rcu.constants;
    rcu.jiffiesStall = rcu.sim.jiffies + stallJiffies;
    rcu.jiffiesResched = rcu.sim.jiffies + Math.floor(stallJiffies / 2);
    this.#at(rcu.jiffiesStall);
  }

  /** It ends. */
  end(): void {
    this.#rcu.sim.queue.cancel(this.#slot);
  }

  #at(jiffies: number): void {
    const { queue, ticks } = this.#rcu.sim;
    queue.schedule(this.#slot, ticks.timeOfJiffyNs(jiffies));
  }

  #look(): void {
    const rcu = this.#rcu;
    const { sim } = rcu;
    sim.cause = -1;
    const { jiffies } = sim;
    const ticking = rcu.cpus.filter((data) => rcu.ticks.isTicking(data));
    const late = ticking.find((data) => data.leaf.qsmask.has(data.bit));
    const other = jiffies >= rcu.jiffiesStall + OTHERS_WAIT ? ticking[0] : undefined;
    if (late === undefined && other === undefined) {
      this.#at(jiffies + 1);
      return;
    }
    rcu.jiffiesStall = jiffies + AGAIN_TIMEOUTS * rcu.constants.stallJiffies + AGAIN_JIFFIES;
    this.#at(rcu.jiffiesStall);
    if (late !== undefined) {
      this.#warn(late, 'SelfDetected');
      rcu.executor.reschedule(late.cpu);
      return;
    }
    this.#warn(other as RcuData, 'StallDetected');
    forceQuiescentState(rcu, (other as RcuData).cpu, true);
  }

  #warn(data: RcuData, code: keyof typeof RCU_STALL): void {
    const rcu = this.#rcu;
    const cpus = rcu.cpus.filter((other) => other.leaf.qsmask.has(other.bit)).length;
    const readers = rcu.leaves.reduce((sum, leaf) => sum + leaf.normalBlockers, 0);
    const age = rcu.sim.jiffies - rcu.gpStart;
    rcu.sim.emit(KIND.rcu_stall_warning, data.cpu, RCU_STALL[code], age, cpus, readers);
  }
}
