/** W12, W13: who executes when, and when the barrier returns. */
import { APIS } from '../../config.ts';
import { KIND, WORK_FN } from '../../core/eventKinds.ts';
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

const BARRIER = APIS.indexOf('kvfree_rcu_barrier');

/** W13. */
export const barrierWaits: CheckerFactory = (context): Checker => {
  const { report, kvfree, info } = context;
  const holds = info.rules['kvfree.batching'] !== 'none';
  /** By caller: units of which some object was queued before. */
  const queued = new Map<number, Unit[]>();
  return {
    id: 'W13',
    title: 'kvfree_rcu_barrier() returns when all objects queued before are freed',
    rule: 'docs/model/kvfree-invariants.md W13',
    kinds: holds ? [KIND.api_call, KIND.api_return] : [],
    onRow(row) {
      if (row.a !== BARRIER) return;
      if (row.kind === KIND.api_call) {
        queued.set(row.track, [...kvfree.live, ...kvfree.freeing]);
        return;
      }
      const left = queued.get(row.track)?.find(({ place, freedNs }) => {
        return place !== 'leaked' && (place !== 'freed' || freedNs > row.timeNs);
      });
      report.judge(this.id, left === undefined, row, () => {
        return `unit ${left?.id} of CPU ${left?.cpu} is not freed, its place is ${left?.place}`;
      });
      queued.delete(row.track);
    },
  };
};
