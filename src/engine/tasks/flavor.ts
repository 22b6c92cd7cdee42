/** One flavour of RCU Tasks (struct rcu_tasks, spec tasks 2.2): its state, which its kthread changes. */
import { KIND, RTGS, TASKS_STALL } from '../core/eventKinds.ts';
import type { Sim } from '../core/sim.ts';
import type { TasksConstants } from './constants.ts';

/** Name of the kthread, by flavour (spec tasks 9.1). */
export const KTHREAD_NAMES = [
  'rcu_tasks_kthread',
  'rcu_tasks_rude_kthread',
  'rcu_tasks_trace_kthread',
] as const;
/** From tasks_gp_seq of a grace period that runs to that of its end. */
const TO_END = 3;

/** State. */
export class TasksFlavor {
  readonly sim: Sim;
  /** TASKS_FLAVOR. */
  readonly flavor: number;
  readonly constants: TasksConstants;
  /** Of the kthread; it stands for the flavour in rows. */
  readonly track: number;
  /** gp_state (RTGS). */
  state: number = RTGS.WAIT_CBS;
  /** tasks_gp_seq. */
  gpSeq = 0;
  /** gp_start, jiffies. */
  gpStart = 0;

  constructor(sim: Sim, flavor: number, constants: TasksConstants) {
    this.sim = sim;
    this.flavor = flavor;
    this.constants = constants;
    this.track = sim.addTrack('kthread', KTHREAD_NAMES[flavor] as string, -1);
  }

  /** set_tasks_gp_state(). */
  setState(state: number): void {
    this.state = state;
    this.sim.emit(KIND.rcu_tasks_state, this.track, state, this.flavor, this.gpSeq, this.sim.jiffies);
  }

  /** A holdout in a report of a stall: nvcsw at the scan, and now. */
  traceHoldoutStall(track: number, snapshot: number, nvcsw: number): void {
    const { cause } = this.sim;
    this.sim.emit(KIND.rcu_tasks_stall, track, TASKS_STALL.holdout, this.flavor, snapshot, nvcsw);
    this.sim.cause = cause;
  }

  /** rcu_seq_start(), with gp_start. */
  startGp(): void {
    this.gpSeq = this.gpSeq + 1;
    this.gpStart = this.sim.jiffies;
  }

  /** rcu_seq_end(). */
  endGp(): void {
    this.gpSeq += TO_END;
  }
}
