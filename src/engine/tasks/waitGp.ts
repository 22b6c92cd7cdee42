/** A grace period that waits for holdouts (rcu_tasks_wait_gp(), spec tasks 3 steps 2 to 6): classic and Trace. */
import { KIND, RTGS } from '../core/eventKinds.ts';
import type { Sim } from '../core/sim.ts';
import type { Task } from '../core/task.ts';
import type { SyncSteps } from '../tree/synchronizeRcu.ts';
import type { Backoff } from './backoff.ts';
import type { TasksFlavor } from './flavor.ts';
import type { Sleep } from './sleep.ts';
import { StallReports } from './stall.ts';

const PHASE = { pre: 0, scan: 1, postScan: 2, loop: 3, armed: 4, woken: 5, scanned: 6, post: 7 } as const;

/** Nothing is waited for. */
export const NO_WAIT: SyncSteps = { begin: () => {}, step: () => false };

/** What flavours do differently. */
export interface WaitOps {
  /** Before the task list is scanned (pregp_func). */
  readonly pre: SyncSteps;
  /** Fills the list of holdouts (pertask_func); returns what it takes, ns. */
  scanTasks(): number;
  /** After that (postscan_func). */
  readonly postScan: SyncSteps;
  /** Holdouts on the list. */
  readonly holdouts: number;
  /** Takes off the list who is no holdout any more (holdouts_func); reports the others if asked. Returns what it takes, ns. */
  scanHoldouts(mustReport: boolean): number;
  /** At the end (postgp_func). */
  readonly post: SyncSteps;
}

/** Grace periods of one flavour, one after the other, on the CPU time of its kthread. */
export class WaitGp implements SyncSteps {
  readonly #sim: Sim;
  readonly #flavor: TasksFlavor;
  readonly #kthread: Task;
  readonly #ops: WaitOps;
  readonly #backoff: Backoff;
  readonly #sleep: Sleep;
  readonly #stalls: StallReports;
  #phase: number = PHASE.pre;

  constructor(flavor: TasksFlavor, kthread: Task, ops: WaitOps, backoff: Backoff, sleep: Sleep) {
    this.#sim = flavor.sim;
    this.#flavor = flavor;
    this.#kthread = kthread;
    this.#ops = ops;
    this.#backoff = backoff;
    this.#sleep = sleep;
    this.#stalls = new StallReports(flavor);
  }

  begin(): void {
    this.#phase = PHASE.pre;
    this.#flavor.setState(RTGS.PRE_WAIT_GP);
    this.#ops.pre.begin();
  }

  step(): boolean {
    switch (this.#phase) {
      case PHASE.pre:
        return this.#ops.pre.step() || this.#scanTasks();
      case PHASE.scan:
        this.#phase = PHASE.postScan;
        this.#flavor.setState(RTGS.POST_SCAN_TASKLIST);
        this.#ops.postScan.begin();
        return this.#postScan();
      case PHASE.postScan:
        return this.#postScan();
      case PHASE.loop:
        return this.#loop();
      case PHASE.armed:
        this.#phase = PHASE.woken;
        if (this.#sleep.isOver) this.#kthread.work(0);
        else this.#kthread.block();
        return true;
      case PHASE.woken:
        return this.#scanHoldouts();
      case PHASE.scanned:
        this.#stalls.scanned();
        return this.#loop();
      default:
        return this.#ops.post.step();
    }
  }

  #scanTasks(): boolean {
    this.#flavor.setState(RTGS.SCAN_TASKLIST);
    this.#phase = PHASE.scan;
    this.#kthread.work(this.#ops.scanTasks());
    return true;
  }

  #postScan(): boolean {
    if (this.#ops.postScan.step()) return true;
    this.#stalls.begin();
    this.#backoff.begin();
    return this.#loop();
  }

  /** The list is not empty, or the rule sleeps in any case. */
  get #mustSleep(): boolean {
    return this.#backoff.sleepsFirst || this.#ops.holdouts > 0;
  }

  #loop(): boolean {
    const { machine } = this.#sim;
    if (!this.#mustSleep) {
      this.#phase = PHASE.post;
      this.#flavor.setState(RTGS.POST_GP);
      this.#ops.post.begin();
      return this.#ops.post.step();
    }
    this.#flavor.setState(RTGS.WAIT_SCAN_HOLDOUTS);
    this.#sleep.arm(this.#backoff.next);
    this.#backoff.advance();
    this.#phase = PHASE.armed;
    this.#kthread.work(machine.armTimerNs + machine.blockNs);
    return true;
  }

  #scanHoldouts(): boolean {
    const before = this.#ops.holdouts;
    // the unconditional sleep of the posted patch
    if (before === 0) return this.#loop();
    this.#flavor.setState(RTGS.SCAN_HOLDOUTS);
    const ns = this.#ops.scanHoldouts(this.#stalls.isDue(before));
    const { track, flavor } = this.#flavor;
    const left = this.#ops.holdouts;
    const next = this.#mustSleep ? this.#backoff.next : 0;
    this.#sim.emit(KIND.rcu_tasks_scan, track, before, flavor, left, next);
    this.#phase = PHASE.scanned;
    this.#kthread.work(ns);
    return true;
  }
}
