/** Writes srcu_pass rows: single passes when they end, runs of equal ones as one row whose count grows. */
import { KIND } from '../core/eventKinds.ts';
import { isBurstShape, withNAfter } from '../core/passCode.ts';
import type { Sim } from '../core/sim.ts';

/** The rows of one domain's passes. */
export class PassLog {
  readonly #sim: Sim;
  readonly #track: number;
  readonly #grows: boolean;
  /** The row that may grow, or -1; its passes. */
  #row = -1;
  #startNs = 0;
  #count = 0;
  #lengthNs = 0;
  #shape = 0;

  /** `grows` false: one row a pass (the reference model). */
  constructor(sim: Sim, track: number, grows: boolean) {
    this.#sim = sim;
    this.#track = track;
    this.#grows = grows;
  }

  #continues(startNs: number, shape: number, lengthNs: number): boolean {
    return (
      this.#grows === true &&
      this.#row >= 0 &&
      startNs === this.#startNs + this.#count * this.#lengthNs &&
      lengthNs === this.#lengthNs &&
      shape === this.#shape
    );
  }

  /** The row is no cause of what follows. */
  #open(startNs: number, count: number, shape: number, nAfter: number, lengthNs: number): void {
    const sim = this.#sim;
    const { cause } = sim;
    const code = withNAfter(shape, nAfter);
    const row = sim.emit(KIND.srcu_pass, this.#track, count, startNs, code, lengthNs);
    sim.cause = cause;
    this.#row = isBurstShape(shape) ? row : -1;
    this.#shape = shape;
    this.#startNs = startNs;
    this.#count = count;
    this.#lengthNs = lengthNs;
  }

  /** A pass of this shape (passShape()) is over now. */
  add(startNs: number, shape: number, nAfter: number): void {
    const lengthNs = this.#sim.nowNs - startNs;
    if (this.#continues(startNs, shape, lengthNs)) this.grow(1, nAfter);
    else this.#open(startNs, 1, shape, nAfter, lengthNs);
  }

  /** A burst of passes begins now. */
  openBurst(shape: number, nAfter: number, lengthNs: number): void {
    const { nowNs } = this.#sim;
    if (this.#continues(nowNs, shape, lengthNs)) return;
    this.#open(nowNs, 0, shape, nAfter, lengthNs);
  }

  /** More passes like the open ones are over. */
  grow(passes: number, nAfter: number): void {
    this.#count += passes;
    const code = withNAfter(this.#shape, nAfter);
    this.#sim.log.patch(this.#row, this.#count, this.#startNs, code, this.#lengthNs);
  }
}
