/** I2, I3, I6, I12: how srcu_gp_seq moves, what makes it move, and what a request asks for. */
import { KIND } from '../core/eventKinds.ts';
import { PASS_OUTCOME } from '../core/passCode.ts';
import type { Checker, CheckerFactory } from './checker.ts';

const STEPS = [KIND.srcu_gp_start, KIND.srcu_flip, KIND.srcu_gp_end];

/** I2. */
export const sequence: CheckerFactory = (context): Checker => {
  const { report } = context;
  return {
    id: 'I2',
    title: 'seq moves 4k, 4k+1, 4k+2, 4k+4; one flip a grace period; one grace period at a time',
    rule: 'docs/model/srcu.md 5.7 I2, 1.3',
    kinds: STEPS,
    onRow(row) {
      const { seq, state, srcuIdx } = context.domain(row.track);
      if (row.kind === KIND.srcu_flip) {
        report.judge(this.id, state === 1 && row.a === srcuIdx + 1, row, () => {
          return `srcu_idx goes from ${srcuIdx} to ${row.a} in state ${state} (seq ${seq})`;
        });
        return;
      }
      const isStart = row.kind === KIND.srcu_gp_start;
      const expected = isStart ? seq + 1 : seq + 2;
      const isRight = state === (isStart ? 0 : 2) && row.a === expected;
      report.judge(this.id, isRight, row, () => {
        return `a grace period ${isStart ? 'starts' : 'ends'}: seq goes from ${seq} to ${row.a}`;
      });
      const number = isStart ? (row.a - 1) / 4 + 1 : row.a / 4;
      report.judge(this.id, row.d === number, row, () => `seq ${row.a} is called grace period ${row.d}`);
    },
  };
};

/** I3. */
export const scanBeforeStep: CheckerFactory = (context): Checker => {
  const { report } = context;
  return {
    id: 'I3',
    title: 'a flip, and an end, only directly after a check that found no reader on the index scanned',
    rule: 'docs/model/srcu.md 5.7 I3, 2.5, 5.2',
    kinds: [KIND.srcu_check, KIND.srcu_flip, KIND.srcu_gp_end],
    onRow(row) {
      const domain = context.domain(row.track);
      if (row.kind === KIND.srcu_check) {
        const locks = domain.locks[row.a as 0 | 1];
        const unlocks = domain.unlocks[row.a as 0 | 1];
        report.judge(this.id, row.b === row.c && row.b === unlocks && row.c === locks, row, () => {
          const sums = `${row.b} unlocks and ${row.c} locks`;
          return `index ${row.a} taken for free with ${sums}; the rows say ${unlocks} and ${locks}`;
        });
        return;
      }
      const { lastStep, scannedIdx } = domain;
      const scan = row.kind === KIND.srcu_flip ? 1 : 2;
      const isCheck = lastStep.kind === KIND.srcu_check && lastStep.scan === scan;
      report.judge(this.id, isCheck && lastStep.idx === scannedIdx, row, () => {
        const what = scan === 1 ? 'flip' : 'end of a grace period';
        return `${what} without a check of index ${scannedIdx} in SCAN${scan} directly before it`;
      });
    },
  };
};

/** I6. */
export const snapshot: CheckerFactory = (context): Checker => {
  const { report } = context;
  return {
    id: 'I6',
    title: 'a request is for the next grace period that has not begun',
    rule: 'docs/model/srcu.md 5.7 I6, 1.3',
    kinds: [KIND.srcu_request],
    onRow(row) {
      const { seq, state } = context.domain(row.track);
      const target = seq - state + (state === 0 ? 4 : 8);
      report.judge(
        this.id,
        row.a === target,
        row,
        () => `target ${row.a} at seq ${seq}; it must be ${target}`,
      );
    },
  };
};

/** I12. */
export const needed: CheckerFactory = (context): Checker => {
  const { report } = context;
  const isOwed = (track: number, nowNs: number) => {
    const { owesStart, lastStep } = context.domain(track);
    return owesStart && nowNs > lastStep.timeNs;
  };
  return {
    id: 'I12',
    title:
      'a domain goes idle only if nothing is needed, starts only if something is, and knows what is urgent',
    rule: 'docs/model/srcu.md 5.7 I12, 2.3, 2.4 step 4, 2.6',
    kinds: [KIND.srcu_gp_start, KIND.srcu_gp_end, KIND.srcu_pass],
    onRow(row) {
      const domain = context.domain(row.track);
      const { needed: wanted, seq } = domain;
      if (row.kind === KIND.srcu_pass) {
        if (context.pass.info.outcome === PASS_OUTCOME.again) return;
        report.judge(this.id, !domain.owesStart, row, () => `idle at seq ${seq}, but ${wanted} is needed`);
        return;
      }
      if (row.kind === KIND.srcu_gp_start) {
        report.judge(
          this.id,
          wanted > seq,
          row,
          () => `a grace period starts at seq ${seq}, needed is ${wanted}`,
        );
        const isOnTime = !isOwed(row.track, row.timeNs);
        report.judge(this.id, isOnTime, row, () => 'a grace period that was needed did not start at once');
      }
      report.judge(this.id, (row.c === 1) === domain.isExpedited, row, () => {
        return `expedited is ${row.c} at seq ${seq}, expediting is asked for up to ${domain.neededExp}`;
      });
    },
    onEnd(row) {
      for (const domain of context.domains()) {
        const { track, seq, needed: wanted } = domain;
        report.judge(this.id, !isOwed(track, row.timeNs), row, () => {
          return `${context.name(track)} is idle at seq ${seq}, but ${wanted} is needed`;
        });
      }
    },
  };
};
