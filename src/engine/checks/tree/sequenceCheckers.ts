/** V1, V5, V6, V7: numbers of grace periods, and how they and the masks go through the tree. */
import { KIND, RCU_FUTURE, RCU_GP } from '../../core/eventKinds.ts';
import { bitHi, bitLo } from '../../tree/nodeMask.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import { endOf, stateOf } from './gpNumbers.ts';
import type { NodeModel } from './rcuModel.ts';

/** Rows of the kthread that print rcu_state.gp_seq as it is. */
const OF_THE_KTHREAD: readonly number[] = [
  ...[RCU_GP.newreq, RCU_GP.reqwait, RCU_GP.reqwaitsig],
  ...[RCU_GP.fqswait, RCU_GP.fqsstart, RCU_GP.fqsend, RCU_GP.fqswaitsig],
];

/** V1. */
export const gpSequence: CheckerFactory = (context): Checker => {
  const { report, rcu } = context;
  return {
    id: 'V1',
    title: 'gp_seq moves by 1 at the start of a grace period, from idle, and by 3 at its end',
    rule: 'docs/model/tree-invariants.md V1',
    kinds: [KIND.rcu_grace_period],
    onRow(row) {
      const { a: code, b: seq } = row;
      const { gpSeq } = rcu;
      if (code === RCU_GP.start) {
        const isRight = stateOf(gpSeq) === 0 && seq === gpSeq + 1;
        report.judge(this.id, isRight, row, () => `grace period ${seq} starts at gp_seq ${gpSeq}`);
      } else if (code === RCU_GP.end) {
        const isRight = stateOf(gpSeq) === 1 && seq === gpSeq;
        report.judge(this.id, isRight, row, () => `grace period ${seq} ends at gp_seq ${gpSeq}`);
      } else if (OF_THE_KTHREAD.includes(code))
        report.judge(this.id, seq === gpSeq, row, () => `the row says ${seq}, gp_seq is ${gpSeq}`);
    },
  };
};

function maskText(lo: number, hi: number): string {
  return hi === 0 ? `0x${lo.toString(16)}` : `0x${hi.toString(16)}${lo.toString(16).padStart(8, '0')}`;
}

function isCleanup({ kind, a }: Row): boolean {
  return kind === KIND.rcu_future_grace_period && (a === RCU_FUTURE.Cleanup || a === RCU_FUTURE.CleanupMore);
}

/** V5. */
export const masks: CheckerFactory = (context): Checker => {
  const { report, rcu } = context;
  const judgeReport = (id: string, row: Row): void => {
    const { c: lo, d: hi } = row;
    const node = rcu.node(row.b >> 1);
    const { index, level } = node.shape;
    const isSet = (node.lo & lo) >>> 0 === lo && (node.hi & hi) >>> 0 === hi;
    report.judge(id, isSet, row, () => {
      return `node ${index} clears ${maskText(lo, hi)}, its qsmask is ${maskText(node.lo, node.hi)}`;
    });
    const saysBlocked = row.b % 2 === 1;
    report.judge(id, saysBlocked === node.blockers > 0, row, () => {
      return `node ${index} has ${node.blockers} blocked readers, the row says ${saysBlocked ? 'some' : 'none'}`;
    });
    node.children.forEach((child, bit) => {
      if (((lo & bitLo(bit)) | (hi & bitHi(bit))) === 0) return;
      report.judge(id, child.isQuiet, row, () => {
        const still = `qsmask ${maskText(child.lo, child.hi)} and ${child.blockers} blocked readers`;
        return `node ${index} on level ${level} clears the bit of node ${child.shape.index}, which has ${still}`;
      });
    });
  };
  return {
    id: 'V5',
    title: 'qsmask starts as qsmaskinit, loses bits only, a parent’s bit last, and is empty at cleanup',
    rule: 'docs/model/tree-invariants.md V5',
    kinds: [KIND.rcu_grace_period_init, KIND.rcu_quiescent_state_report, KIND.rcu_future_grace_period],
    onRow(row) {
      if (row.kind === KIND.rcu_quiescent_state_report) judgeReport(this.id, row);
      else if (isCleanup(row)) {
        const node = rcu.node(row.d);
        report.judge(this.id, node.isQuiet, row, () => {
          return `node ${row.d} is cleaned up with qsmask ${maskText(node.lo, node.hi)} and ${node.blockers} blocked readers`;
        });
      } else if (row.kind === KIND.rcu_grace_period_init) {
        const { all, lo, hi } = rcu.node(row.b);
        report.judge(this.id, row.c === all[0] && row.d === all[1], row, () => {
          return `node ${row.b} starts with qsmask ${maskText(row.c, row.d)}, all its bits are ${maskText(...all)}`;
        });
        report.judge(this.id, lo === 0 && hi === 0, row, () => {
          return `node ${row.b} gets a new qsmask while ${maskText(lo, hi)} is left of the old one`;
        });
      }
    },
  };
};

/** V6. */
export const nodeNumbers: CheckerFactory = (context): Checker => {
  const { report, rcu } = context;
  const judgeLearn = (id: string, row: Row): void => {
    const { a: code, b: seq } = row;
    const { gpSeq, leaf } = rcu.cpu(row.track);
    const who = context.name(row.track);
    if (code === RCU_GP.cpustart) {
      const isOwn =
        (seq === rcu.gpSeq && rcu.isNextInit(leaf)) || (seq === endOf(rcu.gpSeq) && rcu.isNextCleanup(leaf));
      report.judge(id, seq === leaf.gpSeq || isOwn, row, () => {
        return `${who} learns ${seq}, its leaf is at ${leaf.gpSeq}`;
      });
      return;
    }
    const isBehind = gpSeq < leaf.gpSeq - stateOf(leaf.gpSeq);
    const isRight = seq === gpSeq && (isBehind || rcu.isNextCleanup(leaf));
    report.judge(id, isRight, row, () => {
      return `${who} learns that ${seq} has ended; it knows of ${gpSeq}, its leaf is at ${leaf.gpSeq}`;
    });
  };
  const judgeNode = (id: string, row: Row, seq: number, node: number, expected: number): void => {
    const isRunning = stateOf(rcu.gpSeq) === 1;
    report.judge(id, isRunning && seq === expected, row, () => {
      return `node ${node} gets ${seq} while gp_seq is ${rcu.gpSeq}`;
    });
  };
  const judgeReport = (id: string, row: Row, node: NodeModel): void => {
    const isRight = row.a === node.gpSeq && row.a === rcu.gpSeq;
    // readers that block nobody any more may leave between grace periods
    report.judge(id, isRight, row, () => {
      return `a report for ${row.a}, node ${node.shape.index} is at ${node.gpSeq}, gp_seq ${rcu.gpSeq}`;
    });
  };
  return {
    id: 'V6',
    title:
      'nodes take gp_seq from the root down, one after the other; a CPU knows what its leaf says at most',
    rule: 'docs/model/tree-invariants.md V6',
    kinds: [
      ...[KIND.rcu_grace_period, KIND.rcu_grace_period_init],
      ...[KIND.rcu_future_grace_period, KIND.rcu_quiescent_state_report],
    ],
    onRow(row) {
      if (row.kind === KIND.rcu_grace_period) {
        if (row.a === RCU_GP.cpustart || row.a === RCU_GP.cpuend) judgeLearn(this.id, row);
      } else if (row.kind === KIND.rcu_quiescent_state_report)
        judgeReport(this.id, row, rcu.node(row.b >> 1));
      else if (isCleanup(row)) {
        judgeNode(this.id, row, row.b, row.d, endOf(rcu.gpSeq));
        report.judge(this.id, row.d === rcu.cleaned, row, () => {
          return `node ${row.d} is cleaned up, node ${rcu.cleaned} is next`;
        });
      } else if (row.kind === KIND.rcu_grace_period_init) {
        judgeNode(this.id, row, row.a, row.b, rcu.gpSeq);
        report.judge(this.id, row.b === rcu.initialized, row, () => {
          return `node ${row.b} is initialized, node ${rcu.initialized} is next`;
        });
      }
    },
  };
};

/** V7. */
export const oneAtATime: CheckerFactory = (context): Checker => {
  const { report, rcu } = context;
  const count = rcu.nodes.length;
  return {
    id: 'V7',
    title: 'a grace period starts only after the one before has ended on every node',
    rule: 'docs/model/tree-invariants.md V7',
    kinds: [KIND.rcu_grace_period],
    onRow(row) {
      if (row.a !== RCU_GP.start && row.a !== RCU_GP.end) return;
      if (rcu.startIndex < 0) return;
      const what = row.a === RCU_GP.start ? 'starts' : 'ends';
      report.judge(this.id, rcu.cleaned === count, row, () => {
        return `grace period ${row.b} ${what} when the last one has ended on ${rcu.cleaned} of ${count} nodes`;
      });
    },
  };
};
