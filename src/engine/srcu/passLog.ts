/** Writes srcu_pass rows: single passes when they end, runs of equal ones as one row whose count grows. */
import { KIND } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import { isBurstShape, withNAfter } from '../core/passCode.ts';

/** The rows of one domain's passes. */
export class PassLog {
  readonly #log: EventLog;
  readonly #track: number;
  readonly #grows: boolean;
  /** The row that may grow, or -1; its passes. */
  #row = -1;
  #startNs = 0;
  #count = 0;
  #lengthNs = 0;
  #shape = 0;

  /** `grows` false: one row a pass (the reference model). */
  constructor(log: EventLog, track: number, grows: boolean) {
    this.#log = log;
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

  #open(
    timeNs: number,
    startNs: number,
    count: number,
    shape: number,
    nAfter: number,
    lengthNs: number,
    cause: number,
  ) {
    const code = withNAfter(shape, nAfter);
    const row = this.#log.add(timeNs, KIND.srcu_pass, this.#track, cause, count, startNs, code, lengthNs);
    this.#row = isBurstShape(shape) ? row : -1;
    this.#shape = shape;
    this.#startNs = startNs;
    this.#count = count;
    this.#lengthNs = lengthNs;
  }

  /** A pass of this shape (passShape()) is over. */
  add(timeNs: number, startNs: number, shape: number, nAfter: number, lengthNs: number, cause: number): void {
    if (this.#continues(startNs, shape, lengthNs)) this.grow(1, nAfter);
    else this.#open(timeNs, startNs, 1, shape, nAfter, lengthNs, cause);
  }

  /** A burst of passes begins. */
  openBurst(startNs: number, shape: number, nAfter: number, lengthNs: number, cause: number): void {
    if (this.#continues(startNs, shape, lengthNs)) return;
    this.#open(startNs, startNs, 0, shape, nAfter, lengthNs, cause);
  }

  /** More passes like the open ones are over. */
  grow(passes: number, nAfter: number): void {
    this.#count += passes;
    const code = withNAfter(this.#shape, nAfter);
    this.#log.patch(this.#row, this.#count, this.#startNs, code, this.#lengthNs);
  }
}
