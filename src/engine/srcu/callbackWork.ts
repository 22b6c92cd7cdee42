/** srcu_invoke_callbacks(): the callback work of one CPU and its delay timer (spec srcu 2.6, 2.7). */
import { CALLBACK, KIND, TIMER_FN, WORK_FN } from '../core/eventKinds.ts';
import type { Executor } from '../core/task.ts';
import { type TimerHost, WheelTimer } from '../core/timers.ts';
import { type Worker, WorkItem, type Workqueue } from '../core/workqueue.ts';
import type { Callback } from './callbackList.ts';
import type { Domain, SrcuData } from './domain.ts';

const PHASE = { entry: 0, callback: 1, tail: 2 } as const;

/** The work item of one srcu_data. */
class CallbackWork extends WorkItem {
  readonly #domain: Domain;
  readonly #data: SrcuData;
  readonly #executor: Executor;
  readonly #requeue: (worker: Worker) => void;
  /** 11.2: in `plain` the time up to the first callback is latency, not CPU time. */
  readonly #refunds: boolean;
  #phase: number = PHASE.entry;
  #entryNs = 0;

  constructor(domain: Domain, data: SrcuData, executor: Executor, workqueue: Workqueue) {
    super(WORK_FN.srcu_invoke_callbacks, domain.track);
    this.#domain = domain;
    this.#data = data;
    this.#executor = executor;
    this.#refunds = domain.sim.machine.preset === 'plain' && executor.contended;
    this.#requeue = (worker) => workqueue.queueWork(this, worker.cpu, worker.cpu, false);
  }

  begin(worker: Worker): void {
    const { sim } = this.#domain;
    const { callbacks, invoking } = this.#data;
    sim.cause = this.cause;
    const count = callbacks.moveReady(this.#domain.gpSeq, invoking);
    this.#data.invokingTarget = invoking.last?.target;
    sim.emit(KIND.workqueue_execute_start, worker.track, this.fn, this.domain, count);
    this.#phase = PHASE.entry;
    this.#entryNs = sim.machine.cbWorkNs;
    worker.work(this.#entryNs);
  }

  step(worker: Worker): void {
    if (this.#phase === PHASE.entry && this.#refunds) this.#executor.refund(worker, this.#entryNs);
    while (this.#phase !== PHASE.tail) {
      if (this.#phase === PHASE.callback) this.#invoke(this.#data.invoking.shift() as Callback);
      if (!this.#askForNext(worker)) return;
    }
    worker.done();
  }

  /** 2.7: callbacks that became ready in the meantime get another run. */
  #finishBatch(worker: Worker): void {
    this.#data.invokingTarget = undefined;
    const next = this.#data.callbacks.first;
    if (next !== undefined && next.target <= this.#domain.gpSeq && !this.queued) this.#requeue(worker);
  }

  /** CPU time up to the next callback, or to the end. True if that is none, and comes at once. */
  #askForNext(worker: Worker): boolean {
    const { machine } = this.#domain.sim;
    const next = this.#data.invoking.first;
    if (next === undefined) {
      this.#finishBatch(worker);
      this.#phase = PHASE.tail;
      return worker.work(machine.cbWorkTailNs);
    }
    this.#phase = PHASE.callback;
    return worker.work(machine.cbNs + (next.kind === CALLBACK.wakeme ? machine.cbWakeNs : 0));
  }

  #invoke(callback: Callback): void {
    const { sim, track } = this.#domain;
    const { id, target, kind } = callback;
    const cause = sim.cause;
    sim.emit(KIND.srcu_cb_invoke, track, id, target, this.#data.cpu, kind);
    callback.invoke();
    sim.cause = cause;
  }
}

/** Gives the domain its `launch`: callback work now, or by srcu_delay_timer one jiffy later (2.6 step 3). */
export function attachCallbackWork(
  domain: Domain,
  workqueue: Workqueue,
  executor: Executor,
  host: TimerHost,
): void {
  /** By CPU of the list. */
  const parts: ({ readonly item: CallbackWork; readonly timer: WheelTimer } | undefined)[] = [];
  domain.launch = (data, delay, fromCpu) => {
    let part = parts[data.cpu];
    if (part === undefined) {
      const item = new CallbackWork(domain, data, executor, workqueue);
      const timer = new WheelTimer(domain.sim, host, TIMER_FN.srcu_delay_timer, domain.track, (cpu) =>
        workqueue.queueWork(item, data.cpu, cpu, true),
      );
      part = { item, timer };
      parts[data.cpu] = part;
    }
    if (delay === 0) workqueue.queueWork(part.item, data.cpu, fromCpu, false);
    else part.timer.reduce(fromCpu, delay);
  };
}
