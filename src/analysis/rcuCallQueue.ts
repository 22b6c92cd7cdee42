/** Callbacks of Tree RCU from queueing to invocation: in which row each gets its number, and which. */
import { KIND, RCU_BARRIER, RCU_FUNC } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import type { CallBuilder } from './calls.ts';
import { GrowingTable } from './growingTable.ts';
import {
  applyListRow,
  type CallbackList,
  emptyList,
  listOfRow,
  listSetup,
  numberedUpTo,
} from './rcuLists.ts';
import { CALLBACK_FAMILY } from './types.ts';

const TARGET_COLUMNS = { call: 'none', entry: 'none', target: 'f64', callback: 'f64', row: 'i32' } as const;

/** The list of a CPU with who is on it. */
interface Queue {
  readonly list: CallbackList;
  /** Callback ids as in the CallTable, from place 0 on; NaN: of nobody. */
  readonly ids: number[];
  /** Places before this one have their number. */
  numbered: number;
}

/** Ids of Tree RCU's callbacks are apart from those of SRCU; its own inverse. */
function idOf({ a }: Pick<EventRow, 'a'>): number {
  return -1 - a;
}

/** All lists, fed with the rows of a log. */
export class RcuCallQueue {
  /**
   * By callback with a number: the call that it wakes and its entry in the table of callbacks (-1: none), the gp_seq at
   * whose end it is ready, its id as in the rows, and the row that gave it the number.
   */
  readonly targets = new GrowingTable(TARGET_COLUMNS);
  readonly #calls: CallBuilder;
  readonly #setup: ReturnType<typeof listSetup>;
  readonly #queues = new Map<number, Queue>();

  constructor(info: RunInfo, calls: CallBuilder) {
    this.#calls = calls;
    this.#setup = listSetup(info);
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    const cpu = listOfRow(event);
    if (cpu < 0) return;
    const queue = this.#queueOf(cpu);
    applyListRow(queue.list, event, row, this.#setup);
    switch (event.kind) {
      case KIND.rcu_callback:
        this.#queued(queue, event, row);
        break;
      case KIND.rcu_barrier:
        if (event.a === RCU_BARRIER.IRQ) queue.ids.push(Number.NaN);
        else queue.ids.pop();
        break;
      case KIND.rcu_segcb_stats:
        this.#number(queue, row);
        break;
      case KIND.rcu_invoke_callback:
        this.#calls.invoked(idOf(event), event.timeNs, row);
        break;
      default:
    }
  }

  #queueOf(cpu: number): Queue {
    let queue = this.#queues.get(cpu);
    if (queue === undefined) {
      queue = { list: emptyList(cpu, this.#setup), ids: [], numbered: 0 };
      this.#queues.set(cpu, queue);
    }
    return queue;
  }

  #queued(queue: Queue, event: EventRow, row: number): void {
    const id = idOf(event);
    queue.ids.push(id);
    if (event.b === RCU_FUNC.call_rcu) {
      this.#calls.queued(id, event.d, event.timeNs, CALLBACK_FAMILY.rcu);
      return;
    }
    // batches of kvfree_rcu() are of no call, though one may attach them
    if (event.b === RCU_FUNC.rcu_work_rcufn || event.b === RCU_FUNC.kfree) return;
    const call = this.#calls.openCall(event.d);
    this.#calls.requested(call, row, event.timeNs);
    this.#calls.wakes(call, id);
  }

  /** Those that had no number before this row have all got the same one (R3.4). */
  #number(queue: Queue, row: number): void {
    const { list, ids } = queue;
    const upTo = Math.min(numberedUpTo(list), ids.length);
    const target = list.nextReady > 0 ? list.nextReadySeq : list.waitSeq;
    for (; queue.numbered < upTo; queue.numbered++) {
      const id = ids[queue.numbered] as number;
      // entrained behind what was ready: numbered with those in front of it, or not at all (R3.13)
      if (Number.isNaN(id) || list.wait + list.nextReady === 0) continue;
      this.#calls.rcuNumbered(id, row);
      const n = this.targets.add();
      const c = this.targets.columns;
      c.call[n] = this.#calls.callOfCallback(id);
      c.entry[n] = this.#calls.entryOfCallback(id);
      c.target[n] = target;
      c.callback[n] = idOf({ a: id });
      c.row[n] = row;
    }
  }
}
