/** W14: what the figures that rcuscale prints are computed from. */
import { KFREE_TEST, KIND } from '../../core/eventKinds.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';

/** Rows of the sampler have no quarter. */
const SAMPLER = -1;
/** Times that a thread looks at memory (K21). */
const QUARTERS = 4;

/** W14. */
export const printedFigures: CheckerFactory = (context): Checker => {
  const { report, rcu, info } = context;
  const { memoryBytes } = info.config.machine;
  /** By thread: when it began, and the quarter that comes next. */
  const beganNs = new Map<number, number>();
  const quarters = new Map<number, number>();
  /** By actor: when the last of its threads has ended. */
  const endedNs = new Map<number | undefined, number>();
  const judgeMemory = (id: string, row: Row): void => {
    const { a: free, b: quarter, c: held, d: blocks } = row;
    const left = Math.max(0, memoryBytes - held - blocks);
    report.judge(id, free === left, row, () => `${free} bytes are available, it must be ${left}`);
    if (quarter === SAMPLER) return;
    const next = quarters.get(row.track) ?? 0;
    report.judge(id, quarter === next && quarter < QUARTERS, row, () => {
      return `${context.name(row.track)} looks at memory in quarter ${quarter}, next is ${next}`;
    });
    quarters.set(row.track, next + 1);
  };
  const judgeTest = (id: string, row: Row): void => {
    report.judge(id, row.b === rcu.gpSeq, row, () => `gp_seq is ${rcu.gpSeq}, the row says ${row.b}`);
    if (row.a === KFREE_TEST.begin) beganNs.set(row.track, row.timeNs);
    const actor = info.tracks[row.track]?.actor;
    const fromNs = (row.a === KFREE_TEST.drained ? endedNs.get(actor) : beganNs.get(row.track)) ?? -1;
    report.judge(id, row.c === row.timeNs - fromNs, row, () => {
      return `${row.c} ns since ${fromNs} ns, at ${row.timeNs} ns`;
    });
    if (row.a !== KFREE_TEST.drained) endedNs.set(actor, row.timeNs);
  };
  return {
    id: 'W14',
    title:
      'footprint and batches of the test are computed from the memory and the grace periods that there are',
    rule: 'docs/model/kvfree-invariants.md W14',
    kinds: [KIND.kvfree_memory, KIND.kfree_test],
    onRow(row) {
      if (row.kind === KIND.kvfree_memory) judgeMemory(this.id, row);
      else judgeTest(this.id, row);
    },
  };
};
