/** Blocks kept for the queueing side of a CPU, and the worker that fills up (kvfree K5, K14). */
import { KIND, KVFREE_CACHE, TIMER_FN, WORK_FN } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import { WheelTimer } from '../core/timers.ts';
import { type Worker, WorkItem } from '../core/workqueue.ts';
import type { Krc } from './krc.ts';

/** Blocks that a fill adds after back-off. */
const FILL_AFTER_BACKOFF = 1;

/** The page cache with its work item, fill_page_cache_func(). */
export class PageCache extends WorkItem {
  readonly #krc: Krc;
  readonly #hrtimer: number;
  readonly #timer: WheelTimer;
  /** Blocks in it. */
  count = 0;
  /** work_in_progress. */
  #isFilling = false;
  /** backoff_page_cache_fill. */
  #backsOff = false;
  #cause = -1;

  constructor(krc: Krc) {
    super(WORK_FN.fill_page_cache_func, krc.cpu);
    this.#krc = krc;
    const { sim, host } = krc.kvfree;
    this.#hrtimer = sim.queue.allocate(PRIORITY.timer + krc.cpu, () => {
      sim.cause = this.#cause;
      this.#queue(krc.cpu);
    });
    const fn = TIMER_FN.fill_page_cache_func;
    this.#timer = new WheelTimer(sim, host, fn, krc.cpu, (cpu) => this.#queue(cpu));
  }

  #queue(cpu: number): void {
    this.#krc.kvfree.highPriority.queueWork(this, cpu, cpu, true);
  }

  /** A cached block for the queueing side; false if there is none. */
  take(): boolean {
    if (this.count === 0) return false;
    this.count--;
    return true;
  }

  /** put_cached_bnode(): a block comes back; false if there are enough. */
  give(): boolean {
    if (this.count >= this.#krc.kvfree.constants.maxCached) return false;
    this.count++;
    return true;
  }

  /** run_page_cache_worker(): somebody has found no block. */
  startFill(): void {
    const { sim, constants } = this.#krc.kvfree;
    if (!constants.isFilledByWorker || constants.maxCached === 0 || this.#isFilling) return;
    this.#isFilling = true;
    this.#cause = sim.cause;
    if (this.#backsOff && constants.backoffJiffies > 0)
      this.#timer.arm(this.#krc.cpu, constants.backoffJiffies);
    else sim.queue.schedule(this.#hrtimer, sim.nowNs + sim.machine.hrtimerBusyNs);
    sim.cause = this.#cause;
  }

  /** The shrinker: what is filled next is little and late. */
  backOff(): void {
    this.#backsOff = true;
  }

  /** The shrinker takes all blocks; returns how many. */
  drain(): number {
    const { count } = this;
    this.count = 0;
    if (count > 0) this.#trace('shrunk', count);
    return count;
  }

  #trace(why: keyof typeof KVFREE_CACHE, blocks: number): void {
    const { sim } = this.#krc.kvfree;
    const { cause } = sim;
    sim.emit(KIND.kvfree_page_cache, this.#krc.cpu, this.count, KVFREE_CACHE[why], blocks);
    sim.cause = cause;
  }

  /** A freed block was put back. */
  traceReturned(): void {
    this.#trace('returned', 1);
  }

  begin(worker: Worker): void {
    const { sim } = this.#krc.kvfree;
    sim.cause = this.cause;
    sim.emit(KIND.workqueue_execute_start, worker.track, this.fn, this.#krc.cpu);
    worker.work(sim.machine.kvfreeFillNs);
  }

  step(worker: Worker): void {
    const krc = this.#krc;
    const { sim, constants, memory } = krc.kvfree;
    const limit = this.#backsOff ? Math.min(FILL_AFTER_BACKOFF, constants.maxCached) : constants.maxCached;
    const before = this.count;
    let failed = false;
    while (this.count < limit && !failed) {
      if (memory.takePage()) this.count++;
      else failed = true;
    }
    if (this.count > before) this.#trace('filled', this.count - before);
    if (failed) this.#trace('failed', 0);
    this.#isFilling = false;
    this.#backsOff = false;
    sim.emit(KIND.workqueue_execute_end, worker.track, this.fn, krc.cpu);
    // whoever is on the head channel finds a block again
    if (this.count > 0 && krc.openRun !== undefined) krc.cut();
    worker.done();
  }
}
