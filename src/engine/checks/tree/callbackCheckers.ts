/** V3, V8, V9, V16: callbacks wait for their grace period, on lists that are in order. */
import { APIS } from '../../config.ts';
import { KIND, RCU_FUNC, RCU_FUTURE, RCU_GP, RCU_SEGCB } from '../../core/eventKinds.ts';
import { type SegcbStats, unpackSegcb } from '../../tree/segcbCode.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import type { CheckContext } from '../context.ts';
import { isTrue } from './cookies.ts';
import { hasStarted, snapOf } from './gpNumbers.ts';
import { kthreadCosts } from './kthreadClock.ts';
import type { NodeModel } from './rcuModel.ts';
import { isPreemptible } from './treeDelays.ts';

/** Calls that return after a whole grace period; the last one unless its cookie is true at once, which V13 judges. */
const SYNCHRONOUS: readonly number[] = [
  APIS.indexOf('synchronize_rcu'),
  APIS.indexOf('synchronize_rcu_expedited'),
  APIS.indexOf('cond_synchronize_rcu'),
];

/** V3. */
export const callbackSafety: CheckerFactory = (context): Checker => {
  const { report, rcu, lists, info } = context;
  const { rules, config } = info;
  // R4.1: nothing to wait for on the one CPU of an old kernel
  const returnsAtOnce = rules['tree.oneCpu'] === 'no-gp' && config.cpus === 1 && !isPreemptible(config);
  /** Threads whose cookie was true in the call that they are in. */
  const hadCookie = new Set<number>();
  const judgeInvoke = (id: string, row: Row): void => {
    if (row.b === RCU_FUNC.rcu_barrier_callback) return;
    const { endedStart } = rcu.leafOf(row.c);
    const queued = lists.list(row.c).find(row.a);
    const isRight = queued !== undefined && queued.index < endedStart;
    report.judge(id, isRight, row, () => {
      const since = queued === undefined ? 'was never queued' : `was queued in row ${queued.index}`;
      return `callback ${row.a} ${since}; the last grace period that has ended began at row ${endedStart}`;
    });
  };
  const judgeReturn = (id: string, row: Row): void => {
    const since = context.calls.get(row.track)?.enteredIndex;
    if (since === undefined || returnsAtOnce || context.isSeveral(row.track)) return;
    if (hadCookie.delete(row.track)) return;
    const isCovered = rcu.endedStart > since || rcu.expEndedStart > since;
    report.judge(id, isCovered, row, () => {
      return `${context.name(row.track)} returns, but no whole grace period has passed since row ${since}`;
    });
  };
  return {
    id: 'V3',
    title: 'a callback is invoked, and a synchronous caller returns, after a whole grace period',
    rule: 'docs/model/tree-invariants.md V3',
    kinds: [KIND.rcu_invoke_callback, KIND.api_return, KIND.rcu_poll],
    onRow(row) {
      if (row.kind === KIND.rcu_invoke_callback) judgeInvoke(this.id, row);
      else if (row.kind === KIND.rcu_poll) {
        if (isTrue(row)) hadCookie.add(row.d);
      } else if (SYNCHRONOUS.includes(row.a)) judgeReturn(this.id, row);
      else hadCookie.delete(row.track);
    },
  };
};

const V8 = 'V8';

/** A rcu_segcb_stats row: do the segments hold the list? */
function judgeLengths({ report, lists, offloaded }: CheckContext, row: Row, stats: SegcbStats): void {
  const cpu = Math.floor(row.a / 16);
  const { len, invoked } = lists.list(cpu);
  const { done, wait, nextReady, next } = stats;
  const sum = done + wait + nextReady + next;
  // a batch that runs has taken what it invokes off the segments; what an offloaded CPU bypasses is not in them yet
  const isWhole = invoked < 0 && !offloaded.has(cpu);
  const isRight = isWhole ? sum === len : sum <= len - Math.max(0, invoked);
  report.judge(V8, isRight, row, () => {
    return `the segments of CPU ${cpu} hold ${done}+${wait}+${nextReady}+${next} of ${len} callbacks`;
  });
}

/** The same row behind a numbering: are the numbers in order, and none too late? */
function judgeOrder({ report, rcu }: CheckContext, row: Row, stats: SegcbStats): void {
  const cpu = Math.floor(row.a / 16);
  const { wait, nextReady, waitSeq, nextReadySeq } = stats;
  const isOrdered = nextReady === 0 || (wait > 0 && waitSeq <= nextReadySeq);
  report.judge(V8, isOrdered, row, () => {
    return `CPU ${cpu} has ${wait} callbacks in WAIT for ${waitSeq} and ${nextReady} in NEXT_READY for ${nextReadySeq}`;
  });
  const last = nextReady > 0 ? nextReadySeq : waitSeq;
  const snap = snapOf(rcu.gpSeq);
  report.judge(V8, wait + nextReady === 0 || last <= snap, row, () => {
    return `CPU ${cpu} waits for ${last}; ${snap} is enough at gp_seq ${rcu.gpSeq}`;
  });
}

/** First in, first out. */
function judgeFirst({ report, lists }: CheckContext, row: Row): void {
  const list = lists.list(row.c);
  if (row.b === RCU_FUNC.rcu_barrier_callback) {
    report.judge(
      V8,
      list.barriers > 0,
      row,
      () => `CPU ${row.c} invokes a barrier that was not queued there`,
    );
    return;
  }
  report.judge(V8, list.first?.id === row.a, row, () => {
    return `CPU ${row.c} invokes callback ${row.a}, callback ${list.first?.id} is first`;
  });
}

/** V8. */
export const segments: CheckerFactory = (context): Checker => {
  const { report, rcu, lists } = context;
  return {
    id: V8,
    title: 'the segments hold the whole list, first in, first out, with numbers in order and none too late',
    rule: 'docs/model/tree-invariants.md V8',
    kinds: [
      ...[KIND.rcu_segcb_stats, KIND.rcu_callback, KIND.rcu_grace_period],
      ...[KIND.rcu_batch_start, KIND.rcu_invoke_callback, KIND.rcu_batch_end],
    ],
    onRow(row) {
      const judgeCount = (cpu: number, count: number, expected: number) =>
        report.judge(this.id, count === expected, row, () => {
          return `the row says ${count} callbacks of CPU ${cpu}, it must be ${expected}`;
        });
      switch (row.kind) {
        case KIND.rcu_segcb_stats: {
          const stats = unpackSegcb(row.b, row.c, row.d);
          judgeLengths(context, row, stats);
          if (row.a % 16 === RCU_SEGCB.SegCbPostAcc) judgeOrder(context, row, stats);
          return;
        }
        case KIND.rcu_grace_period:
          if (row.a !== RCU_GP.AccReadyCB && row.a !== RCU_GP.AccWaitCB) return;
          report.judge(this.id, row.b === snapOf(rcu.gpSeq), row, () => {
            return `callbacks are numbered for ${row.b} at gp_seq ${rcu.gpSeq}`;
          });
          return;
        case KIND.rcu_callback:
          judgeCount(row.track, row.c, lists.list(row.track).len + 1);
          return;
        case KIND.rcu_batch_start:
          judgeCount(row.c, row.a, lists.list(row.c).len);
          return;
        case KIND.rcu_batch_end:
          judgeCount(row.c, row.a, lists.list(row.c).invoked);
          return;
        default:
          judgeFirst(context, row);
      }
    },
  };
};

/** Numbers of the callbacks of a list: the last callbacks first. -Infinity: ready, Infinity: none yet. */
function numbersOf(stats: SegcbStats): readonly (readonly [count: number, seq: number])[] {
  return [
    [stats.next, Number.POSITIVE_INFINITY],
    [stats.nextReady, stats.nextReadySeq],
    [stats.wait, stats.waitSeq],
    [stats.done, Number.NEGATIVE_INFINITY],
  ];
}

/** Has a callback a later number now than before, `joined` callbacks having come in between? */
function hasLaterNumber(before: SegcbStats, now: SegcbStats, joined: number): boolean {
  const seqAt = (stats: SegcbStats, fromEnd: number): number => {
    let left = fromEnd;
    for (const [count, seq] of numbersOf(stats)) {
      if (left < count) return seq;
      left -= count;
    }
    return Number.NEGATIVE_INFINITY;
  };
  let fromEnd = 0;
  for (const [count, seq] of numbersOf(before)) {
    // the newest of a segment has the latest number
    if (count > 0 && seqAt(now, fromEnd + joined) > seq) return true;
    fromEnd += count;
  }
  return false;
}

/** V9. */
export const noLostRequest: CheckerFactory = (context): Checker => {
  const { report, rcu, lists, kthread } = context;
  const { cleanupNs, restartNs, wakeNs } = kthreadCosts(context.info, rcu.nodes.length);
  const allowedNs = cleanupNs + restartNs + wakeNs;
  /** By CPU: its list after the last numbering, and how many callbacks had joined it. */
  const lastStats = new Map<number, { readonly stats: SegcbStats; readonly joined: number }>();
  /** Since when a grace period is wanted that has not begun, ns; -1: none is. */
  let wantedNs = -1;
  const isWanted = (cpu: number, seq: number): boolean => {
    let node: NodeModel | undefined = rcu.leafOf(cpu);
    for (; node !== undefined; node = rcu.parentOf(node)) if (node.needed >= seq) return true;
    return false;
  };
  const judgeNumbers = (id: string, row: Row): void => {
    const cpu = Math.floor(row.a / 16);
    const stats = unpackSegcb(row.b, row.c, row.d);
    for (const [count, seq] of [
      [stats.wait, stats.waitSeq],
      [stats.nextReady, stats.nextReadySeq],
    ] as const) {
      if (count === 0 || hasStarted(rcu.gpSeq, seq)) continue;
      report.judge(id, isWanted(cpu, seq), row, () => {
        return `CPU ${cpu} waits for ${seq}, which no node on its path needs`;
      });
    }
    const { joined } = lists.list(cpu);
    const before = lastStats.get(cpu);
    lastStats.set(cpu, { stats, joined });
    // callbacks on a bypass list have joined and are in no segment
    if (before === undefined || context.offloaded.has(cpu)) return;
    report.judge(id, !hasLaterNumber(before.stats, stats, joined - before.joined), row, () => {
      return `a callback of CPU ${cpu} has a later number than before`;
    });
  };
  const judgeStart = (id: string, row: Row): void => {
    if (wantedNs < 0) return;
    const waitedNs = row.timeNs - wantedNs - kthread.waitedNs(wantedNs, row.timeNs);
    report.judge(id, waitedNs <= allowedNs, row, () => {
      return `a grace period is wanted for ${waitedNs} ns without a start; ${allowedNs} ns are allowed`;
    });
  };
  return {
    id: 'V9',
    title: 'no request is lost: who waits for a number is known on its path, and the start follows at once',
    rule: 'docs/model/tree-invariants.md V9',
    kinds: [KIND.rcu_segcb_stats, KIND.rcu_future_grace_period, KIND.rcu_grace_period],
    onRow(row) {
      if (row.kind === KIND.rcu_segcb_stats) {
        if (row.a % 16 === RCU_SEGCB.SegCbPostAcc) judgeNumbers(this.id, row);
      } else if (row.kind === KIND.rcu_future_grace_period) {
        const { a: code, c: target } = row;
        if (code === RCU_FUTURE.Startedroot && wantedNs < 0) wantedNs = row.timeNs;
        if (code !== RCU_FUTURE.Cleanup && code !== RCU_FUTURE.CleanupMore) return;
        const { needed } = rcu.node(row.d);
        const isRight = needed === target && (code === RCU_FUTURE.CleanupMore) === needed > row.b;
        report.judge(this.id, isRight, row, () => {
          return `node ${row.d} is cleaned up as needing ${target}; ${needed} was asked for`;
        });
      } else if (row.a === RCU_GP.start) {
        judgeStart(this.id, row);
        wantedNs = -1;
      } else if (row.a === RCU_GP.end && rcu.root.needed > rcu.root.gpSeq) wantedNs = row.timeNs;
    },
    onEnd(row) {
      judgeStart(this.id, row);
    },
  };
};

const BATCH_BY_KTHREAD = 8;

/** V16. */
export const invoker: CheckerFactory = (context): Checker => {
  const { report, lists, info } = context;
  const isRcuc = Number(info.config.params['rcutree.use_softirq'] ?? 1) === 0;
  const kthreads = new Map(info.tracks.map(({ name, id }) => [name, id]));
  const rcuop = (cpu: number) => kthreads.get(`rcuop/${cpu}`) ?? kthreads.get(`rcuos/${cpu}`) ?? -1;
  return {
    id: 'V16',
    title:
      'callbacks of an offloaded CPU are invoked by its rcuop, all others on their CPU in softirq or rcuc',
    rule: 'docs/model/tree-invariants.md V16',
    kinds: [KIND.rcu_invoke_callback, KIND.rcu_batch_end],
    onRow(row) {
      const { track, c: cpu } = row;
      const isOffloaded = context.offloaded.has(cpu);
      if (row.kind === KIND.rcu_batch_end) {
        const byKthread = (row.b & BATCH_BY_KTHREAD) !== 0;
        report.judge(this.id, byKthread === (isOffloaded || isRcuc), row, () => {
          return `callbacks of CPU ${cpu} are invoked ${byKthread ? 'by a kthread' : 'in softirq'}`;
        });
        return;
      }
      const { invoked, batchCpu } = lists.list(cpu);
      // rcuop may be moved to another CPU in its batch
      report.judge(this.id, invoked >= 0 && (isOffloaded || batchCpu === track), row, () => {
        return `callback ${row.a} of CPU ${cpu} is invoked on CPU ${track}, outside a batch there`;
      });
      if (!isOffloaded)
        report.judge(this.id, track === cpu, row, () => {
          return `callback ${row.a} of CPU ${cpu} is invoked on CPU ${track}`;
        });
      else if (info.contended)
        report.judge(this.id, context.cpu(track).current === rcuop(cpu), row, () => {
          return `callback ${row.a} of CPU ${cpu} is invoked while CPU ${track} runs ${context.name(context.cpu(track).current)}`;
        });
    },
  };
};
