/** The kthread of a flavour (rcu_tasks_kthread(), spec tasks 3): looks for callbacks, waits for a grace period, invokes, sleeps. */
import { CALLBACK, KIND, RTGS } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import { Task } from '../core/task.ts';
import type { TimerHost } from '../core/timers.ts';
import type { SyncSteps } from '../tree/synchronizeRcu.ts';
import type { TreeRcu } from '../tree/treeRcu.ts';
import { CallbackQueue, type TasksCallback } from './callbackQueue.ts';
import type { TasksFlavor } from './flavor.ts';
import { createWheelSleep, type Sleep } from './sleep.ts';

const PHASE = { look: 0, sleep: 1, gp: 2, invoke: 3, napArmed: 4, napOver: 5 } as const;

/** Makes the grace periods of a flavour (gp_func) on the CPU time of its kthread. */
export type CreateGp = (kthread: Task) => SyncSteps;

/** A kthread; not pinned, as other kthreads of RCU. */
export class TasksKthread extends Task {
  override readonly bySteps = true;
  override readonly isPinned = false;
  readonly flavor: TasksFlavor;
  readonly queue: CallbackQueue;
  readonly #rcu: TreeRcu;
  readonly #nap: Sleep;
  readonly #gp: SyncSteps;
  #phase: number = PHASE.look;
  /** Waits for callbacks: whoever has one may wake it. */
  #isWaiting = true;
  /** Woken between its look and its sleep. */
  #mustLook = false;
  #batch: TasksCallback[] = [];
  #invoked = 0;

  constructor(rcu: TreeRcu, host: TimerHost, flavor: TasksFlavor, cpu: number, createGp: CreateGp) {
    super(flavor.track, cpu);
    this.flavor = flavor;
    this.#rcu = rcu;
    this.queue = new CallbackQueue(flavor, host, (from, fromInterrupt) => this.#wakeUp(from, fromInterrupt));
    this.#nap = createWheelSleep(rcu, host, this);
    this.#gp = createGp(this);
    rcu.executor.add(this, PRIORITY.kthreads + this.track);
  }

  step(): void {
    switch (this.#phase) {
      case PHASE.look:
        this.#look();
        return;
      case PHASE.sleep:
        this.#sleep();
        return;
      case PHASE.gp:
        if (!this.#gp.step()) this.#endGp();
        return;
      case PHASE.invoke:
        this.#invokeNext();
        return;
      case PHASE.napArmed:
        this.#phase = PHASE.napOver;
        if (this.#nap.isOver) this.work(0);
        else this.block();
        return;
      default:
        this.#beginWait();
    }
  }

  /** rcuwait_wake_up(): only who waits for callbacks is woken. */
  #wakeUp(fromCpu: number, fromInterrupt: boolean): void {
    if (!this.#isWaiting) return;
    this.#mustLook = true;
    this.#rcu.executor.wake(this, fromCpu, fromInterrupt);
  }

  #beginWait(): void {
    this.flavor.setState(RTGS.WAIT_CBS);
    this.#isWaiting = true;
    this.#look();
  }

  /** The condition of its wait; each time it is looked at may use up an urgent look. */
  #look(): void {
    this.#mustLook = false;
    const { needsGp, hasReady } = this.queue.look();
    if (needsGp || hasReady) {
      this.#isWaiting = false;
      if (needsGp) this.#beginGp();
      else this.#beginInvoking();
      return;
    }
    this.#phase = PHASE.sleep;
    this.work(this.#rcu.sim.machine.blockNs);
  }

  #sleep(): void {
    this.#phase = PHASE.look;
    if (this.#mustLook) this.work(0);
    else this.block();
  }

  #beginGp(): void {
    this.flavor.startGp();
    this.flavor.setState(RTGS.WAIT_GP);
    this.#phase = PHASE.gp;
    this.#gp.begin();
    if (!this.#gp.step()) this.#endGp();
  }

  #endGp(): void {
    this.flavor.endGp();
    this.queue.advance();
    this.#beginInvoking();
  }

  #beginInvoking(): void {
    this.flavor.setState(RTGS.INVOKE_CBS);
    this.#batch = this.queue.takeReady();
    this.#invoked = 0;
    this.#phase = PHASE.invoke;
    this.#askForNext();
  }

  /** CPU time of the next callback, or of the way to sleep. */
  #askForNext(): void {
    const { machine } = this.#rcu.sim;
    const next = this.#batch[this.#invoked];
    if (next !== undefined) {
      this.work(machine.rcuCbNs + (next.kind === CALLBACK.call ? 0 : machine.wakeNs));
      return;
    }
    this.queue.invoked(this.#invoked);
    this.#batch = [];
    this.#nap.arm(this.flavor.constants.gpSleep);
    this.#phase = PHASE.napArmed;
    this.work(machine.armTimerNs + machine.blockNs);
  }

  #invokeNext(): void {
    const { sim } = this.#rcu;
    const { id, kind, queuedNs, invoke } = this.#batch[this.#invoked++] as TasksCallback;
    const { cause } = sim;
    const { flavor } = this.flavor;
    sim.emit(KIND.rcu_tasks_invoke_callback, this.track, id, flavor, kind, sim.nowNs - queuedNs);
    invoke();
    sim.cause = cause;
    this.#askForNext();
  }
}
