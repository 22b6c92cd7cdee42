/** How long the hold-out loop sleeps before each scan (spec tasks 4.1). All in jiffies. */
import type { RuleSet } from '../profiles/profiles.ts';

/** First denominator of the rule "fract". */
const FIRST_FRACT = 10;

/** The sleeps of one grace period after the other. */
export class Backoff {
  readonly #rule: RuleSet['tasks.backoff'];
  readonly #hz: number;
  readonly #initFract: number;
  /** Sleeps so far in this grace period. */
  #count = 0;

  /** `initFract`: the first sleep of the rule "jiffies". */
  constructor(rule: RuleSet['tasks.backoff'], hz: number, initFract: number) {
    this.#rule = rule;
    this.#hz = hz;
    this.#initFract = initFract;
  }

  /** A hold-out phase begins. */
  begin(): void {
    this.#count = 0;
  }

  /** It sleeps before it has looked whether there are holdouts at all. */
  get sleepsFirst(): boolean {
    return this.#rule === 'seed-v2' && this.#count === 0;
  }

  /** The sleep that comes next. */
  get next(): number {
    const hz = this.#hz;
    switch (this.#rule) {
      case 'hz':
        return hz;
      case 'seed-v2':
        return this.#count === 0 ? Math.floor(hz / FIRST_FRACT) : hz;
      case 'fract':
        return Math.floor(hz / Math.max(1, FIRST_FRACT - this.#count));
      default:
        return Math.min(this.#initFract + this.#count, Math.max(hz, this.#initFract));
    }
  }

  /** It has been taken. */
  advance(): void {
    this.#count++;
  }
}
