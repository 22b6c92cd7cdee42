/** I7, I8, I9, I11 and L7: passes of process_srcu, what queues them, what they count, how long they wait. */
import { KIND, TIMER_FN, WORK_FN } from '../core/eventKinds.ts';
import { PASS_OUTCOME } from '../core/passCode.ts';
import type { Checker, CheckerFactory, Row } from './checker.ts';
import { perDomain } from './perDomain.ts';

/** An effective queueing of the work item: on a timer, whose handler has run, or on the worker's list. */
interface Queueing {
  /** When it became effective, and when the worker could take it up; Infinity before. */
  readonly fromNs: number;
  readyNs: number;
  timer: 'none' | 'armed' | 'fired';
}

/** The work item of a domain. A running pass has used up the first queueing, but its row comes when it ends. */
interface Work {
  readonly pending: Queueing[];
  endNs: number;
}

/** I7. */
export const oneQueueingPerPass: CheckerFactory = (context): Checker => {
  const { report } = context;
  const works = perDomain<Work>(() => ({ pending: [], endNs: 0 }));
  const isWaiting = ({ readyNs }: Queueing) => readyNs === Number.POSITIVE_INFINITY;
  /** Another queueing is right if there is none, or one whose pass may be running. */
  const queue = (id: string, row: Row, next: Queueing) => {
    const { pending } = works(row.kind === KIND.timer_start ? row.d : row.b);
    const isRight = pending.length === 0 || (pending.length === 1 && !pending.some(isWaiting));
    report.judge(id, isRight, row, () => 'process_srcu is queued, with effect, though it waits already');
    if (!isRight) pending.pop();
    pending.push(next);
  };
  const onExpire = (id: string, row: Row) => {
    const timer = works(row.d).pending.find((queueing) => queueing.timer === 'armed');
    report.judge(id, timer !== undefined, row, () => 'a timer of process_srcu fires that was not armed');
    if (timer !== undefined) timer.timer = 'fired';
  };
  const onQueue = (id: string, row: Row) => {
    const { pending } = works(row.b);
    const fired = pending.find(({ timer }) => timer === 'fired');
    if (row.c === 0) {
      report.judge(
        id,
        pending.length > 0,
        row,
        () => 'queueing had no effect though process_srcu was not queued',
      );
    } else if (fired !== undefined) {
      fired.timer = 'none';
      fired.readyNs = row.timeNs;
    } else queue(id, row, { fromNs: row.timeNs, readyNs: row.timeNs, timer: 'none' });
  };
  const onPass = (id: string, row: Row) => {
    const { info, count, startNs, endNs } = context.pass;
    if (count === 0) return;
    const work = works(row.track);
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
    // 2.4 step 4: it queues itself
    if (info.outcome !== PASS_OUTCOME.again || info.delay > 0 || info.scanEnd === 0) return;
    work.pending.push({ fromNs: endNs, readyNs: endNs, timer: 'none' });
  };
  return {
    id: 'I7',
    title: 'passes of a domain never overlap; exactly one effective queueing before each',
    rule: 'docs/model/srcu.md 5.7 I7',
    kinds: [KIND.timer_start, KIND.timer_expire_entry, KIND.workqueue_queue_work, KIND.srcu_pass],
    onRow(row) {
      const { kind, timeNs: fromNs, a: fn } = row;
      if (kind === KIND.srcu_pass) onPass(this.id, row);
      else if (kind === KIND.workqueue_queue_work) {
        if (fn === WORK_FN.process_srcu) onQueue(this.id, row);
      } else if (fn !== TIMER_FN.delayed_work_timer_fn) return;
      else if (kind === KIND.timer_expire_entry) onExpire(this.id, row);
      else queue(this.id, row, { fromNs, readyNs: Number.POSITIVE_INFINITY, timer: 'armed' });
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
function decision(pass: Parameters<CheckerFactory>[0]['pass']): string {
  const { isExpedited, age, info } = pass;
  return `${isExpedited ? 'expedited' : 'normal'}, age ${age}, n ${info.nAfter}, CPU ${info.cpu}`;
}

/** I9. */
export const sleepsOnlyIfItMust: CheckerFactory = ({ report, pass }): Checker => ({
  id: 'I9',
  title: 'no delay of 0 beyond expediting, age and limits, and no other delay within them',
  rule: 'docs/model/srcu.md 5.7 I9, 2.4 steps 2 and 3, 3.1',
  kinds: [KIND.srcu_pass],
  onRow(row) {
    const { delay } = pass;
    if (pass.count === 0 || delay === undefined) return;
    report.judge(this.id, (pass.info.delay === 0) === (delay === 0), row, () => {
      return `delay ${pass.info.delay} decided, it must be ${delay} (${decision(pass)})`;
    });
  },
});

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
  const { passLoopNs, checkNs, retryNs, secondRetryNs } = info.srcu;
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
