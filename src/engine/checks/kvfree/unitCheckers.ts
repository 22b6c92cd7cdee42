/** W1, W2, W5: units are filled in order and freed once, after a grace period. */
import {
  KFREE_TEST,
  KIND,
  KVFREE_CHANNEL,
  KVFREE_DEBUG,
  STOP_REASON,
  WORK_FN,
} from '../../core/eventKinds.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import type { CheckContext } from '../context.ts';
import { isPreemptible } from '../tree/treeDelays.ts';
import type { Unit } from './krcModel.ts';
import { hasOneArgument, kvfreeLimits } from './kvfreeLimits.ts';

const FREES: readonly number[] = [KIND.rcu_invoke_kfree_bulk_callback, KIND.rcu_invoke_kvfree_callback];
/** `a` of kvfree_inline rows. */
const WAITS = 0;

const W1 = 'W1';

/** Objects that the threads of this run queue in all. */
function allObjects({ config }: CheckContext['info']): number {
  return config.actors.reduce((objects, actor) => {
    return actor.kind === 'kfree' ? objects + actor.count * actor.loops * actor.allocs : objects;
  }, 0);
}

function judgeFree({ report, kvfree }: CheckContext, row: Row): void {
  const { a: nr, b: id, c: cpu } = row;
  const unit = kvfree.units.get(id);
  report.judge(
    W1,
    unit !== undefined,
    row,
    () => `unit ${id} is freed, which was never opened or is freed already`,
  );
  if (unit === undefined) return;
  const isLeft = unit.place !== 'freed' && unit.place !== 'leaked';
  report.judge(W1, isLeft, row, () => `unit ${id} is freed, but it is ${unit.place} already`);
  report.judge(W1, unit.isClosed && unit.nr === nr, row, () => {
    return `unit ${id} is freed with ${nr} objects, it holds ${unit.isClosed ? unit.nr : 'some more'}`;
  });
  const isBulk = unit.channel === KVFREE_CHANNEL.bulk;
  const fits = unit.cpu === cpu && isBulk === (row.kind === KIND.rcu_invoke_kfree_bulk_callback);
  report.judge(
    W1,
    fits,
    row,
    () => `unit ${id} of channel ${unit.channel}, CPU ${unit.cpu}, is freed as another`,
  );
}

function judgeLeak({ report, kvfree, rcu }: CheckContext, row: Row): void {
  const unit = kvfree.units.get(row.b);
  report.judge(
    W1,
    unit?.place === 'moved',
    row,
    () => `unit ${row.b} is leaked, which is not about to be freed`,
  );
  const hasPassed = unit !== undefined && rcu.endedStart > unit.notedIndex;
  report.judge(W1, !hasPassed, row, () => `unit ${row.b} is leaked, but its grace period has passed`);
}

function judgeAllFreed(
  { report, kvfree, info }: CheckContext,
  row: Row,
  inline: number,
  isCut: boolean,
): void {
  if (row.kind !== KIND.run_end || row.a !== STOP_REASON.done) return;
  for (const { id, nr } of kvfree.live) {
    report.judge(W1, false, row, () => `the run is done, but unit ${id} of ${nr} objects is not freed`);
  }
  if (isCut) return;
  const all = allObjects(info);
  report.judge(W1, kvfree.queued + inline === all, row, () => {
    return `${kvfree.queued} objects were queued and ${inline} freed inline, of ${all}`;
  });
}

/** W1. */
export const freedOnce: CheckerFactory = (context): Checker => {
  const { report, kvfree } = context;
  const waiting = new Set<number>();
  let inline = 0;
  /** A thread found no memory for its next object. */
  let isCut = false;
  return {
    id: W1,
    title: 'every object is freed exactly once, or counted as leaked',
    rule: 'docs/model/kvfree-invariants.md W1',
    kinds: [
      ...[...FREES, KIND.kvfree_unit_open, KIND.kvfree_unit_close, KIND.kvfree_debug],
      ...[KIND.kvfree_inline, KIND.workqueue_execute_end, KIND.kfree_test],
    ],
    onRow(row) {
      if (FREES.includes(row.kind)) judgeFree(context, row);
      else if (row.kind === KIND.kvfree_unit_open) {
        report.judge(this.id, !kvfree.units.has(row.a), row, () => `unit ${row.a} is opened twice`);
      } else if (row.kind === KIND.kvfree_unit_close) {
        const isOpen = kvfree.units.get(row.a)?.isClosed === false;
        report.judge(this.id, isOpen, row, () => `unit ${row.a} is closed, which is not open`);
      } else if (row.kind === KIND.kvfree_debug) {
        if (row.a !== KVFREE_DEBUG.leaked) return;
        judgeLeak(context, row);
      } else if (row.kind === KIND.kvfree_inline) {
        const isRight = waiting.has(row.track) === (row.a !== WAITS);
        report.judge(
          this.id,
          isRight,
          row,
          () => `${context.name(row.track)} frees inline what it has not waited for`,
        );
        if (row.a === WAITS) waiting.add(row.track);
        else {
          waiting.delete(row.track);
          inline++;
        }
      } else if (row.kind === KIND.kfree_test) isCut ||= row.a === KFREE_TEST.noMemory;
      else if (row.a === WORK_FN.kfree_rcu_work) {
        const left = kvfree.krc(row.b).reclaims.get(row.c);
        report.judge(this.id, left?.size === 0, row, () => {
          return `the reclaim of batch ${row.c} ends with ${left?.size ?? 'no batch, not'} units left`;
        });
      }
    },
    onEnd: (row) => judgeAllFreed(context, row, inline, isCut),
  };
};

/** Of a unit that the old attach rule has put into a batch that waits already (K9b). */
const KERNELS_OWN_BUG =
  'which joined a batch that waited already (the bug of kernels up to 6.2, rule kvfree.attach)';

/** W2. */
export const graceBeforeFree: CheckerFactory = (context): Checker => {
  const { report, kvfree, rcu, info } = context;
  const returnsAtOnce =
    info.rules['tree.oneCpu'] === 'no-gp' && info.config.cpus === 1 && !isPreemptible(info.config);
  const mayJoinLate = info.rules['kvfree.attach'] === 'per-channel';
  const blocks = info.rules['kvfree.wait'] === 'polled-2022' || info.rules['kvfree.wait'] === 'per-block';
  /** By thread: the row in which it began to wait. */
  const inline = new Map<number, number>();
  const judge = (id: string, row: Row, queuedIndex: number, what: string): void => {
    // nobody has a reader left from the begin of the cleanup on: polled cookies are true then (R6.4)
    const normal = rcu.quietNs >= 0 ? rcu.startIndex : rcu.endedStart;
    report.judge(id, Math.max(normal, rcu.expEndedStart) > queuedIndex, row, () => {
      return `${what}, last queued to at row ${queuedIndex}, is freed; the last grace periods that have ended began at rows ${normal} and ${rcu.expEndedStart} (expedited)`;
    });
  };
  return {
    id: 'W2',
    title: 'an object is freed after a grace period that started after it was queued',
    rule: 'docs/model/kvfree-invariants.md W2',
    kinds: [...FREES, KIND.kvfree_inline],
    onRow(row) {
      if (row.kind !== KIND.kvfree_inline) {
        // with one CPU that cannot be preempted a caller of synchronize_rcu() has waited as long as there is need
        if (returnsAtOnce && blocks) return;
        const unit = kvfree.units.get(row.b);
        if (unit === undefined) return;
        const what = `unit ${unit.id} of CPU ${unit.cpu}`;
        const how = mayJoinLate && unit.joinedLate ? `, ${KERNELS_OWN_BUG}` : '';
        judge(this.id, row, unit.queuedIndex, what + how);
      } else if (row.a === WAITS) inline.set(row.track, row.index);
      else if (!returnsAtOnce) {
        judge(this.id, row, inline.get(row.track) ?? row.index, `the object of ${context.name(row.track)}`);
      }
    },
  };
};

const W5 = 'W5';

/** W5. */
export const blocksFill: CheckerFactory = (context): Checker => {
  const { report, kvfree, info } = context;
  const { records } = kvfreeLimits(info);
  const mayLeaveGaps = hasOneArgument(info);
  const { bulk, head } = KVFREE_CHANNEL;
  const snaps = new Map<string, number>();
  const isFull = (unit: Unit) => unit.isClosed && (unit.channel === head || unit.nr === records);
  const judgeOpen = (row: Row): void => {
    const { track: cpu, b: channel } = row;
    const hasBlocks = records > 0 && (channel === bulk || info.rules['kvfree.cache'] !== 'caller-1');
    report.judge(
      W5,
      channel === head || hasBlocks,
      row,
      () => `a block of channel ${channel}, which is not there`,
    );
    const newest = kvfree.krc(cpu).channel(channel).at(-1);
    const open = newest === undefined || isFull(newest) ? undefined : newest;
    report.judge(W5, open === undefined || (mayLeaveGaps && channel !== head), row, () => {
      return `unit ${row.a} is opened behind unit ${open?.id}, which is not full`;
    });
  };
  const judgeClose = (row: Row, unit: Unit): void => {
    const { a: id, b: nr, c: snap } = row;
    const fits = nr >= 1 && (unit.channel === head || nr <= records);
    report.judge(W5, fits, row, () => `unit ${id} holds ${nr} objects; a block has ${records} records`);
    if (snap === -1) return;
    const key = `${unit.cpu}/${unit.channel}`;
    const last = snaps.get(key) ?? Number.NEGATIVE_INFINITY;
    report.judge(
      W5,
      snap >= last || mayLeaveGaps,
      row,
      () => `the snapshot of unit ${id} is ${snap}, after ${last}`,
    );
    snaps.set(key, snap);
  };
  return {
    id: W5,
    title: 'a block has 1 to all records, the newest one alone is not full, snapshots do not go back',
    rule: 'docs/model/kvfree-invariants.md W5',
    kinds: [KIND.kvfree_unit_open, KIND.kvfree_unit_close],
    onRow(row) {
      if (row.kind === KIND.kvfree_unit_open) judgeOpen(row);
      else {
        const unit = kvfree.units.get(row.a);
        if (unit !== undefined) judgeClose(row, unit);
      }
    },
  };
};
