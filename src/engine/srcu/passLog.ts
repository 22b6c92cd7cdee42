/** Writes srcu_pass rows: single passes when they end, runs of equal ones as one row whose count grows. */
import { KIND } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import { PASS_OUTCOME, type PassInfo, packPass } from '../core/passCode.ts';

/** True for passes that runs are made of: a reader was found, no delay (see core/coalesce.ts). */
export function isBurstPass(info: PassInfo): boolean {
  return info.outcome === PASS_OUTCOME.again && info.delay === 0;
}

/** The rows of one domain's passes. */
export class PassLog {
  readonly #log: EventLog;
  readonly #track: number;
  readonly #grows: boolean;
  #row = -1;
  #startNs = 0;
  #count = 0;
  #lengthNs = 0;
  #info: PassInfo | undefined;

  /** `grows` false: one row a pass (the reference model). */
  constructor(log: EventLog, track: number, grows: boolean) {
    this.#log = log;
    this.#track = track;
    this.#grows = grows;
  }

  #continues(startNs: number, info: PassInfo, lengthNs: number): boolean {
    const open = this.#info;
    return (
      this.#grows &&
      open !== undefined &&
      startNs === this.#startNs + this.#count * this.#lengthNs &&
      lengthNs === this.#lengthNs &&
      packPass({ ...info, nAfter: 0 }) === packPass({ ...open, nAfter: 0 })
    );
  }

  #open(timeNs: number, startNs: number, count: number, info: PassInfo, lengthNs: number, cause: number): void {
    const code = packPass(info);
    this.#row = this.#log.add(timeNs, KIND.srcu_pass, this.#track, cause, count, startNs, code, lengthNs);
    this.#info = isBurstPass(info) ? info : undefined;
    this.#startNs = startNs;
    this.#count = count;
    this.#lengthNs = lengthNs;
  }

  /** A pass is over. */
  add(timeNs: number, startNs: number, info: PassInfo, lengthNs: number, cause: number): void {
    if (this.#continues(startNs, info, lengthNs)) this.grow(1, info.nAfter);
    else this.#open(timeNs, startNs, 1, info, lengthNs, cause);
  }

  /** A burst of passes begins. */
  openBurst(startNs: number, info: PassInfo, lengthNs: number, cause: number): void {
    if (!this.#continues(startNs, info, lengthNs)) this.#open(startNs, startNs, 0, info, lengthNs, cause);
  }

  /** More passes like the open ones are over. */
  grow(passes: number, nAfter: number): void {
    const info = this.#info as PassInfo;
    this.#count += passes;
    this.#log.patch(this.#row, this.#count, this.#startNs, packPass({ ...info, nAfter }), this.#lengthNs);
  }
}
