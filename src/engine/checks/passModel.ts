/**
 * What a srcu_pass row says, beside what it should say: when its passes decided their delay, with which n, age and
 * per-jiffy count, and which delay that makes (docs/model/srcu.md 2.4, 3.1, 3.2). A row of a million passes takes as
 * many steps as it spans jiffies.
 *
 * Failed checks and decisions have no rows of their own. Their times follow from the length of a pass; where a
 * request, a tick or a switch falls on the very instant of a decision, the order is not known and nothing is claimed.
 */
import { KIND } from '../core/eventKinds.ts';
import { PASS_OUTCOME, type PassInfo, unpackPass } from '../core/passCode.ts';
import { leastNs as atLeast, mostNs as atMost, hasRange } from '../machine/costs.ts';
import type { Row } from './checker.ts';
import type { CheckContext } from './context.ts';
import type { DomainState } from './domainState.ts';
import { perDomain } from './perDomain.ts';

/** `nAfter` of a pass code stands for this and more. */
const N_MAX = 2 ** 21 - 1;
/** Costs that make up a pass. */
const PASS_COSTS = ['udelayBaseNs', 'udelayPerUsNs', 'checkNs', 'passLoopNs', 'passFirstCheckNs'] as const;
/** SRCU_MAX_INTERVAL (3.5). Written down again here: a checker takes nothing from what it checks. */
export const MAX_INTERVAL = 10;

/** Counters of a domain that rows show only through passes. */
interface Counters {
  /** srcu_n_exp_nodelay. */
  n: number;
  /** reschedule_jiffies and reschedule_count; NaN: not known. */
  jiffy: number;
  reschedules: number;
}

/** A span of time that an instant lies in. */
type Span = readonly [earliestNs: number, latestNs: number];

/** The facts of one row; read again for every row. */
export class PassModel {
  readonly #context: CheckContext;
  readonly #passesVary: boolean;
  readonly #switchesVary: boolean;
  readonly #counters = perDomain<Counters>(() => ({ n: 0, jiffy: -1, reschedules: 0 }));
  #domain: DomainState | undefined;

  info: PassInfo = unpackPass(0);
  count = 0;
  startNs = 0;
  endNs = 0;
  lengthNs = 0;
  /** First and last decision (2.4 step 2). */
  firstDecision: Span = [0, 0];
  lastDecision: Span = [0, 0];
  /** E at the first decision, A at the last; undefined: not known. */
  isExpedited: boolean | undefined;
  age: number | undefined;
  /** Bounds of srcu_n_exp_nodelay after the last pass. */
  nLow = 0;
  nHigh = 0;
  /** The delay of 2.4 steps 2 and 3; for several passes the largest. Undefined: not known. */
  delay: number | undefined;

  constructor(context: CheckContext) {
    this.#context = context;
    this.#passesVary = hasRange(context.info.config.machine, PASS_COSTS);
    this.#switchesVary = hasRange(context.info.config.machine, ['switchNs']);
  }

  /** CPU time from a decision to the end of its pass: the least and the most. */
  get restNs(): Span {
    const { passLoopNs, passFirstCheckNs } = this.#context.info.config.machine;
    const leastNs = Math.max(0, atLeast(passLoopNs) - atMost(passFirstCheckNs));
    return [leastNs, atMost(passLoopNs) - atLeast(passFirstCheckNs)];
  }

  /** Age from which no delay is zero. */
  get ageLimit(): number {
    const rule = this.#context.info.rules['srcu.delay'];
    return rule === 'exp-only' ? Number.POSITIVE_INFINITY : rule === 'age-1' ? 1 : 2;
  }

  /** True if n after the passes is one of those that the rules allow. */
  get isCountRight(): boolean {
    const n = this.info.nAfter;
    return n === N_MAX ? this.nHigh >= N_MAX : n >= this.nLow && n <= this.nHigh;
  }

  /** Reads the row. */
  read(row: Row): void {
    const domain = this.#context.domain(row.track);
    const counters = this.#counters(row.track);
    this.#domain = domain;
    this.info = unpackPass(row.c);
    this.count = row.a;
    this.startNs = row.b;
    this.lengthNs = row.d;
    this.endNs = row.b + row.a * row.d;
    this.delay = undefined;
    if (this.count === 0) return;
    if (this.info.outcome === PASS_OUTCOME.again && this.info.scanEnd !== 0)
      this.#readFailing(domain, counters);
    else if (this.info.outcome === PASS_OUTCOME.next) this.#readNext(domain, counters);
    else this.#readIdle(counters);
  }

  /** The row has been judged: its word counts from now on. */
  apply(): void {
    if (this.#domain === undefined || this.count === 0) return;
    const { nAfter } = this.info;
    this.#counters(this.#domain.track).n = nAfter === N_MAX ? Math.max(N_MAX, this.nLow) : nAfter;
  }

  /** The grace period moves: n begins anew (I8). Called before the domain takes the row over. */
  beforeStep(row: Row): void {
    const counters = this.#counters(row.track);
    const domain = this.#context.domain(row.track);
    const { rules } = this.#context.info;
    counters.n = 0;
    if (rules['srcu.delay'] === 'exp-only') return;
    // 2.1 step 6: the funnel asks for the delay of the first pass
    if (row.kind === KIND.srcu_gp_start && !domain.owesStart && domain.neededExp > row.a) counters.n = 1;
    // 2.6 step 1: the callbacks' delay is asked for before the grace period ends
    const asks = row.kind === KIND.srcu_gp_end && rules['srcu.cbdelay'] !== 'by-exp';
    if (asks && domain.isExpedited && domain.ageAt(row.timeNs) < this.ageLimit) counters.n = 1;
  }

  #readNext(domain: DomainState, counters: Counters): void {
    const at: Span = [domain.gpStartNs, domain.gpStartNs];
    const expedited = domain.expeditedSinceNs === Number.NEGATIVE_INFINITY;
    this.firstDecision = at;
    this.lastDecision = at;
    this.isExpedited = expedited;
    this.age = 0;
    this.nLow = expedited && this.ageLimit !== Number.POSITIVE_INFINITY ? 1 : 0;
    this.nHigh = this.nLow;
    this.#limitPerJiffy(this.#getDelay(), counters);
  }

  /** An idle domain is never expedited: the delay is not zero, whatever it is it has no effect. */
  #readIdle(counters: Counters): void {
    this.nLow = counters.n;
    this.nHigh = counters.n;
    counters.reschedules = 0;
  }

  #readFailing(domain: DomainState, counters: Counters): void {
    this.lastDecision = this.#decision(this.endNs);
    this.firstDecision = this.count === 1 ? this.lastDecision : this.#decision(this.startNs + this.lengthNs);
    const since = domain.expeditedSinceNs;
    this.isExpedited = isBefore(since, this.firstDecision);
    const ages = this.lastDecision.map((atNs) => domain.ageAt(atNs));
    this.age = ages[0] === ages[1] ? ages[0] : undefined;
    this.#countCalls(domain, counters.n);
    const get = this.#getDelay();
    if (this.count === 1) this.#limitPerJiffy(get, counters);
    else this.#limitBurst(get, counters);
  }

  /** When the pass that ends at `endNs` decided. */
  #decision(endNs: number): Span {
    const { contended } = this.#context.info;
    const [leastNs, mostNs] = this.restNs;
    if (!contended || this.lengthNs === this.#plainLengthNs()) return [endNs - mostNs, endNs - leastNs];
    if (this.count > 1) return [endNs - this.lengthNs, endNs - leastNs];
    const [fromNs, toNs] = this.#context.cpu(this.info.cpu).timeBefore(endNs, leastNs);
    return this.#passesVary || this.#switchesVary ? [endNs - this.lengthNs, toNs] : [fromNs, toNs];
  }

  /** Length of a failing pass whose worker kept its CPU; NaN where it flipped on the way, or passes vary. */
  #plainLengthNs(): number {
    const { scanStart, scanEnd, checks } = this.info;
    const { passFirstCheckNs, checkNs, retryNs, secondRetryNs } = this.#context.info.srcu;
    if (scanStart !== scanEnd || this.#passesVary) return Number.NaN;
    const waitsNs = (checks > 1 ? retryNs : 0) + (checks > 2 ? secondRetryNs : 0);
    return passFirstCheckNs + (scanStart === 1 ? checkNs : 0) + waitsNs + this.restNs[0];
  }

  /**
   * Offsets of the checks of a failing pass from its start, where it does not flip and keeps its CPU. Empty: not known,
   * because costs of a pass are ranges.
   */
  checkOffsets(): number[] {
    if (this.#passesVary) return [];
    const { passFirstCheckNs, checkNs, retryNs, secondRetryNs } = this.#context.info.srcu;
    const first = passFirstCheckNs + (this.info.scanStart === 1 ? checkNs : 0);
    return [first, first + retryNs, first + retryNs + secondRetryNs].slice(0, this.info.checks);
  }

  /** How often srcu_get_delay() counted since n was last 0 or logged (3.1, 3.2). */
  #countCalls(domain: DomainState, before: number): void {
    const { scanStart, scanEnd, failedChecks } = this.info;
    const once = this.#context.info.rules['srcu.tryCheck'] === 'once';
    const isSame = scanStart === scanEnd;
    // a pass that flips may have failed a check before it did: 2 to 3 of its failed checks came after
    const most = once ? 2 : Math.min(failedChecks, 3) + 1;
    const least = once ? 2 : isSame ? most : Math.max(2, failedChecks - 1) + 1;
    const always =
      domain.expeditedSinceNs < this.startNs && this.age !== undefined && this.age < this.ageLimit;
    const never = this.isExpedited === false || domain.ageAt(this.startNs) >= this.ageLimit;
    if (this.ageLimit === Number.POSITIVE_INFINITY || (never && this.count === 1)) {
      this.nLow = before;
      this.nHigh = before;
    } else {
      const rest = (this.count - 1) * most;
      this.nLow = before + rest + (always ? least : 0);
      this.nHigh = before + rest + most;
    }
  }

  /** srcu_get_delay() at the last decision (3.1); undefined: not known. */
  #getDelay(): number | undefined {
    const { isExpedited, age } = this;
    if (isExpedited === undefined || age === undefined) return undefined;
    const { rules, srcu } = this.#context.info;
    let delay = isExpedited ? 0 : 1;
    if (rules['srcu.delay'] === 'exp-only') return delay;
    if (rules['srcu.delay'] === 'age-1') delay += age;
    else if (age >= 2) delay += age - 1;
    if (delay === 0 && this.info.nAfter > srcu.phaseLimit) delay = 1;
    return Math.min(delay, MAX_INTERVAL);
  }

  /** 2.4 step 3 for one decision. */
  #limitPerJiffy(get: number | undefined, counters: Counters): void {
    this.delay = get;
    if (this.#context.info.srcu.jiffyLimit === Number.POSITIVE_INFINITY) return;
    if (get === undefined) forget(counters);
    else if (get > 0) counters.reschedules = 0;
    else {
      const [jiffy, latest] = this.lastDecision.map((atNs) => this.#context.ticks.jiffiesAt(atNs));
      const isLimited = this.#take(jiffy === latest ? (jiffy as number) : Number.NaN, 1, counters);
      this.delay = isLimited === undefined ? undefined : Number(isLimited);
    }
  }

  /** The same for a row of several passes, jiffy by jiffy. */
  #limitBurst(get: number | undefined, counters: Counters): void {
    const { ticks, info } = this.#context;
    this.delay = get;
    if (info.srcu.jiffyLimit === Number.POSITIVE_INFINITY) return;
    if (get !== 0 || this.lastDecision[0] !== this.lastDecision[1]) {
      forget(counters);
      if (get === 0) this.delay = undefined;
      return;
    }
    const zeroNs = this.startNs - this.restNs[0];
    for (let k = 1; k <= this.count; ) {
      const jiffy = ticks.jiffiesAt(zeroNs + k * this.lengthNs);
      const next = (ticks.timeOfJiffyNs(jiffy + 1) - zeroNs) / this.lengthNs;
      const last = Math.min(this.count, Math.max(k, Math.ceil(next) - 1));
      const isLimited = this.#take(jiffy, last - k + 1, counters);
      if (isLimited === undefined) this.delay = undefined;
      else if (isLimited) this.delay = 1;
      k = last + 1;
    }
  }

  /** So many more zero delays in this jiffy (NaN: not known which). Does the limit strike? Undefined: not known. */
  #take(jiffy: number, passes: number, counters: Counters): boolean | undefined {
    const { jiffyLimit } = this.#context.info.srcu;
    const before = counters.jiffy;
    counters.jiffy = jiffy;
    if (jiffy === before) {
      counters.reschedules += passes;
      return Number.isNaN(counters.reschedules) ? undefined : counters.reschedules > jiffyLimit;
    }
    const isKnown = !Number.isNaN(jiffy) && !Number.isNaN(before);
    counters.reschedules = isKnown ? passes : Number.NaN;
    // the first one of a fresh jiffy is not tested
    return isKnown ? passes > 1 && passes > jiffyLimit : undefined;
  }
}

function forget(counters: Counters): void {
  counters.jiffy = Number.NaN;
  counters.reschedules = Number.NaN;
}

/** Whether an instant (exact) comes before one that lies in a span; undefined: not known. */
function isBefore(atNs: number, span: Span): boolean | undefined {
  if (atNs < span[0]) return true;
  return atNs > span[1] ? false : undefined;
}
