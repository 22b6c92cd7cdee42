/** L1 to L6: what holds in the log of any run, whatever is simulated. */
import { APIS } from '../config.ts';
import { KIND } from '../core/eventKinds.ts';
import { ANY_KIND, type Checker, type CheckerFactory, type Row } from './checker.ts';

/** L1. */
export const timeOrder: CheckerFactory = ({ report }): Checker => {
  let before = 0;
  return {
    id: 'L1',
    title: 'time never goes back from row to row',
    rule: 'core/eventLog.ts',
    kinds: ANY_KIND,
    onRow(row) {
      report.judge(this.id, row.timeNs >= before, row, () => `${row.timeNs} ns after a row at ${before} ns`);
      before = row.timeNs;
    },
  };
};

/** L2. */
export const causeOrder: CheckerFactory = ({ report }): Checker => ({
  id: 'L2',
  title: 'the cause of a row is an earlier row, or none',
  rule: 'core/eventKinds.ts',
  kinds: ANY_KIND,
  onRow(row) {
    const isRight = row.cause >= -1 && row.cause < row.index;
    report.judge(this.id, isRight, row, () => `row ${row.index} names row ${row.cause} as its cause`);
  },
});

/** Rows that a thread or worker writes while it computes. */
const OWN_ROWS: readonly number[] = [
  KIND.api_call,
  KIND.api_return,
  KIND.srcu_fetch,
  KIND.srcu_lock,
  KIND.srcu_unlock,
  KIND.rcu_read_lock,
  KIND.rcu_read_unlock,
  KIND.rcu_sr_normal,
  KIND.workqueue_execute_start,
];

/** Calls that return when a cookie has become true: nobody needs a CPU for that (tree R6.6). */
const POLLED: readonly number[] = [
  APIS.indexOf('get_state_synchronize_rcu'),
  APIS.indexOf('start_poll_synchronize_rcu'),
  APIS.indexOf('start_poll_synchronize_rcu_expedited'),
];

/** L3. */
export const oneTaskPerCpu: CheckerFactory = (context): Checker => {
  const { report, info } = context;
  const cpuOf = (track: number) => info.tracks[track]?.cpu;
  /** CPU on which a task is to be found; some kthreads and workers are not bound to one. */
  const placeOf = (track: number): number => {
    const own = cpuOf(track) as number;
    if (own >= 0) return own;
    for (let cpu = 0; cpu < info.config.cpus; cpu++) if (context.cpu(cpu).current === track) return cpu;
    return own;
  };
  return {
    id: 'L3',
    title: 'one task per CPU, on its own CPU, and only it acts there',
    rule: 'docs/model/srcu-calibration.md 8.6 S1',
    kinds: info.contended ? [KIND.sched_switch, ...OWN_ROWS] : [KIND.sched_switch],
    onRow(row) {
      if (!info.contended) {
        report.judge(this.id, false, row, () => 'a switch where every task has a CPU of its own');
        return;
      }
      if (row.kind === KIND.api_return && POLLED.includes(row.a)) return;
      if (row.kind !== KIND.sched_switch) {
        const cpu = placeOf(row.track);
        const running = context.cpu(cpu).current;
        report.judge(this.id, running === row.track, row, () => {
          const who = running < 0 ? 'nobody' : context.name(running);
          return `${context.name(row.track)} acts while CPU ${cpu} runs ${who}`;
        });
        return;
      }
      const { current } = context.cpu(row.track);
      report.judge(this.id, row.b === current, row, () => {
        return `CPU ${row.track} leaves ${context.name(row.b)} but ran ${context.name(current)}`;
      });
      const isOwn = row.a < 0 || cpuOf(row.a) === row.track || cpuOf(row.a) === -1;
      report.judge(this.id, isOwn, row, () => `${context.name(row.a)} runs on CPU ${row.track}`);
    },
  };
};

/** L4. */
export const wokenWasBlocked: CheckerFactory = (context): Checker => {
  const { report, info } = context;
  const runnable = new Set<number>();
  return {
    id: 'L4',
    title: 'only a blocked task is woken, only a woken task runs',
    rule: 'docs/model/srcu-calibration.md 8.6 S4',
    kinds: info.contended ? [KIND.sched_switch, KIND.sched_waking] : [],
    onRow(row) {
      if (row.kind === KIND.sched_waking) {
        // whoever has its CPU may be on the way to sleep: it keeps it then
        const isCurrent = context.cpu(row.a).current === row.track;
        report.judge(this.id, isCurrent || !runnable.has(row.track), row, () => {
          return `${context.name(row.track)} is woken but was not asleep`;
        });
        runnable.add(row.track);
        return;
      }
      const blocks = row.c === 0;
      if (row.b >= 0 && blocks) runnable.delete(row.b);
      if (row.a < 0) return;
      report.judge(this.id, runnable.has(row.a), row, () => {
        return `${context.name(row.a)} gets CPU ${row.track} but nobody has woken it`;
      });
    },
  };
};

/** L5. */
export const runEndIsLast: CheckerFactory = ({ report }): Checker => {
  let ended = -1;
  return {
    id: 'L5',
    title: 'the last row, and no other, is run_end',
    rule: 'core/eventKinds.ts run_end',
    kinds: ANY_KIND,
    onRow(row) {
      if (ended >= 0) report.judge(this.id, false, row, () => `a row after run_end (row ${ended})`);
      if (row.kind === KIND.run_end) ended = row.index;
    },
    onEnd(row) {
      report.judge(this.id, ended >= 0, row, () => 'the log has no run_end');
    },
  };
};

/** L6. */
export const callsReturn: CheckerFactory = (context): Checker => {
  const { report, calls } = context;
  const numbers = new Map<string, number>();
  const judgeCall = (id: string, row: Row) => {
    const open = calls.get(row.track);
    report.judge(id, open === undefined, row, () => {
      return `${context.name(row.track)} makes call ${row.b} inside call ${open?.number}`;
    });
    // calls are numbered by updater; several threads may share one (gapFrom "call"), and the barriers behind their
    // batches come in any order
    const track = context.info.tracks[row.track];
    const actor = context.info.config.actors[track?.actor ?? -1];
    if (actor?.kind !== 'updater' || actor.api !== APIS[row.a]) return;
    const key = `${track?.actor}/${track?.number}`;
    const last = numbers.get(key) ?? -1;
    report.judge(id, row.b === last + 1, row, () => `call ${row.b} of an updater follows its call ${last}`);
    numbers.set(key, row.b);
  };
  return {
    id: 'L6',
    title: 'calls are numbered in order, return once, and last as long as their rows say',
    rule: 'core/eventKinds.ts api_call, api_return',
    kinds: [KIND.api_call, KIND.api_return],
    onRow(row) {
      if (context.isSeveral(row.track)) return;
      if (row.kind === KIND.api_call) {
        judgeCall(this.id, row);
        return;
      }
      const call = calls.get(row.track);
      const isOpen =
        call !== undefined && call.api === row.a && call.number === row.b && call.domain === row.d;
      report.judge(this.id, isOpen, row, () => `${context.name(row.track)} returns from a call it is not in`);
      if (call === undefined) return;
      const tookNs = row.timeNs - call.enteredNs;
      report.judge(this.id, row.c === tookNs, row, () => `a call of ${tookNs} ns is logged as ${row.c} ns`);
    },
  };
};
