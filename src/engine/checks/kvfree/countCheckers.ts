/** W3, W4, W6, W11: what is counted is there, and moves to batches as it should. */
import { KIND, KVFREE_CHANNEL, WORK_FN } from '../../core/eventKinds.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import type { CheckContext } from '../context.ts';
import { type KrcModel, sum } from './krcModel.ts';
import { kvfreeLimits } from './kvfreeLimits.ts';
import { attachOf } from './kvfreeModel.ts';

const W3 = 'W3';
const FREES: readonly number[] = [KIND.rcu_invoke_kfree_bulk_callback, KIND.rcu_invoke_kvfree_callback];

function judgeMove(context: CheckContext, row: Row, krc: KrcModel): void {
  const { report } = context;
  if (row.kind === KIND.kvfree_attach) {
    const objects = sum(attachOf(row).moved.flatMap((channel) => krc.channel(channel)));
    report.judge(
      W3,
      row.b === objects,
      row,
      () => `${row.b} objects are attached, the channels hold ${objects}`,
    );
    return;
  }
  const units = krc.drainable(row.a, row.b, row.c);
  report.judge(W3, units !== undefined, row, () => {
    return `${row.a} objects leave in ${row.b} blocks, ${row.c} of the head channel: no such number is there`;
  });
}

/** Bytes that a row tells of, against the units of which there were rows; objects of `inline` waiters have none. */
function judgeMemory({ report, kvfree, info }: CheckContext, row: Row, inline: number): void {
  const { bytes, blocks, openBlocks, openRuns } = kvfree.tally;
  const objects = bytes + kvfree.leakedBytes;
  let most = openBlocks + openRuns > 0 ? Number.POSITIVE_INFINITY : objects + inline;
  for (const unit of kvfree.freeing) most += unit.bytes;
  const { pageSize, kfreeRetention } = info.config.machine;
  const held = (bytes: number) => Math.round(bytes * kfreeRetention);
  report.judge(W3, row.c >= held(objects) && row.c <= held(most), row, () => {
    return `${row.c} bytes of objects, where units of ${objects} to ${most} bytes are not freed`;
  });
  report.judge(
    W3,
    row.d >= blocks * pageSize,
    row,
    () => `${row.d} bytes of blocks, where ${blocks} are in use`,
  );
}

/** W3. */
export const conservation: CheckerFactory = (context): Checker => {
  const { report, kvfree, info } = context;
  const { records } = kvfreeLimits(info);
  // one counter for all channels, set to 0 where only some are moved
  const isCounted = info.rules['kvfree.attach'] === 'empty-batch';
  /** Objects whose callers wait. */
  let inline = 0;
  const judgeCount = (row: Row, cpu: number, objects: number): void => {
    if (!isCounted) return;
    const { least, most } = kvfree.krc(cpu).count(records);
    report.judge(W3, objects >= least && objects <= most, row, () => {
      return `${objects} objects on CPU ${cpu}, where its channels hold ${least} to ${most}`;
    });
  };
  return {
    id: W3,
    title: 'what was queued and is not freed is on a channel, in a batch, or about to be freed',
    rule: 'docs/model/kvfree-invariants.md W3',
    kinds: [
      ...[...FREES, KIND.kvfree_attach, KIND.kvfree_drain_ready, KIND.kvfree_shrink, KIND.kvfree_memory],
      ...[KIND.workqueue_execute_start, KIND.kvfree_inline],
    ],
    onRow(row) {
      if (FREES.includes(row.kind)) {
        const place = kvfree.units.get(row.b)?.place;
        // what is still on a channel while others drain: W11
        if (place === undefined || (place === 'krc' && kvfree.krc(row.c).drained.size > 0)) return;
        report.judge(this.id, place !== 'krc' && place !== 'krw', row, () => {
          return `unit ${row.b} is freed, but nobody has moved it out`;
        });
      } else if (row.kind === KIND.workqueue_execute_start) {
        if (row.a === WORK_FN.kfree_rcu_monitor) judgeCount(row, row.b, row.c);
      } else if (row.kind === KIND.kvfree_shrink) judgeCount(row, row.track, row.a);
      else if (row.kind === KIND.kvfree_memory) judgeMemory(context, row, inline);
      else if (row.kind === KIND.kvfree_inline) inline += row.a === 0 ? row.b : -row.b;
      else judgeMove(context, row, kvfree.krc(row.track));
    },
  };
};

/** W4. */
export const counters: CheckerFactory = (context): Checker => {
  const { report, kvfree, info } = context;
  const isWhole = info.rules['kvfree.attach'] === 'empty-batch';
  return {
    id: 'W4',
    title: 'an attach takes every channel that it may, and leaves none of its objects behind',
    rule: 'docs/model/kvfree-invariants.md W4',
    kinds: [KIND.kvfree_attach, KIND.kvfree_drain_ready],
    onRow(row) {
      const krc = kvfree.krc(row.track);
      if (row.kind === KIND.kvfree_drain_ready) {
        const heads = krc.channel(KVFREE_CHANNEL.head);
        const isAll = row.c === 0 || (row.c === sum(heads) && heads.every(({ isClosed }) => isClosed));
        report.judge(this.id, isAll, row, () => `${row.c} of ${sum(heads)} objects leave the head channel`);
        return;
      }
      const { krw, moved } = attachOf(row);
      const batch = krc.krw[krw];
      krc.channels.forEach((channel, i) => {
        const isMoved = moved.includes(i);
        const may = channel.length > 0 && (isWhole || batch.channels[i as 0 | 1 | 2].length === 0);
        report.judge(this.id, isMoved === may || !(may || channel.length === 0), row, () => {
          return `channel ${i} with ${channel.length} units is ${isMoved ? '' : 'not '}moved`;
        });
        const isClosed = !isMoved || channel.every((unit) => unit.isClosed);
        report.judge(this.id, isClosed, row, () => `channel ${i} is moved with a unit that is still open`);
      });
    },
  };
};

/** W6. */
export const batches: CheckerFactory = (context): Checker => {
  const { report, kvfree, info } = context;
  const mustBeEmpty = info.rules['kvfree.attach'] === 'empty-batch';
  return {
    id: 'W6',
    title: 'two batches at most wait per CPU; nothing is attached to one that is not empty',
    rule: 'docs/model/kvfree-invariants.md W6',
    kinds: [KIND.kvfree_attach, KIND.workqueue_execute_start],
    onRow(row) {
      if (row.kind === KIND.workqueue_execute_start) {
        if (row.a !== WORK_FN.kfree_rcu_work) return;
        const waits = kvfree.krc(row.b).krwOf(row.c) !== undefined;
        report.judge(
          this.id,
          waits,
          row,
          () => `batch ${row.c} of CPU ${row.b} is reclaimed, which does not wait`,
        );
        return;
      }
      const { krw, moved } = attachOf(row);
      const batch = kvfree.krc(row.track).krw[krw];
      const isTaken = mustBeEmpty
        ? !batch.isEmpty
        : moved.some((i) => batch.channels[i as 0 | 1 | 2].length > 0);
      report.judge(
        this.id,
        !isTaken,
        row,
        () => `batch ${krw} of CPU ${row.track} is attached to, and not empty`,
      );
    },
  };
};

/** W11. */
export const drainsOldest: CheckerFactory = (context): Checker => {
  const { report, kvfree } = context;
  return {
    id: 'W11',
    title: 'blocks whose grace period has passed leave oldest first, none before an older one',
    rule: 'docs/model/kvfree-invariants.md W11',
    kinds: FREES,
    onRow(row) {
      const unit = kvfree.units.get(row.b);
      if (unit === undefined) return;
      const { drained } = kvfree.krc(unit.cpu);
      if (!drained.has(unit) && (unit.place !== 'krc' || drained.size === 0)) return;
      report.judge(this.id, drained.has(unit), row, () => {
        return `unit ${unit.id} is freed from its channel, where ${drained.size} older ones that are ready wait`;
      });
    },
  };
};
