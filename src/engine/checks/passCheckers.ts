/** I7, I8, I9, I11 and L7: passes of process_srcu, what queues them, what they count, how long they wait. */
import { KIND, TIMER_FN, WORK_FN } from '../core/eventKinds.ts';
import { PASS_OUTCOME } from '../core/passCode.ts';
import { fixedCosts, mostNs } from '../machine/costs.ts';
import { srcuConstants } from '../srcu/constants.ts';
import type { Checker, CheckerFactory, Row } from './checker.ts';
import type { CheckContext } from './context.ts';
import type { PassModel } from './passModel.ts';
import { perDomain } from './perDomain.ts';

/** An effective queueing of the work item: on a timer, whose handler has run, or on the worker's list. */
interface Queueing {
  /** When it became effective, and when the worker could take it up; Infinity before. */
  readonly fromNs: number;
  readyNs: number;
  /** Number of the grace period for which it was queued. */
  readonly gp: number;
  timer: 'none' | 'armed' | 'fired';
}

/** The work item of a domain. A running pass has used up the first queueing, but its row comes when it ends. */
interface Work {
  readonly pending: Queueing[];
  endNs: number;
}

/** Number of the grace period under way, or of the last one. */
function gpNumber(context: CheckContext, domain: number): number {
  return Math.ceil(context.domain(domain).seq / 4);
}

/** The pass of this row has used up a queueing, and may have queued itself. */
function judgePass(context: CheckContext, id: string, row: Row, work: Work): void {
  const { report, pass } = context;
  const { info, count, startNs, endNs } = pass;
  if (count === 0) return;
  report.judge(
    id,
    startNs >= work.endNs,
    row,
    () => `a pass starts at ${startNs}, the last one ends ${work.endNs}`,
  );
  work.endNs = endNs;
  const own = work.pending.shift();
  report.judge(id, own !== undefined && own.readyNs <= startNs, row, () => {
    return `the pass from ${startNs} ns on was not queued by then`;
  });
  const next = work.pending[0];
  report.judge(id, next === undefined || next.fromNs >= startNs, row, () => {
    return `queued twice before the pass that starts at ${startNs} ns`;
  });
  // 2.4 step 4
  if (info.outcome !== PASS_OUTCOME.again || info.delay > 0 || info.scanEnd === 0) return;
  const gp = gpNumber(context, row.track);
  work.pending.push({ fromNs: endNs, readyNs: endNs, gp, timer: 'none' });
}

/** I7. */
export const oneQueueingPerPass: CheckerFactory = (context): Checker => {
  const { report } = context;
  const works = perDomain<Work>(() => ({ pending: [], endNs: 0 }));
  /** Another queueing is right if there is none, or one whose pass has ended its grace period by now. */
  const queue = (id: string, row: Row, { pending }: Work, next: Queueing) => {
    const hasEnded = ({ readyNs, gp }: Queueing) => readyNs <= row.timeNs && gp < next.gp;
    const isRight = pending.length === 0 || (pending.length === 1 && pending.every(hasEnded));
    report.judge(id, isRight, row, () => 'process_srcu is queued, with effect, though it waits already');
    if (!isRight) pending.pop();
    pending.push(next);
  };
  const onExpire = (id: string, row: Row, { pending }: Work) => {
    const timer = pending.find((queueing) => queueing.timer === 'armed');
    report.judge(id, timer !== undefined, row, () => 'a timer of process_srcu fires that was not armed');
    if (timer !== undefined) timer.timer = 'fired';
  };
  const onQueue = (id: string, row: Row, work: Work) => {
    const fired = work.pending.find(({ timer }) => timer === 'fired');
    if (row.c === 0) {
      const isPending = work.pending.length > 0;
      report.judge(id, isPending, row, () => 'queueing had no effect though process_srcu was not queued');
    } else if (fired !== undefined) {
      fired.timer = 'none';
      fired.readyNs = row.timeNs;
    } else {
      const { timeNs } = row;
      queue(id, row, work, { fromNs: timeNs, readyNs: timeNs, gp: gpNumber(context, row.b), timer: 'none' });
    }
  };
  return {
    id: 'I7',
    title: 'passes of a domain never overlap; exactly one effective queueing before each',
    rule: 'docs/model/srcu.md 5.7 I7',
    kinds: [KIND.timer_start, KIND.timer_expire_entry, KIND.workqueue_queue_work, KIND.srcu_pass],
    onRow(row) {
      const { kind, timeNs, a: fn } = row;
      if (kind === KIND.srcu_pass) judgePass(context, this.id, row, works(row.track));
      else if (kind === KIND.workqueue_queue_work) {
        if (fn === WORK_FN.process_srcu) onQueue(this.id, row, works(row.b));
      } else if (fn !== TIMER_FN.delayed_work_timer_fn) return;
      else if (kind === KIND.timer_expire_entry) onExpire(this.id, row, works(row.d));
      else {
        const gp = gpNumber(context, row.d);
        const readyNs = Number.POSITIVE_INFINITY;
        queue(this.id, row, works(row.d), { fromNs: timeNs, readyNs, gp, timer: 'armed' });
      }
    },
  };
};

/** I8. */
export const noDelayCount: CheckerFactory = ({ report, pass }): Checker => ({
  id: 'I8',
  title: 'n starts at 0 with a grace period, a flip and an end, and grows by 1 per zero answer',
  rule: 'docs/model/srcu.md 5.7 I8, 3.1, 3.2',
  kinds: [KIND.srcu_pass],
  onRow(row) {
    if (pass.count === 0) return;
    report.judge(this.id, pass.isCountRight, row, () => {
      const range = pass.nLow === pass.nHigh ? `${pass.nLow}` : `${pass.nLow} to ${pass.nHigh}`;
      return `n is ${pass.info.nAfter} after ${pass.count} passes, it must be ${range}`;
    });
  },
});

/** What led to a decision, for texts. */
function decision(pass: PassModel): string {
  const { isExpedited, age, info } = pass;
  return `${isExpedited ? 'expedited' : 'normal'}, age ${age}, n ${info.nAfter}, CPU ${info.cpu}`;
}

/** I9. */
export const sleepsOnlyIfItMust: CheckerFactory = (context): Checker => {
  const { report, pass, info } = context;
  /** Delay of the first pass of a grace period that the funnel has started (3.4), until it is queued; -1: none. */
  const first = perDomain(() => ({ delay: -1 }));
  const onQueue = (id: string, row: Row, domain: number, isDelayed: boolean) => {
    const { delay } = first(domain);
    if (delay < 0) return;
    first(domain).delay = -1;
    report.judge(id, isDelayed === delay > 0, row, () => {
      return `the first pass ${isDelayed ? 'is delayed' : 'runs at once'}, its delay must be ${delay}`;
    });
  };
  return {
    id: 'I9',
    title: 'no delay of 0 beyond expediting, age and limits, and no other delay within them',
    rule: 'docs/model/srcu.md 5.7 I9, 2.4 steps 2 and 3, 3.1, 3.4',
    kinds: [KIND.srcu_gp_start, KIND.timer_start, KIND.workqueue_queue_work, KIND.srcu_pass],
    onRow(row) {
      if (row.kind === KIND.srcu_gp_start) {
        const { owesStart, neededExp } = context.domain(row.track);
        const polls = info.rules['srcu.delay'] === 'exp-only' || info.srcu.phaseLimit >= 1;
        if (!owesStart) first(row.track).delay = neededExp > row.a && polls ? 0 : 1;
      } else if (row.kind === KIND.timer_start) {
        if (row.a === TIMER_FN.delayed_work_timer_fn) onQueue(this.id, row, row.d, true);
      } else if (row.kind === KIND.workqueue_queue_work) {
        if (row.a === WORK_FN.process_srcu) onQueue(this.id, row, row.b, false);
      } else if (pass.count > 0 && pass.delay !== undefined) {
        report.judge(this.id, (pass.info.delay === 0) === (pass.delay === 0), row, () => {
          return `delay ${pass.info.delay} decided, it must be ${pass.delay} (${decision(pass)})`;
        });
      }
    },
  };
};

/** L7. */
export const delayLength: CheckerFactory = ({ report, pass }): Checker => {
  const decided = perDomain(() => ({ delay: 0 }));
  return {
    id: 'L7',
    title: 'a delay is as long as the age of the grace period makes it, and its timer as long as the delay',
    rule: 'docs/model/srcu.md 3.1, 2.4',
    kinds: [KIND.srcu_pass, KIND.timer_start],
    onRow(row) {
      if (row.kind === KIND.timer_start) {
        if (row.a !== TIMER_FN.delayed_work_timer_fn) return;
        const last = decided(row.d);
        // a first pass is delayed by 1, without any pass before it
        const expected = last.delay === 0 ? 1 : last.delay;
        report.judge(
          this.id,
          row.b === expected,
          row,
          () => `the timer waits ${row.b}, decided was ${expected}`,
        );
        last.delay = 0;
        return;
      }
      const { info, delay } = pass;
      if (pass.count === 0) return;
      decided(row.track).delay = info.outcome === PASS_OUTCOME.again ? info.delay : 0;
      if (delay === undefined || delay === 0 || info.delay === 0) return;
      report.judge(this.id, info.delay === delay, row, () => {
        return `delay ${info.delay} decided, it must be ${delay} (${decision(pass)})`;
      });
    },
  };
};

/** Passes without a delay, back to back, in the grace period under way. */
interface Window {
  /** Windows of this grace period so far, the present one included. */
  count: number;
  open: boolean;
  fromNs: number;
  toNs: number;
  cpu: number;
}

/** I11. */
export const oneWindow: CheckerFactory = (context): Checker => {
  const { report, info, pass } = context;
  const { config, rules } = info;
  const slowest = { ...config, machine: fixedCosts(config.machine, mostNs) };
  const { passLoopNs, checkNs, retryNs, secondRetryNs } = srcuConstants(slowest, rules);
  const passNs = passLoopNs + 2 * checkNs + 2 * retryNs + secondRetryNs;
  const twoTicksNs = 2e9 / info.config.hz;
  const windows = perDomain<Window>(() => ({ count: 0, open: false, fromNs: 0, toNs: 0, cpu: 0 }));
  const close = (id: string, window: Window, row: Row) => {
    if (!window.open) return;
    window.open = false;
    const offNs = info.contended ? context.cpu(window.cpu).offNs(window.fromNs, window.toNs) : 0;
    const lengthNs = window.toNs - window.fromNs;
    report.judge(id, lengthNs < twoTicksNs + passNs + offNs, row, () => {
      return `it polled for ${lengthNs} ns, ${offNs} ns of them off its CPU`;
    });
    report.judge(id, window.count === 1, row, () => `it polled ${window.count} times, with a delay between`);
  };
  return {
    id: 'I11',
    title: 'a grace period polls once at most, for less than two jiffies and a pass',
    rule: 'docs/model/srcu.md 5.7 I11, 4.3',
    kinds: info.rules['srcu.delay'] === 'age-2' ? [KIND.srcu_gp_start, KIND.srcu_gp_end, KIND.srcu_pass] : [],
    onRow(row) {
      const window = windows(row.track);
      if (row.kind !== KIND.srcu_pass) {
        close(this.id, window, row);
        window.count = 0;
        return;
      }
      if (pass.count === 0 || pass.info.outcome !== PASS_OUTCOME.again) return;
      if (pass.info.delay > 0) {
        close(this.id, window, row);
        return;
      }
      if (!window.open) {
        window.open = true;
        window.count++;
        window.fromNs = pass.startNs;
      }
      window.toNs = pass.endNs;
      window.cpu = pass.info.cpu;
    },
  };
};
