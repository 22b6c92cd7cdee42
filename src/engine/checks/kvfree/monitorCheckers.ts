/** W7, W8: the monitor comes, and in time. */
import { KIND, TIMER_FN, WORK_FN } from '../../core/eventKinds.ts';
import { wheelExpiry } from '../../core/ticks.ts';
import { ANY_KIND, type Checker, type CheckerFactory, type Row } from '../checker.ts';
import type { CheckContext } from '../context.ts';
import type { KrcModel } from './krcModel.ts';
import { kvfreeLimits } from './kvfreeLimits.ts';

/** A timer on its tick is handled within the next one; a CPU that looks too early adds another (R1.15b). */
const LATE_TICKS = 2;

/** CPU of the krc that a row may change, or -1. */
function changedKrc(row: Row): number {
  switch (row.kind) {
    case KIND.kvfree_unit_open:
    case KIND.kvfree_unit_close:
    case KIND.kvfree_attach:
    case KIND.kvfree_drain_ready:
      return row.track;
    case KIND.timer_start:
    case KIND.timer_expire_entry:
      return row.a === TIMER_FN.kfree_rcu_monitor ? row.d : -1;
    case KIND.workqueue_execute_end:
      return row.a === WORK_FN.kfree_rcu_monitor ? row.b : -1;
    case KIND.kvfree_barrier:
      return row.b;
    default:
      return -1;
  }
}

/** Looks at krcs when all rows of an instant that changed them have been read. */
class Later {
  readonly #cpus = new Set<number>();
  #timeNs = 0;
  readonly #look: (krc: KrcModel, row: Row) => void;
  readonly #krc: (cpu: number) => KrcModel;

  constructor(krc: (cpu: number) => KrcModel, look: (krc: KrcModel, row: Row) => void) {
    this.#krc = krc;
    this.#look = look;
  }

  onRow(row: Row): void {
    if (this.#cpus.size > 0 && row.timeNs > this.#timeNs) {
      for (const cpu of this.#cpus) this.#look(this.#krc(cpu), row);
      this.#cpus.clear();
    }
    const cpu = changedKrc(row);
    if (cpu < 0) return;
    this.#cpus.add(cpu);
    this.#timeNs = row.timeNs;
  }
}

/** W7. */
export const monitorPending: CheckerFactory = (context): Checker => {
  const { report, kvfree, info } = context;
  const holds = info.rules['kvfree.rearm'] === 'if-any-left';
  const later = new Later(
    (cpu) => kvfree.krc(cpu),
    (krc, row) => {
      if (!krc.needsOffload) return;
      const { due, isQueued, isRunning, isCancelled } = krc.monitor;
      // between the barrier's attach and its cancel somebody may queue, and nobody arms it before the next call
      if (isCancelled) return;
      report.judge('W7', due >= 0 || isQueued || isRunning, row, () => {
        return `objects on the channels of CPU ${krc.cpu}, and its monitor is neither armed nor queued nor running`;
      });
    },
  );
  return {
    id: 'W7',
    title: 'while objects are on a channel the monitor is pending or runs',
    rule: 'docs/model/kvfree-invariants.md W7',
    kinds: holds ? ANY_KIND : [],
    onRow: (row) => later.onRow(row),
  };
};

const W8 = 'W8';

function judgeStart({ report, ticks, kvfree, info }: CheckContext, row: Row): void {
  const { quietJiffies, busyJiffies, records } = kvfreeLimits(info);
  const { b: delay, c: due, d: cpu } = row;
  const krc = kvfree.krc(cpu);
  const { least, most } = krc.count(records);
  const isAdaptive = quietJiffies !== busyJiffies;
  const mayBeQuiet = !isAdaptive || least < Math.max(records, 1);
  const mayBeBusy = isAdaptive && most >= records;
  const fits = (delay === quietJiffies && mayBeQuiet) || (delay === busyJiffies && mayBeBusy);
  report.judge(W8, fits, row, () => {
    return `the monitor is armed for ${delay} jiffies with ${least} to ${most} objects on the channels`;
  });
  const rightDue = wheelExpiry(ticks.jiffiesAt(row.timeNs), delay);
  report.judge(
    W8,
    due === rightDue,
    row,
    () => `armed for ${delay}: due at jiffy ${due}, it must be ${rightDue}`,
  );
  const { due: before } = krc.monitor;
  report.judge(W8, before < 0 || (isAdaptive && due < before), row, () => {
    return `the monitor, armed for jiffy ${before}, is armed again for ${due}`;
  });
}

/** W8. */
export const monitorDelay: CheckerFactory = (context): Checker => {
  const { report, kvfree, ticks, info } = context;
  const { quietJiffies, busyJiffies, records } = kvfreeLimits(info);
  const isOnTime = (due: number, timeNs: number) => timeNs <= ticks.timeOfJiffyNs(due + LATE_TICKS);
  const later = new Later(
    (cpu) => kvfree.krc(cpu),
    (krc, row) => {
      if (quietJiffies === busyJiffies || krc.count(records).least < Math.max(records, 1)) return;
      const { due, isQueued } = krc.monitor;
      const latest = wheelExpiry(ticks.jiffiesAt(row.timeNs), busyJiffies);
      report.judge(W8, due <= latest || isQueued, row, () => {
        return `a block of objects on CPU ${krc.cpu}, and its monitor comes at jiffy ${due} only`;
      });
    },
  );
  const judgeExpiry = (row: Row): void => {
    const { due } = kvfree.krc(row.d).monitor;
    report.judge(
      W8,
      row.c === due,
      row,
      () => `the monitor's timer fires for jiffy ${row.c}, it is armed for ${due}`,
    );
    const isRight = row.timeNs >= ticks.timeOfJiffyNs(row.c) && isOnTime(row.c, row.timeNs);
    report.judge(W8, isRight, row, () => `the timer of jiffy ${row.c} fires at ${row.timeNs} ns`);
  };
  return {
    id: W8,
    title: 'the monitor comes after 5 s, a jiffy with a block of objects, or HZ/50, and never later',
    rule: 'docs/model/kvfree-invariants.md W8',
    kinds: ANY_KIND,
    onRow(row) {
      later.onRow(row);
      if (row.a !== TIMER_FN.kfree_rcu_monitor) return;
      if (row.kind === KIND.timer_start) judgeStart(context, row);
      else if (row.kind === KIND.timer_expire_entry) judgeExpiry(row);
    },
    onEnd(row) {
      for (const { cpu, monitor } of kvfree.krcs()) {
        const { due } = monitor;
        report.judge(W8, due < 0 || isOnTime(due, row.timeNs), row, () => {
          return `the monitor of CPU ${cpu}, due at jiffy ${due}, has not come by ${row.timeNs} ns`;
        });
      }
    },
  };
};
