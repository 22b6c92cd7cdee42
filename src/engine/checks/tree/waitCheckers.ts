/** V10, V15, V17: how long grace periods last, when they end, when they are scanned. */
import { type Actor, type Dist, type SimConfig, usesSrcu } from '../../config.ts';
import { KIND, RCU_GP, RCU_UTILIZATION, TIMER_FN } from '../../core/eventKinds.ts';
import { nohzFullCpus } from '../../profiles/offload.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import type { CheckContext } from '../context.ts';
import { kthreadCosts } from './kthreadClock.ts';
import { isPreemptible, treeDelays, wheelTicks } from './treeDelays.ts';

/** The longest draw, ns; Infinity where there is none. */
function longestNs(dist: Dist | undefined): number {
  if (dist === undefined) return Number.POSITIVE_INFINITY;
  if (typeof dist === 'number') return dist;
  if ('uniform' in dist) return dist.uniform[1];
  if ('list' in dist) return Math.max(...dist.list);
  if ('lcg' in dist) return dist.lcg.hi;
  return Number.POSITIVE_INFINITY;
}

/** The longest stretch in which an actor neither sleeps nor calls cond_resched(), its sections of RCU not counted. */
function stretchNs(actor: Actor): number {
  if (actor.kind === 'reader') {
    const isTrace = actor.domain === 'tasks-trace' && actor.holdMode === 'spin';
    return (isTrace ? longestNs(actor.hold) : 0) + (actor.idleMode === 'spin' ? longestNs(actor.idle) : 0);
  }
  // calls that do not block leave no quiescent state between them
  if (actor.kind === 'updater') return actor.gapMode === 'spin' ? actor.calls * longestNs(actor.gap) : 0;
  // a flood may go on without cond_resched()
  if (actor.kind === 'kfree') return Number.POSITIVE_INFINITY;
  if (actor.kind === 'holdout') return longestNs(actor.spin);
  if (actor.kind === 'exiter') return longestNs(actor.exit) + longestNs(actor.tail);
  return actor.mode === 'user' ? 0 : longestNs(actor.spin);
}

/** The same on a kernel that preempts. */
function notPreemptibleNs(actor: Actor): number {
  return actor.kind === 'exiter' ? longestNs(actor.tail) : 0;
}

/** rcuc waits until a task lets go of the CPU: once to learn of a grace period, once to report. */
function isRcucLate({ params, preempt }: SimConfig): boolean {
  return Number(params['rcutree.use_softirq'] ?? 1) === 0 && preempt !== 'full';
}

/** X without sections of RCU: what else keeps a CPU from a quiescent state. Infinity: nothing can be said. */
function otherStretchesNs({ info }: CheckContext): number {
  const { config } = info;
  // ticks stop on such CPUs although something runs there
  if (nohzFullCpus(config).length > 0) return Number.POSITIVE_INFINITY;
  if (isPreemptible(config) && !isRcucLate(config))
    return config.actors.reduce((sum, actor) => sum + actor.count * notPreemptibleNs(actor), 0);
  return usesSrcu(config.actors)
    ? Number.POSITIVE_INFINITY
    : config.actors.reduce((sum, actor) => sum + actor.count * stretchNs(actor), 0);
}

/**
 * X of V10 as the log shows it: the longest section or batch that the grace period has seen, ns. Where several readers
 * have one CPU at once, that CPU is in a section from the begin of the first to the end of the last.
 */
class Stretches {
  readonly #byCpu: boolean;
  readonly #sections = new Map<number, { readonly fromNs: number; count: number }>();
  readonly #batchNs = new Map<number, number>();
  #longestNs = 0;

  constructor(context: CheckContext) {
    this.#byCpu = !context.info.contended;
  }

  begin(): void {
    this.#longestNs = 0;
  }

  longestNs(nowNs: number): number {
    let longest = this.#longestNs;
    for (const { fromNs } of this.#sections.values()) longest = Math.max(longest, nowNs - fromNs);
    for (const fromNs of this.#batchNs.values()) longest = Math.max(longest, nowNs - fromNs);
    return longest;
  }

  take(row: Row): void {
    if (row.kind === KIND.rcu_read_lock) this.#lock(row);
    else if (row.kind === KIND.rcu_read_unlock) this.#unlock(row);
    else if (row.kind === KIND.rcu_batch_start) this.#batchNs.set(row.c, row.timeNs);
    else {
      this.#ended(this.#batchNs.get(row.c) ?? row.timeNs, row.timeNs);
      this.#batchNs.delete(row.c);
    }
  }

  #lock({ track, a: cpu, timeNs }: Row): void {
    const key = this.#byCpu ? cpu : track;
    const section = this.#sections.get(key);
    if (section === undefined) this.#sections.set(key, { fromNs: timeNs, count: 1 });
    else section.count++;
  }

  #unlock({ track, a: cpu, timeNs }: Row): void {
    const key = this.#byCpu ? cpu : track;
    const section = this.#sections.get(key);
    if (section === undefined || --section.count > 0) return;
    this.#sections.delete(key);
    this.#ended(section.fromNs, timeNs);
  }

  #ended(fromNs: number, nowNs: number): void {
    this.#longestNs = Math.max(this.#longestNs, nowNs - fromNs);
  }
}

/** Trylocks lost in learning, by CPU, and timers that came late, in the grace period that runs. */
class Lost {
  readonly #context: CheckContext;
  readonly #byCpu = new Map<number, number>();
  #lateTicks = 0;

  constructor(context: CheckContext) {
    this.#context = context;
  }

  begin(): void {
    this.#byCpu.clear();
    this.#lateTicks = 0;
  }

  /** F: ticks lost by the slowest CPU, and by timers. */
  get ticks(): number {
    return Math.max(0, ...this.#byCpu.values()) + this.#lateTicks;
  }

  /** rcu_core() has something to learn; if it does, "cpustart" or "cpuend" follows. */
  coreStarts({ track }: Row): void {
    const { gpSeq, leaf } = this.#context.rcu.cpu(track);
    if (gpSeq !== leaf.gpSeq) this.#byCpu.set(track, (this.#byCpu.get(track) ?? 0) + 1);
  }

  learned({ track }: Row): void {
    const lost = this.#byCpu.get(track) ?? 0;
    if (lost > 0) this.#byCpu.set(track, lost - 1);
  }

  expired({ a, b, c, d }: Row): void {
    if (a === TIMER_FN.process_timeout && d === this.#context.kthread.track) this.#lateTicks += b - c;
  }
}

/** V10. */
export const liveness: CheckerFactory = (context): Checker => {
  const { report, rcu, ticks, kthread, info } = context;
  const { first, next, schedQs } = treeDelays(info);
  const costs = kthreadCosts(info, rcu.nodes.length);
  const otherNs = otherStretchesNs(context);
  const isLate = isRcucLate(info.config);
  const stretches = new Stretches(context);
  const lost = new Lost(context);
  const scansTicks = wheelTicks(first) + wheelTicks(next);
  /** D of R2.12 in ticks: S, the scan that asks the CPU for help, then its own steps. */
  const holdoutTicks = (): number => {
    let scan = scansTicks;
    while (scan <= schedQs) scan += wheelTicks(next);
    return scan + (isPreemptible(info.config) ? 2 : 1);
  };
  // a CPU that goes idle without a tick when it has been asked waits for another scan (R1.16)
  const withoutTick = info.config.machine.idleTick === 'retain-one' ? 0 : wheelTicks(next);
  const asked = holdoutTicks() + withoutTick;
  const judgeEnd = (id: string, row: Row): void => {
    const lastedNs = row.timeNs - rcu.startNs;
    const xNs = (isLate ? 2 : 1) * (otherNs + stretches.longestNs(row.timeNs));
    const waitedNs = kthread.waitedNs(rcu.startNs, row.timeNs);
    // a scan that comes late arms the next one later, by up to a tick
    const lateTicks = lost.ticks + kthread.waits;
    const ticksNs = (count: number) => Math.ceil((count * 1e9) / ticks.hz);
    const workNs = costs.gpNs + costs.wakeNs + costs.cleanupNs;
    const allowedNs = xNs + ticksNs(Math.max(scansTicks + 2, asked) + lateTicks) + waitedNs + workNs;
    report.judge(id, lastedNs <= allowedNs, row, () => {
      return `the grace period lasts ${lastedNs} ns; ${allowedNs} ns are allowed with X = ${xNs} and ${lateTicks} ticks lost`;
    });
  };
  return {
    id: 'V10',
    title: 'a grace period is no longer than its scans, its readers and what asks late CPUs for help take',
    rule: 'docs/model/tree-invariants.md V10, tree-closed-forms.md R2.12',
    kinds: [
      ...[KIND.rcu_grace_period, KIND.rcu_utilization, KIND.timer_expire_entry],
      ...[KIND.rcu_read_lock, KIND.rcu_read_unlock, KIND.rcu_batch_start, KIND.rcu_batch_end],
    ],
    onRow(row) {
      switch (row.kind) {
        case KIND.rcu_grace_period:
          if (row.a === RCU_GP.start) {
            stretches.begin();
            lost.begin();
          } else if (row.a === RCU_GP.cpustart || row.a === RCU_GP.cpuend) lost.learned(row);
          else if (row.a === RCU_GP.end) judgeEnd(this.id, row);
          return;
        case KIND.rcu_utilization:
          if (row.a === RCU_UTILIZATION['Start RCU core']) lost.coreStarts(row);
          return;
        case KIND.timer_expire_entry:
          lost.expired(row);
          return;
        default:
          stretches.take(row);
      }
    },
    onEnd(row) {
      if (rcu.isRunning) judgeEnd(this.id, row);
    },
  };
};

/** V15. */
export const endsAtOnce: CheckerFactory = (context): Checker => {
  const { report, rcu, kthread, info } = context;
  const { wakeNs, gpNs, cleanupNs } = kthreadCosts(info, rcu.nodes.length);
  const allowedNs = wakeNs + gpNs + cleanupNs;
  const judge = (id: string, row: Row): void => {
    const { quietNs } = rcu;
    if (quietNs < 0) return;
    const tookNs = row.timeNs - quietNs - kthread.waitedNs(quietNs, row.timeNs);
    report.judge(id, tookNs <= allowedNs, row, () => {
      return `the last report came at ${quietNs} ns, and ${tookNs} ns later it has not ended; ${allowedNs} ns are allowed`;
    });
  };
  return {
    id: 'V15',
    title: 'a grace period ends one wake-up of the kthread after the last report, whatever its timer says',
    rule: 'docs/model/tree-invariants.md V15',
    kinds: [KIND.rcu_grace_period],
    onRow(row) {
      if (row.a === RCU_GP.end) judge(this.id, row);
    },
    onEnd(row) {
      if (rcu.isRunning) judge(this.id, row);
    },
  };
};

/** V17. */
export const scansInTime: CheckerFactory = (context): Checker => {
  const { report, rcu, ticks, info } = context;
  const { first, next, qhimark, qovld } = treeDelays(info);
  /** jiffies_force_qs. */
  let forceQs = 0;
  /** jiffies at the last scan of this grace period. */
  let lastScan = Number.NEGATIVE_INFINITY;
  /** Somebody may have set the flag FQS since the last scan (R2.14, R2.28). */
  let isForced = false;
  /** A CPU has had as many callbacks as mean overload. */
  let overloaded = false;
  const waitFor = (row: Row, jiffies: number) => {
    const wait = overloaded ? Math.max(1, Math.floor((jiffies + 2) / 3)) : jiffies;
    forceQs = ticks.jiffiesAt(row.timeNs) + Math.min(wait, jiffies);
  };
  const judgeScan = (id: string, row: Row): void => {
    const now = ticks.jiffiesAt(row.timeNs);
    if (!isForced && !overloaded) {
      report.judge(
        id,
        now >= forceQs,
        row,
        () => `a scan at jiffy ${now}, before jiffies_force_qs ${forceQs}`,
      );
      report.judge(id, now > lastScan, row, () => `a scan at jiffy ${now}, the last one was at ${lastScan}`);
    }
    lastScan = now;
    isForced = false;
  };
  return {
    id: 'V17',
    title: 'no scan before its time, and none within a tick of another, unless it is forced',
    rule: 'docs/model/tree-invariants.md V17',
    kinds: [
      ...[KIND.rcu_grace_period, KIND.rcu_grace_period_init],
      ...[KIND.rcu_callback, KIND.rcu_stall_warning],
    ],
    onRow(row) {
      if (row.kind === KIND.rcu_grace_period_init) {
        if (row.b === rcu.nodes.length - 1) waitFor(row, first);
      } else if (row.kind === KIND.rcu_callback) {
        if (row.c > qhimark) isForced = true;
        if (qovld > 0 && row.c >= qovld) overloaded = true;
      } else if (row.kind === KIND.rcu_stall_warning) isForced = true;
      else if (row.a === RCU_GP.start) {
        lastScan = Number.NEGATIVE_INFINITY;
        isForced = false;
      } else if (row.a === RCU_GP.fqsstart) judgeScan(this.id, row);
      else if (row.a === RCU_GP.fqsend) waitFor(row, next);
    },
  };
};
