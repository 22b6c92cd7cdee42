/** The short form of a requester that meets itself: rules CR1 to CR5 of spec srcu 8.6. */
import { KIND } from '../core/eventKinds.ts';
import { PRIORITY, type Sim } from '../core/sim.ts';
import type { Domain } from '../srcu/domain.ts';
import { windowNs } from '../srcu/window.ts';

/** Scheduler credit of one spinning updater. */
export class Credit {
  readonly #sim: Sim;
  readonly #domain: Domain;
  readonly #slot: number;
  #creditNs: number;
  #track = 0;
  #cpu = 0;
  #idx = 0;
  #cause = -1;
  /** What follows from where in its tick a call comes, as computed last: calls in a loop come at the same place. */
  #phaseNs = -1;
  #keepsNs = 0;

  constructor(sim: Sim, domain: Domain) {
    this.#sim = sim;
    this.#domain = domain;
    this.#creditNs = sim.machine.creditStartNs; // CR1
    this.#slot = sim.queue.allocate(PRIORITY.interrupt, () => {
      sim.cause = this.#cause;
      domain.unlock(this.#track, this.#cpu, this.#idx, true);
    });
  }

  /** CR2: the requester has spun for so long. */
  earn(ns: number): void {
    const { creditGNs, creditCapNs } = this.#sim.machine;
    this.#creditNs = Math.min(this.#creditNs + ns, creditGNs + creditCapNs);
  }

  /** CR3, CR4: at the call; true if the grace period meets its requester, who then leaves by itself. */
  spend(track: number, cpu: number): boolean {
    const sim = this.#sim;
    const { creditGNs, creditEpsNs } = sim.machine;
    const beforeNs = this.#creditNs;
    // 5.6: without preemption the requester has left before the worker runs
    if (beforeNs <= creditGNs || sim.config.preempt !== 'full') {
      sim.emit(KIND.srcu_credit, track, beforeNs, 0);
      return false;
    }
    const keepsNs = this.#keepsCpuNs();
    this.#creditNs -= keepsNs;
    sim.emit(KIND.srcu_credit, track, beforeNs, keepsNs);
    this.#track = track;
    this.#cpu = cpu;
    this.#idx = this.#domain.srcuIdx % 2;
    this.#domain.lock(track, cpu, this.#idx, true);
    this.#cause = sim.cause;
    sim.queue.schedule(this.#slot, sim.nowNs + keepsNs + creditEpsNs);
    return true;
  }

  /** How long the worker keeps the CPU: the same from one place in a tick, where all ticks are of one length. */
  #keepsCpuNs(): number {
    const { nowNs, ticks } = this.#sim;
    const phaseNs = ticks.nextTickNs(nowNs) - nowNs;
    if (phaseNs !== this.#phaseNs || !ticks.hasWholePeriod) {
      this.#keepsNs = this.#computeNs();
      this.#phaseNs = phaseNs;
    }
    return this.#keepsNs;
  }

  /** min(W of 4.1, first tick at least a slice after the call). */
  #computeNs(): number {
    const { nowNs, ticks, machine, rules } = this.#sim;
    const { phaseLimit, jiffyLimit, retryNs, secondRetryNs, passLoopNs } = this.#domain.constants;
    const firstTickNs = ticks.nextTickNs(nowNs) - nowNs;
    const secondTickNs = ticks.timeNs(ticks.numberAt(nowNs) + 2) - nowNs;
    const window = windowNs({
      delayRule: rules['srcu.delay'],
      oncePerTry: rules['srcu.tryCheck'] === 'once',
      phaseLimit,
      jiffyLimit,
      passNs: retryNs + secondRetryNs + passLoopNs,
      firstTickNs,
      secondTickNs,
    });
    return Math.min(window, ticks.tickFromNs(nowNs + machine.creditSliceNs) - nowNs);
  }
}
