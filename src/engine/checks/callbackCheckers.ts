/** I5, I13, I15: when callbacks run, and when calls return. */
import { SRCU_APIS } from '../config.ts';
import { CALLBACK, KIND } from '../core/eventKinds.ts';
import type { Checker, CheckerFactory } from './checker.ts';

const BARRIER = SRCU_APIS.indexOf('srcu_barrier');
const CALL_SRCU = SRCU_APIS.indexOf('call_srcu');

/** I5. */
export const callbackOrder: CheckerFactory = (context): Checker => {
  const { report } = context;
  let lastId = -1;
  return {
    id: 'I5',
    title: 'a callback runs once, after the grace period it waits for, in the order of its list',
    rule: 'docs/model/srcu.md 5.7 I5, 1.4',
    kinds: [KIND.srcu_cb_queue, KIND.srcu_cb_invoke],
    onRow(row) {
      const domain = context.domain(row.track);
      const list = domain.callbacks.get(row.c);
      const { a: callback, b: target } = row;
      if (row.kind === KIND.srcu_cb_queue) {
        const last = list?.last?.target ?? 0;
        const isRight = callback > lastId && target >= last;
        lastId = callback;
        report.judge(
          this.id,
          isRight,
          row,
          () => `callback ${callback} for ${target} joins a list ending at ${last}`,
        );
        return;
      }
      const { seq } = domain;
      report.judge(
        this.id,
        seq >= target,
        row,
        () => `callback ${callback} for ${target} runs at seq ${seq}`,
      );
      const first = list?.first;
      report.judge(this.id, first?.id === callback && first.target === target, row, () => {
        const due =
          first === undefined ? 'its list is empty' : `callback ${first.id} for ${first.target} is first`;
        return `callback ${callback} for ${target} runs, but ${due}`;
      });
    },
  };
};

/** I13. */
export const returnAfterCallback: CheckerFactory = (context): Checker => {
  const { report, info } = context;
  const byExpedited = info.rules['srcu.cbdelay'] === 'by-exp';
  /** By thread: what its call waits for. */
  const waits = new Map<number, { readonly target: number; readonly callback: number; invoked: boolean }>();
  const threads = new Map<number, number>();
  /** 2.6 step 1. */
  const expectedDelay = (track: number, nowNs: number): number => {
    const domain = context.domain(track);
    if (!domain.isExpedited) return 1;
    if (byExpedited || info.rules['srcu.delay'] === 'exp-only') return 0;
    return domain.ageAt(nowNs) < context.pass.ageLimit && info.srcu.phaseLimit >= 1 ? 0 : 1;
  };
  return {
    id: 'I13',
    title:
      'a call returns after its callback, that after its grace period, whose delay is 0 or 1 as it was expedited',
    rule: 'docs/model/srcu.md 5.7 I13, 2.6 step 1',
    kinds: [KIND.srcu_request, KIND.srcu_cb_invoke, KIND.srcu_gp_end, KIND.api_return],
    onRow(row) {
      if (row.kind === KIND.srcu_request) {
        if (context.calls.get(row.c)?.api === CALL_SRCU) return;
        waits.set(row.c, { target: row.a, callback: row.d, invoked: row.d < 0 });
        if (row.d >= 0) threads.set(row.d, row.c);
      } else if (row.kind === KIND.srcu_cb_invoke) {
        const wait = waits.get(threads.get(row.a) ?? -1);
        if (wait?.callback === row.a) wait.invoked = true;
        threads.delete(row.a);
      } else if (row.kind === KIND.srcu_gp_end) {
        const delay = expectedDelay(row.track, row.timeNs);
        report.judge(this.id, row.b === delay, row, () => `callback delay ${row.b}, it must be ${delay}`);
      } else {
        const wait = waits.get(row.track);
        if (wait === undefined) return;
        waits.delete(row.track);
        const { seq } = context.domain(row.d);
        report.judge(this.id, wait.invoked && seq >= wait.target, row, () => {
          const what = wait.invoked ? `seq is ${seq}` : `callback ${wait.callback} has not run`;
          return `a call that waits for ${wait.target} returns, but ${what}`;
        });
      }
    },
  };
};

/** I15. */
export const barrier: CheckerFactory = (context): Checker => {
  const { report } = context;
  return {
    id: 'I15',
    title:
      'srcu_barrier returns after every callback that was queued before it, and asks for no grace period',
    rule: 'docs/model/srcu.md 5.7 I15, 2.8',
    kinds: [KIND.srcu_request, KIND.srcu_cb_queue, KIND.api_return],
    onRow(row) {
      if (row.kind === KIND.srcu_request) {
        const inBarrier = context.calls.get(row.c)?.api === BARRIER;
        report.judge(this.id, !inBarrier, row, () => `srcu_barrier asks for grace period ${row.a / 4}`);
      } else if (row.kind === KIND.srcu_cb_queue) {
        if (row.d !== CALLBACK.barrier) return;
        const last = context.domain(row.track).callbacks.get(row.c)?.last;
        report.judge(this.id, last?.target === row.b, row, () => {
          return `a barrier's callback for ${row.b} behind one for ${last?.target ?? 'nothing'}`;
        });
      } else {
        const call = context.calls.get(row.track);
        if (row.a !== BARRIER || call === undefined) return;
        for (const { first } of context.domain(row.d).callbacks.values()) {
          report.judge(this.id, first === undefined || first.queuedIndex > call.enteredIndex, row, () => {
            return `srcu_barrier of row ${call.enteredIndex} returns before callback ${first?.id} has run`;
          });
        }
      }
    },
  };
};
