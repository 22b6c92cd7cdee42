/** W9, W10: the page cache, and who waits where it has nothing. */
import { KFREE_TEST, KIND, KVFREE_CACHE, KVFREE_CHANNEL } from '../../core/eventKinds.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import type { CheckContext } from '../context.ts';
import { kfreeActorOf, kvfreeLimits } from './kvfreeLimits.ts';

const W9 = 'W9';
const BLOCKED = 0;
/** `a` of kvfree_inline rows. */
const WAITS = 0;

/** When a CPU asked for blocks, and when it was told to back off, since its last fill; -1: not. */
interface Fill {
  askedNs: number;
  /** A run that was there before the last fill may have asked, if it is not closed by the blocks that came. */
  isSupposed: boolean;
  backedOffNs: number;
  /** When the last fill ended. */
  filledNs: number;
}

/** Since when which CPU may fill its cache again. */
class Backoff {
  readonly #context: CheckContext;
  readonly #fills = new Map<number, Fill>();
  /** CPUs that the shrinker has scanned since it counted, and what was left to scan then. */
  readonly #scanned = new Set<number>();
  #left = 0;
  /** When it may have counted at the earliest; all CPUs back off from there on (K15). */
  #countedNs = 0;
  readonly #delayNs: number;

  constructor(context: CheckContext) {
    this.#context = context;
    this.#delayNs = kvfreeLimits(context.info).fillJiffies * context.ticks.periodNs;
  }

  #fill(cpu: number): Fill {
    let fill = this.#fills.get(cpu);
    if (fill === undefined) {
      fill = { askedNs: -1, isSupposed: false, backedOffNs: -1, filledNs: -1 };
      this.#fills.set(cpu, fill);
    }
    return fill;
  }

  /** kswapd is woken. */
  wake(timeNs: number): void {
    this.#countedNs = timeNs;
  }

  /** The shrinker scans a CPU. It has counted before, once for all CPUs. */
  shrink({ track: cpu, c: left, timeNs }: Row): void {
    if (this.#left === 0 || this.#scanned.has(cpu)) {
      this.#scanned.clear();
      for (const { cpu: other } of this.#context.kvfree.krcs()) {
        const fill = this.#fill(other);
        // one that ends between count and scan makes an end of it
        if (fill.filledNs < this.#countedNs && fill.backedOffNs < 0) fill.backedOffNs = timeNs;
      }
    }
    this.#scanned.add(cpu);
    this.#left = left;
    this.#countedNs = timeNs;
  }

  /** No block could be had (K5). */
  ask(cpu: number, timeNs: number): void {
    const fill = this.#fill(cpu);
    if (fill.askedNs < 0 || fill.isSupposed) fill.askedNs = timeNs;
    fill.isSupposed = false;
  }

  /** Blocks are to be had again. */
  closed(cpu: number): void {
    const fill = this.#fill(cpu);
    if (fill.isSupposed) fill.askedNs = -1;
    fill.isSupposed = false;
  }

  judgeFill(row: Row): void {
    const { report, kvfree } = this.#context;
    const fill = this.#fill(row.track);
    const { askedNs, backedOffNs } = fill;
    // one that was asked for before the shortage is under way
    if (backedOffNs >= 0 && (askedNs < 0 || askedNs > backedOffNs)) {
      const fromNs = askedNs + this.#delayNs;
      report.judge(W9, askedNs >= 0 && row.timeNs >= fromNs, row, () => {
        return `a fill at ${row.timeNs} ns, asked for at ${askedNs} ns, behind a shortage at ${backedOffNs} ns`;
      });
    }
    fill.backedOffNs = -1;
    fill.filledNs = row.timeNs;
    const open = kvfree.krc(row.track).channel(KVFREE_CHANNEL.head).at(-1);
    fill.isSupposed = open?.isClosed === false;
    fill.askedNs = fill.isSupposed ? row.timeNs : -1;
  }
}

function judgeChange({ report, kvfree }: CheckContext, row: Row): void {
  const { track: cpu, a: cached, b: why, c: count } = row;
  const before = kvfree.krc(cpu).cached;
  if (before < 0) return;
  const more = why === KVFREE_CACHE.shrunk ? -count : why === KVFREE_CACHE.failed ? 0 : count;
  report.judge(W9, cached === before + more, row, () => `${before} blocks cached, ${more} more: ${cached}`);
}

/** W9. */
export const pageCache: CheckerFactory = (context): Checker => {
  const { report, kvfree, info } = context;
  const { cached: limit } = kvfreeLimits(info);
  const backoff = new Backoff(context);
  const judgeLimit = (row: Row, cached: number): void => {
    report.judge(W9, cached >= 0 && cached <= limit, row, () => `${cached} blocks cached, ${limit} at most`);
  };
  return {
    id: W9,
    title: 'no more blocks are cached than may be, and none are filled in while memory is short',
    rule: 'docs/model/kvfree-invariants.md W9',
    kinds: [
      ...[KIND.kvfree_page_cache, KIND.kvfree_unit_open, KIND.kvfree_unit_close],
      ...[KIND.kvfree_inline, KIND.kvfree_shrink, KIND.sched_waking],
    ],
    onRow(row) {
      if (row.kind === KIND.kvfree_shrink) backoff.shrink(row);
      else if (row.kind === KIND.sched_waking) {
        if (context.name(row.track).startsWith('kswapd')) backoff.wake(row.timeNs);
      } else if (row.kind === KIND.kvfree_unit_close) {
        if (kvfree.units.get(row.a)?.channel === KVFREE_CHANNEL.head) backoff.closed(row.track);
      } else if (row.kind === KIND.kvfree_inline) {
        if (row.a === WAITS) backoff.ask(row.c, row.timeNs);
      } else if (row.kind === KIND.kvfree_page_cache) {
        judgeLimit(row, row.a);
        judgeChange(context, row);
        if (row.b === KVFREE_CACHE.filled || row.b === KVFREE_CACHE.failed) backoff.judgeFill(row);
      } else {
        judgeLimit(row, row.d);
        if (row.b === KVFREE_CHANNEL.head) backoff.ask(row.track, row.timeNs);
        const before = kvfree.krc(row.track).cached;
        const taken = before > 0 && row.b !== KVFREE_CHANNEL.head ? 1 : 0;
        report.judge(W9, before < 0 || row.d === before - taken, row, () => {
          return `${before} blocks cached, ${taken} taken: ${row.d} left`;
        });
      }
    },
  };
};

/** W10. */
export const sleepers: CheckerFactory = (context): Checker => {
  const { report, kvfree, info } = context;
  const { records } = kvfreeLimits(info);
  /** Threads of the test that have begun and not ended, and those that wait inline. */
  const running = new Set<number>();
  const waiting = new Set<number>();
  /** A block that an object could have gone to, in words; '' if there is none. */
  const available = (cpu: number): string => {
    const krc = kvfree.krc(cpu);
    if (krc.cached > 0) return `${krc.cached} blocks are cached`;
    const newest = krc.channel(KVFREE_CHANNEL.bulk).at(-1);
    const hasRoom = newest !== undefined && !newest.isClosed && records > 0;
    return hasRoom ? `unit ${newest.id} is not full` : '';
  };
  const judgeNone = (id: string, row: Row, cpu: number, what: string): void => {
    const block = available(cpu);
    report.judge(id, block === '', row, () => `${what}, but ${block}`);
  };
  return {
    id: 'W10',
    title: 'calls with two arguments never sleep, those with one only where there is no block',
    rule: 'docs/model/kvfree-invariants.md W10',
    kinds: [KIND.kvfree_inline, KIND.kvfree_unit_open, KIND.kfree_test, KIND.sched_switch],
    onRow(row) {
      if (row.kind === KIND.kfree_test) {
        if (row.a === KFREE_TEST.begin) running.add(row.track);
        else running.delete(row.track);
      } else if (row.kind === KIND.kvfree_unit_open) {
        if (row.b === KVFREE_CHANNEL.head)
          judgeNone(this.id, row, row.track, 'an object goes to the head channel');
      } else if (row.kind === KIND.kvfree_inline) {
        if (row.a !== WAITS) {
          waiting.delete(row.track);
          return;
        }
        waiting.add(row.track);
        const mayWait =
          info.rules['kvfree.oneArg'] === 'yes' && kfreeActorOf(info, row.track)?.form !== 'double';
        report.judge(
          this.id,
          mayWait,
          row,
          () => `${context.name(row.track)} waits, its calls have two arguments`,
        );
        judgeNone(this.id, row, row.c, `${context.name(row.track)} waits`);
      } else if (row.c === BLOCKED && running.has(row.b)) {
        report.judge(this.id, waiting.has(row.b), row, () => `${context.name(row.b)} sleeps in the flood`);
      }
    },
  };
};
