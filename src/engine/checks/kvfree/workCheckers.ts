/** W12, W13: who executes when, and when the barrier returns. */
import { KIND, KVFREE_BARRIER, WORK_FN } from '../../core/eventKinds.ts';
import type { Checker, CheckerFactory, Row } from '../checker.ts';
import type { Unit } from './krcModel.ts';

const OF_KVFREE: readonly number[] = [
  WORK_FN.kfree_rcu_monitor,
  WORK_FN.kfree_rcu_work,
  WORK_FN.fill_page_cache_func,
];
const BLOCKED = 0;

/** A work item under way. */
interface Execution {
  readonly item: string;
  readonly worker: number;
  /** CPU and priority of its pool. */
  readonly pool: string;
}

/** W12. */
export const oneWorkAtATime: CheckerFactory = (context): Checker => {
  const { report, info, kvfree } = context;
  const isBound = info.rules['kvfree.wq'] === 'system' && info.contended;
  /** By worker. */
  const under = new Map<string, Execution>();
  const asleep = new Set<number>();
  const itemOf = ({ a: fn, b: cpu, c: batch }: Row): string => {
    if (fn !== WORK_FN.kfree_rcu_work) return `work ${fn} of CPU ${cpu}`;
    const { krw } = kvfree.krc(cpu);
    return `reclaim ${krw.findIndex(({ numbers }) => numbers.includes(batch))} of CPU ${cpu}`;
  };
  const keyOf = ({ track, a, b, c }: Row): string =>
    `${track} ${a} ${b} ${a === WORK_FN.kfree_rcu_work ? c : ''}`;
  const judgeStart = (id: string, row: Row): void => {
    const track = info.tracks[row.track];
    const pool = `${track?.cpu}${track?.name.endsWith('H') ? 'H' : ''}`;
    const item = itemOf(row);
    for (const other of under.values()) {
      report.judge(id, other.item !== item, row, () => `${item} is executed while it is executed`);
      if (!isBound || other.pool !== pool) continue;
      report.judge(id, asleep.has(other.worker), row, () => {
        return `${item} begins on pool ${pool}, where ${other.item} runs and does not sleep`;
      });
    }
    under.set(keyOf(row), { item, worker: row.track, pool });
  };
  return {
    id: 'W12',
    title: 'a pool of a CPU executes one work item at a time, and no item twice at once',
    rule: 'docs/model/kvfree-invariants.md W12',
    kinds: [KIND.workqueue_execute_start, KIND.workqueue_execute_end, KIND.sched_switch, KIND.sched_waking],
    onRow(row) {
      if (row.kind === KIND.sched_switch) {
        asleep.delete(row.a);
        if (row.c === BLOCKED && row.b >= 0) asleep.add(row.b);
      } else if (row.kind === KIND.sched_waking) asleep.delete(row.track);
      else if (!OF_KVFREE.includes(row.a)) return;
      else if (row.kind === KIND.workqueue_execute_start) judgeStart(this.id, row);
      else {
        const isUnder = under.delete(keyOf(row));
        report.judge(this.id, isUnder, row, () => `work ${row.a} of CPU ${row.b} ends, which has not begun`);
      }
    },
  };
};

/** W13. */
export const barrierWaits: CheckerFactory = (context): Checker => {
  const { report, kvfree } = context;
  /** By CPU that runs it: units of which some object was queued before. */
  const begun = new Map<number, Unit[]>();
  return {
    id: 'W13',
    title: 'kvfree_rcu_barrier() returns when all objects queued before are freed',
    rule: 'docs/model/kvfree-invariants.md W13',
    kinds: [KIND.kvfree_barrier],
    onRow(row) {
      if (row.a === KVFREE_BARRIER.begin) {
        const queued = [...kvfree.units.values()].filter(
          ({ place }) => place !== 'freed' && place !== 'leaked',
        );
        begun.set(row.track, queued);
      } else if (row.a === KVFREE_BARRIER.end) {
        const left = begun.get(row.track)?.find(({ place, freedNs }) => {
          return place !== 'leaked' && (place !== 'freed' || freedNs > row.timeNs);
        });
        report.judge(this.id, left === undefined && begun.has(row.track), row, () => {
          return left === undefined
            ? 'a barrier ends that has not begun'
            : `unit ${left.id} is not freed, it is ${left.place}`;
        });
        begun.delete(row.track);
      }
    },
  };
};
