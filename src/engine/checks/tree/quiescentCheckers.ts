/** V2, V4, V14: readers are waited for, quiescent states count only when they may. */
import { KIND, RCU_EXP, RCU_GP, RCU_UTILIZATION } from '../../core/eventKinds.ts';
import { mostNs } from '../../machine/costs.ts';
import type { Machine } from '../../machine/presets.ts';
import { nohzFullCpus } from '../../profiles/offload.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import type { CheckContext } from '../context.ts';
import { isPreemptible, treeDelays } from './treeDelays.ts';

/** V2. */
export const readerSafety: CheckerFactory = (context): Checker => {
  const { report, rcu } = context;
  return {
    id: 'V2',
    title: 'a read-side section that began before a grace period, normal or expedited, ends before it ends',
    rule: 'docs/model/tree-invariants.md V2',
    kinds: [KIND.rcu_grace_period, KIND.rcu_exp_grace_period],
    onRow(row) {
      const isExp = row.kind === KIND.rcu_exp_grace_period;
      if (row.a !== (isExp ? RCU_EXP.end : RCU_GP.end)) return;
      const start = isExp ? rcu.expStart : rcu.startIndex;
      const oldest = rcu.sections.entries().next().value;
      report.judge(this.id, oldest === undefined || oldest[1] > start, row, () => {
        const [thread, since] = oldest as [number, number];
        return `it ends while ${context.name(thread)} is in the section of row ${since}; it began at row ${start}`;
      });
    },
  };
};

/** May a later scan find a CPU quiescent that has not been idle since the first one (R2.18, rcu_momentary_eqs())? */
class MomentaryEqs {
  readonly #context: CheckContext;
  readonly #afterJiffies: number;
  readonly #isPossible: boolean;

  constructor(context: CheckContext) {
    const { config } = context.info;
    const { schedQs, stallJiffies } = treeDelays(context.info);
    this.#context = context;
    this.#afterJiffies = Math.min(2 * schedQs, Math.floor(stallJiffies / 2));
    this.#isPossible = !isPreemptible(config);
  }

  /** Needs a scan of a grace period as old as that, or overload. */
  isPossible(row: Row, overloaded: boolean): boolean {
    if (!this.#isPossible) return false;
    const { ticks, rcu } = this.#context;
    const age = ticks.jiffiesAt(row.timeNs) - ticks.jiffiesAt(rcu.startNs);
    return overloaded || age > this.#afterJiffies;
  }
}

/** V4. */
export const qsAfterLearning: CheckerFactory = (context): Checker => {
  const { report, rcu, info } = context;
  const momentary = new MomentaryEqs(context);
  const { qovld } = treeDelays(info);
  // user mode is an extended quiescent state there, of which there are no rows
  const nohzUsers = new Set(nohzFullCpus(info.config));
  let overloaded = false;
  /** By CPU: when rcuop began a batch there, which is a momentary extended quiescent state. */
  const batches = new Map<number, number>();
  const judgeFound = (id: string, row: Row): void => {
    const cpu = rcu.cpu(row.b);
    const wasQuiescentNs = Math.max(cpu.idleToNs, batches.get(row.b) ?? -1);
    const isRight =
      cpu.isIdle ||
      nohzUsers.has(row.b) ||
      (rcu.scans > 1 && (wasQuiescentNs >= rcu.firstScanNs || momentary.isPossible(row, overloaded)));
    report.judge(id, isRight, row, () => {
      return `scan ${rcu.scans} takes CPU ${row.b} for quiescent, which has not been idle since the first one`;
    });
  };
  const judgeReport = (id: string, row: Row): void => {
    const leaf = rcu.node(row.b >> 1);
    if (leaf.children.length > 0) return;
    for (const cpu of rcu.cpusIn(leaf, row.c, row.d)) {
      const { gpSeq, notedSeq } = rcu.cpu(cpu);
      const isOwn = cpu === row.track && gpSeq === row.a && notedSeq === row.a;
      report.judge(id, isOwn || rcu.found.has(cpu), row, () => {
        return `CPU ${cpu} is reported for ${row.a}; it knows of ${gpSeq}, noted one for ${notedSeq}, no scan found it`;
      });
    }
  };
  return {
    id: 'V4',
    title:
      'a quiescent state counts if it was noted after the CPU learned, or found by a scan since the first',
    rule: 'docs/model/tree-invariants.md V4',
    kinds: [
      KIND.rcu_grace_period,
      KIND.rcu_fqs,
      KIND.rcu_quiescent_state_report,
      KIND.rcu_callback,
      KIND.rcu_batch_start,
    ],
    onRow(row) {
      if (row.kind === KIND.rcu_batch_start) {
        if (context.offloaded.has(row.c)) batches.set(row.track, row.timeNs);
      } else if (row.kind === KIND.rcu_callback) overloaded ||= qovld > 0 && row.c >= qovld;
      else if (row.kind === KIND.rcu_fqs) judgeFound(this.id, row);
      else if (row.kind === KIND.rcu_quiescent_state_report) judgeReport(this.id, row);
      else if (row.a === RCU_GP.cpuqs) {
        const { gpSeq } = rcu.cpu(row.track);
        report.judge(this.id, row.b === gpSeq, row, () => {
          return `CPU ${row.track} notes a quiescent state for ${row.b} and knows of ${gpSeq}`;
        });
      }
    },
  };
};

/** What held the tick of a CPU beside work (R1.16). */
interface HeldTick {
  /** Last tick at which it had callbacks: it still had them when it decided about the next one. */
  callbacksTick: number;
  /** Ticks at which timers armed here are due, one later where CPUs race; one more may follow, for the same reason. */
  due: number[];
}

/** From a tick to the end of rcu_core(), at most, ns. */
function longestToRcuNs(machine: Machine): number {
  const { tickEntryNs, tickJitterNs, idleExitNs, idleExitJitterNs, tickDutyNs, tickIdleNs } = machine;
  const { tickWorkNs, rcuCoreEnterNs, rcuLearnHoldNs, rcuAccelHoldNs, rcuReportHoldNs, rcuCoreExitNs } =
    machine;
  const handler = [
    tickEntryNs,
    tickJitterNs,
    idleExitNs,
    idleExitJitterNs,
    tickDutyNs,
    tickIdleNs,
    tickWorkNs,
  ];
  const core = [rcuCoreEnterNs, rcuLearnHoldNs, rcuAccelHoldNs, rcuReportHoldNs, rcuCoreExitNs];
  return [...handler, ...core].reduce<number>((sum, cost) => sum + mostNs(cost), 0);
}

/** V14. */
export const noTickNoWork: CheckerFactory = (context): Checker => {
  const { report, rcu, lists, ticks, info } = context;
  const { idleTick, jiffyRace } = info.config.machine;
  /** Ticks that an idle CPU sees before it stops its own. */
  const ownTicks = idleTick === 'immediate' ? 0 : 1;
  const lateTicks = jiffyRace === 'none' ? 0 : 1;
  // where a handler may take a tick or more to come to RCU, the tick that a row belongs to cannot be told
  const isTold = longestToRcuNs(info.config.machine) < ticks.periodNs;
  const states = new Map<number, HeldTick>();
  const held = (cpu: number): HeldTick => {
    let state = states.get(cpu);
    if (state === undefined) {
      state = { callbacksTick: 0, due: [] };
      states.set(cpu, state);
    }
    return state;
  };
  const judge = (id: string, row: Row): void => {
    const { isIdle, idleFromNs } = rcu.cpu(row.track);
    if (!isIdle) return;
    const state = held(row.track);
    const tick = ticks.numberAt(row.timeNs);
    const idleFrom = ticks.numberAt(idleFromNs);
    const from = Math.max(idleFrom, state.callbacksTick);
    state.due = state.due.filter((due) => due >= from);
    const hasCallbacks = lists.list(row.track).len > 0 && !context.offloaded.has(row.track);
    const isHeld = tick <= idleFrom + ownTicks || tick <= state.callbacksTick + 1;
    const mayTick = !isTold || hasCallbacks || isHeld || state.due.some((due) => due >= tick - 1);
    report.judge(id, mayTick, row, () => {
      return `CPU ${row.track} works for RCU at tick ${tick}; nothing has kept its tick since tick ${from}`;
    });
  };
  return {
    id: 'V14',
    title: 'a CPU whose tick has stopped does not learn, note or report',
    rule: 'docs/model/tree-invariants.md V14',
    kinds: [KIND.rcu_grace_period, KIND.rcu_utilization, KIND.rcu_batch_end, KIND.timer_start],
    onRow(row) {
      const { kind, a } = row;
      if (kind === KIND.rcu_grace_period) {
        if (a === RCU_GP.cpustart || a === RCU_GP.cpuend || a === RCU_GP.cpuqs) judge(this.id, row);
      } else if (kind === KIND.rcu_utilization) {
        if (a === RCU_UTILIZATION['Start RCU core']) judge(this.id, row);
      } else if (kind === KIND.timer_start) {
        held(row.track).due.push(row.c - info.config.startJiffies + lateTicks);
      } else held(row.c).callbacksTick = ticks.numberAt(row.timeNs);
    },
  };
};
