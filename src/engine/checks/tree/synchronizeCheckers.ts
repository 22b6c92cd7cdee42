/** V11, V12, V13: callers woken by the grace period, expedited grace periods, polled cookies. */
import { KIND, RCU_EXP, RCU_GP } from '../../core/eventKinds.ts';
import { nohzFullCpus } from '../../profiles/offload.ts';
import { bitHi, bitLo } from '../../tree/nodeMask.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import type { CheckContext } from '../context.ts';
import { isTrue } from './cookies.ts';
import { endOf, stateOf } from './gpNumbers.ts';

/** SR_MAX_USERS_WAKE_FROM_GP. */
const MAX_DIRECT_WAKES = 5;
/** `a` of rcu_sr_normal rows. */
const REQUEST = 0;

/** Wake-ups that the kthread itself makes in a cleanup: its rows follow from "end", one from the other. */
class DirectWakes {
  readonly #rows = new Set<number>();
  count = 0;

  end(row: Row): void {
    this.#rows.clear();
    this.#rows.add(row.index);
    this.count = 0;
  }

  /** A row of the kthread, or of somebody else; true if it is one of the kthread's. */
  follows(row: Row): boolean {
    if (!this.#rows.has(row.cause)) return false;
    this.#rows.add(row.index);
    return true;
  }
}

/** V11. */
export const srNormal: CheckerFactory = (context): Checker => {
  const { report, rcu } = context;
  /** By thread: what it has requested. */
  const open = new Map<number, { readonly id: number; readonly index: number }>();
  const direct = new DirectWakes();
  const judgeComplete = (id: string, row: Row): void => {
    const request = open.get(row.track);
    report.judge(id, request?.id === row.b, row, () => {
      return `${context.name(row.track)} is completed as ${row.b}, it waits as ${request?.id ?? 'nobody'}`;
    });
    if (request === undefined) return;
    report.judge(id, rcu.endedStart > request.index, row, () => {
      return `${context.name(row.track)} is completed, but the last grace period that has ended began at row ${rcu.endedStart}, before row ${request.index}`;
    });
    open.delete(row.track);
  };
  return {
    id: 'V11',
    title:
      'a caller on the sr_normal list is completed once, after its grace period; 5 wake-ups at most are direct',
    rule: 'docs/model/tree-invariants.md V11',
    kinds: [
      ...[KIND.rcu_sr_normal, KIND.api_return, KIND.sched_waking, KIND.rcu_grace_period],
      ...[KIND.rcu_segcb_stats, KIND.rcu_future_grace_period, KIND.rcu_poll],
    ],
    onRow(row) {
      if (context.isSeveral(row.track) && row.kind !== KIND.sched_waking) return;
      if (row.kind === KIND.rcu_sr_normal) {
        if (row.a !== REQUEST) judgeComplete(this.id, row);
        else {
          const isFirst = !open.has(row.track);
          report.judge(this.id, isFirst, row, () => `${context.name(row.track)} requests twice`);
          open.set(row.track, { id: row.b, index: row.index });
        }
      } else if (row.kind === KIND.api_return) {
        const isOpen = open.has(row.track);
        report.judge(
          this.id,
          !isOpen,
          row,
          () => `${context.name(row.track)} returns before it is completed`,
        );
      } else if (row.kind === KIND.rcu_grace_period && row.a === RCU_GP.end) direct.end(row);
      else if (row.kind !== KIND.sched_waking) direct.follows(row);
      else if (open.has(row.track) && direct.follows(row)) {
        direct.count++;
        report.judge(this.id, direct.count <= MAX_DIRECT_WAKES, row, () => {
          return `the kthread wakes ${direct.count} callers itself`;
        });
      }
    },
  };
};

const V12 = 'V12';

/** The expedited grace period that runs: whom it asked, who was found quiescent. */
class ExpeditedGp {
  readonly #context: CheckContext;
  readonly #nohzUsers: ReadonlySet<number>;
  /** CPUs that got an interrupt. */
  readonly #asked = new Set<number>();
  /** By leaf: CPU and time of the selection. */
  readonly #selections = new Map<number, { readonly cpu: number; readonly timeNs: number }>();
  /** By CPU: when rcuop began a batch there, which is a momentary extended quiescent state. */
  readonly #batches = new Map<number, number>();

  constructor(context: CheckContext) {
    this.#context = context;
    this.#nohzUsers = new Set(nohzFullCpus(context.info.config));
  }

  judgeGp(row: Row): void {
    const { report, rcu } = this.#context;
    const { a: code, b: s } = row;
    const next = endOf(rcu.expSeq);
    if (code === RCU_EXP.start) {
      this.#asked.clear();
      this.#selections.clear();
      report.judge(V12, !rcu.isExpRunning && s === next, row, () => {
        const what = rcu.isExpRunning ? 'while one runs' : `after ${rcu.expSeq}`;
        return `expedited grace period ${s} starts ${what}`;
      });
    } else if (code === RCU_EXP.end) {
      report.judge(V12, rcu.isExpRunning && s === next, row, () => {
        return `expedited grace period ${s} ends at ${rcu.expSeq}${rcu.isExpRunning ? '' : ', none runs'}`;
      });
      for (const node of rcu.nodes) {
        report.judge(V12, node.isExpQuiet, row, () => {
          return `it ends while node ${node.shape.index} owes ${node.expLo}, ${node.expHi} and ${node.expBlockers} readers`;
        });
      }
    }
  }

  select(row: Row): void {
    const { report, rcu } = this.#context;
    const { expLo, expHi } = rcu.node(row.a);
    report.judge(V12, row.b === expLo && row.c === expHi, row, () => {
      return `leaf ${row.a} selects from ${row.b}, ${row.c}; its expmask is ${expLo}, ${expHi}`;
    });
    this.#selections.set(row.a, { cpu: row.track, timeNs: row.timeNs });
  }

  ask(cpu: number): void {
    this.#asked.add(cpu);
  }

  batchStarts(row: Row): void {
    if (this.#context.offloaded.has(row.c)) this.#batches.set(row.track, row.timeNs);
  }

  judgeReport(row: Row): void {
    const { report, rcu } = this.#context;
    const node = rcu.node(row.b >> 1);
    const { index } = node.shape;
    const isSet = (node.expLo & row.c) >>> 0 === row.c && (node.expHi & row.d) >>> 0 === row.d;
    report.judge(V12, isSet, row, () => `node ${index} clears bits of expmask that are clear already`);
    node.children.forEach((child, bit) => {
      if (((row.c & bitLo(bit)) | (row.d & bitHi(bit))) === 0) return;
      report.judge(V12, child.isExpQuiet, row, () => {
        return `node ${index} clears the bit of node ${child.shape.index}, which is still waited for`;
      });
    });
    if (node.children.length > 0) return;
    for (const cpu of rcu.cpusIn(node, row.c, row.d)) this.#judgeCpu(row, cpu);
  }

  #judgeCpu(row: Row, cpu: number): void {
    const { report, rcu } = this.#context;
    if (this.#asked.has(cpu)) {
      report.judge(
        V12,
        row.track === cpu,
        row,
        () => `CPU ${cpu} was asked, CPU ${row.track} reports for it`,
      );
      return;
    }
    const selection = this.#selections.get(row.b >> 1);
    const { isIdle, idleToNs } = rcu.cpu(cpu);
    const wasQuiescentNs = Math.max(idleToNs, this.#batches.get(cpu) ?? -1);
    const wasFound =
      selection !== undefined &&
      (selection.cpu === cpu || isIdle || wasQuiescentNs >= selection.timeNs || this.#nohzUsers.has(cpu));
    report.judge(V12, wasFound, row, () => {
      return `CPU ${cpu} is reported, but was neither asked nor quiescent when its leaf was looked at`;
    });
  }
}

/** V12. */
export const expedited: CheckerFactory = (context): Checker => {
  const gp = new ExpeditedGp(context);
  return {
    id: V12,
    title: 'one expedited grace period at a time, in which each CPU is found quiescent or reports itself',
    rule: 'docs/model/tree-invariants.md V12',
    kinds: [
      ...[KIND.rcu_exp_grace_period, KIND.rcu_exp_select, KIND.rcu_exp_ipi, KIND.rcu_exp_report],
      KIND.rcu_batch_start,
    ],
    onRow(row) {
      if (row.kind === KIND.rcu_exp_grace_period) gp.judgeGp(row);
      else if (row.kind === KIND.rcu_exp_select) gp.select(row);
      else if (row.kind === KIND.rcu_exp_ipi) gp.ask(row.a);
      else if (row.kind === KIND.rcu_batch_start) gp.batchStarts(row);
      else gp.judgeReport(row);
    },
  };
};

/** V13. */
export const polled: CheckerFactory = (context): Checker => {
  const { report, rcu } = context;
  let seq = 0;
  const judgeTrue = (id: string, row: Row): void => {
    const cookie = context.cookies.use(row);
    report.judge(id, cookie !== undefined, row, () => {
      return `the cookie ${row.b} of ${context.name(row.d)} becomes true, which it has not, or not any more`;
    });
    if (cookie === undefined) return;
    // a normal grace period counts from the begin of its cleanup on (R6.4)
    const normal = rcu.quietNs >= 0 ? rcu.startIndex : rcu.endedStart;
    report.judge(id, normal > cookie.index || rcu.expEndedStart > cookie.index, row, () => {
      return `the cookie of row ${cookie.index} becomes true, but no whole grace period has passed since`;
    });
  };
  return {
    id: 'V13',
    title: 'a polled cookie becomes true once, after a whole grace period; gp_seq_polled only grows',
    rule: 'docs/model/tree-invariants.md V13',
    kinds: [KIND.rcu_poll, KIND.rcu_poll_gp_seq],
    onRow(row) {
      if (row.kind === KIND.rcu_poll_gp_seq) {
        const next = stateOf(seq) === 0 ? seq + 1 : endOf(seq);
        report.judge(this.id, row.a === next, row, () => `gp_seq_polled goes from ${seq} to ${row.a}`);
        seq = row.a;
      } else if (isTrue(row)) judgeTrue(this.id, row);
      else context.cookies.take(row);
    },
  };
};
