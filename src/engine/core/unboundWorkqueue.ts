/**
 * A workqueue whose workers are bound to no CPU (WQ_UNBOUND, kvfree K13): one pool for each group of CPUs with a common
 * last-level cache, items run at once and in parallel, a worker prefers the group of the CPU that queued its item but
 * runs on an idle CPU if there is one.
 */
import { KIND } from './eventKinds.ts';
import { PRIORITY, type Sim } from './sim.ts';
import type { Executor } from './task.ts';
import { type WorkDestination, Worker, type WorkItem } from './workqueue.ts';

class UnboundWorker extends Worker {
  override readonly isPinned = false;
  override readonly seeksIdle = true;
}

/** The workqueue. */
export class UnboundWorkqueue implements WorkDestination {
  readonly #sim: Sim;
  readonly #executor: Executor;
  /** Workers by pool. */
  readonly #pools = new Map<number, Worker[]>();

  constructor(sim: Sim, executor: Executor) {
    this.#sim = sim;
    this.#executor = executor;
  }

  #freeWorker(cpu: number): Worker {
    const { machine, config } = this.#sim;
    const pool = machine.sharedLlc ? 0 : cpu;
    const workers = this.#pools.get(pool) ?? [];
    this.#pools.set(pool, workers);
    let worker = workers.find((candidate) => candidate.isFree && candidate.blocked);
    if (worker === undefined) {
      // pools of CPUs come first in the kernel's numbering
      const name = `kworker/u${2 * config.cpus + pool}:${workers.length}`;
      worker = new UnboundWorker(this.#sim, this.#sim.addTrack('worker', name, -1), cpu);
      this.#executor.add(worker, PRIORITY.worker + worker.track);
      workers.push(worker);
    }
    if (!machine.sharedLlc && !worker.se.delayed) worker.se.cpu = cpu;
    return worker;
  }

  queueWork(item: WorkItem, cpu: number, fromCpu: number, fromInterrupt: boolean): void {
    const waitsOn = item.queued ? item.lastWorker : undefined;
    const worker = waitsOn ?? item.worker ?? this.#freeWorker(cpu);
    item.lastWorker = worker;
    const effective = item.queued ? 0 : 1;
    this.#sim.emit(KIND.workqueue_queue_work, worker.track, item.fn, item.domain, effective);
    if (effective === 0) return;
    item.cause = this.#sim.cause;
    item.queued = true;
    worker.push(item);
    if (!worker.isAway) this.#executor.wake(worker, fromCpu, fromInterrupt);
  }
}
