/**
 * Ticks, jiffies and the timer wheel. Tick k is at floor(k * 1e9 / hz) ns; jiffies at time t = startJiffies + the
 * number of the last tick at or before t (tick 0 at t = 0).
 */
const NS_PER_S = 1_000_000_000;
/** Beyond this (1 h 56 min) tick arithmetic at 1200 Hz would leave the safe integers. */
export const MAX_TIME_NS = 7_000_000_000_000;

/** Levels of the timer wheel: a timeout below 63 * 8^l jiffies is rounded to units of 8^l (spec srcu 3.6). */
const LEVEL_LIMIT = 63;
const LEVEL_STEP = 8;

/** Tick arithmetic of one HZ. */
export class Ticks {
  readonly hz: number;
  readonly startJiffies: number;
  /** Length of a tick period, rounded down, in ns. */
  readonly periodNs: number;
  /** A period is a whole number of ns, and all are of one length. */
  readonly hasWholePeriod: boolean;
  /**
   * The tick period asked for last, [from, to): the next question is mostly about the same one. None at first; as these
   * are no small whole numbers, V8 need not compile everything anew when times leave 31 bits.
   */
  #number = 0;
  #fromNs = Number.POSITIVE_INFINITY;
  #toNs = Number.NEGATIVE_INFINITY;

  constructor(hz: number, startJiffies: number) {
    this.hz = hz;
    this.startJiffies = startJiffies;
    this.periodNs = Math.floor(NS_PER_S / hz);
    this.hasWholePeriod = this.periodNs * hz === NS_PER_S;
  }

  /** Time of tick k in ns. */
  timeNs(k: number): number {
    return this.hasWholePeriod === true ? k * this.periodNs : Math.floor((k * NS_PER_S) / this.hz);
  }

  /** Number of the last tick at or before t: the largest k with floor(k * 1e9 / hz) <= t. */
  numberAt(timeNs: number): number {
    if (timeNs < this.#fromNs || timeNs >= this.#toNs) this.#find(timeNs);
    return this.#number;
  }

  #find(timeNs: number): void {
    this.#number = this.#numberAt(timeNs);
    this.#fromNs = this.timeNs(this.#number);
    this.#toNs = this.timeNs(this.#number + 1);
  }

  #numberAt(timeNs: number): number {
    if (this.hasWholePeriod === true) return Math.floor(timeNs / this.periodNs);
    // floor(k * 1e9 / hz) <= t  <=>  k * 1e9 < (t + 1) * hz  <=>  k <= ((t + 1) * hz - 1) / 1e9
    return Math.floor(((timeNs + 1) * this.hz - 1) / NS_PER_S);
  }

  /** Time of the first tick at or after t, which may be far from what is asked for otherwise. */
  tickFromNs(timeNs: number): number {
    const number = this.#numberAt(timeNs);
    const atNs = this.timeNs(number);
    return atNs === timeNs ? atNs : this.timeNs(number + 1);
  }

  /** jiffies at time t. */
  jiffiesAt(timeNs: number): number {
    return this.startJiffies + this.numberAt(timeNs);
  }

  /** Time of the first tick after t. */
  nextTickNs(timeNs: number): number {
    this.numberAt(timeNs);
    return this.#toNs;
  }

  /** Time at which jiffies reaches this value. */
  timeOfJiffyNs(jiffies: number): number {
    return this.timeNs(jiffies - this.startJiffies);
  }
}

/**
 * The jiffy at which a wheel timer fires that was armed at jiffy `now` for `delay` jiffies: rounded up by one unit of
 * its level (calc_wheel_index(), spec srcu 3.6, tree R1.15).
 */
export function wheelExpiry(now: number, delay: number): number {
  if (delay < LEVEL_LIMIT) return now + delay + 1;
  let unit = LEVEL_STEP;
  while (delay >= LEVEL_LIMIT * unit) unit *= LEVEL_STEP;
  return (Math.floor((now + delay) / unit) + 1) * unit;
}
