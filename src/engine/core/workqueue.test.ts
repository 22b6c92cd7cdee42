/** The bound workqueue: docs/model/srcu.md §2. */
import { describe, expect, it } from 'vitest';
import { Bench } from './bench.testkit.ts';
import { KIND } from './eventKinds.ts';
import { type Worker, WorkItem, Workqueue } from './workqueue.ts';

const MS = 1_000_000;
const WAKE_NS = 1466;

/** Takes so long, and notes when and on which CPU it began and ended. */
class Item extends WorkItem {
  readonly #bench: Bench;
  readonly #costNs: number;
  readonly runs: { cpu: number; beganNs: number; endedNs: number }[] = [];
  /** Called while it runs, at its end. */
  atEnd: (worker: Worker) => void = () => {};

  constructor(bench: Bench, costNs: number) {
    super(1, 0);
    this.#bench = bench;
    this.#costNs = costNs;
  }

  begin(worker: Worker): void {
    this.runs.push({ cpu: worker.cpu, beganNs: this.#bench.sim.nowNs, endedNs: Number.NaN });
    worker.work(this.#costNs);
  }

  step(worker: Worker): void {
    (this.runs.at(-1) as { endedNs: number }).endedNs = this.#bench.sim.nowNs;
    this.atEnd(worker);
    worker.done();
  }
}

function make(parts: ConstructorParameters<typeof Bench>[0] = {}) {
  const bench = new Bench({ kernel: 'v6.1', machine: { workerWakeNs: WAKE_NS }, ...parts });
  const workqueue = new Workqueue(bench.sim, bench.shared);
  return { bench, workqueue, item: (costNs: number) => new Item(bench, costNs) };
}

describe('Workqueue', () => {
  it('runs the items of a CPU one after the other, in queue order', () => {
    const { bench, workqueue, item } = make();
    const items = [item(3000), item(1000), item(2000)];
    bench.at(MS, () => {
      for (const one of items) workqueue.queueWork(one, 2, 2, false);
    });
    bench.runTo(2 * MS);
    const startNs = MS + WAKE_NS;
    expect(items.map(({ runs }) => runs)).toEqual([
      [{ cpu: 2, beganNs: startNs, endedNs: startNs + 3000 }],
      [{ cpu: 2, beganNs: startNs + 3000, endedNs: startNs + 4000 }],
      [{ cpu: 2, beganNs: startNs + 4000, endedNs: startNs + 6000 }],
    ]);
  });

  it('has a worker for each CPU', () => {
    const { bench, workqueue, item } = make();
    const items = [item(3000), item(3000)];
    bench.at(MS, () => {
      workqueue.queueWork(items[0] as Item, 1, 1, false);
      workqueue.queueWork(items[1] as Item, 2, 1, false);
    });
    bench.runTo(2 * MS);
    expect(items.map(({ runs }) => runs)).toEqual(
      [1, 2].map((cpu) => [{ cpu, beganNs: MS + WAKE_NS, endedNs: MS + WAKE_NS + 3000 }]),
    );
    expect(bench.sim.tracks.filter(({ kind }) => kind === 'worker').map(({ name }) => name)).toEqual([
      'kworker/1',
      'kworker/2',
    ]);
  });

  it('pays for the wake-up of a sleeping worker only', () => {
    const { bench, workqueue, item } = make();
    const [first, second, third] = [item(5000), item(1000), item(1000)];
    bench.at(MS, () => workqueue.queueWork(first, 0, 0, false));
    bench.at(MS + 3000, () => workqueue.queueWork(second, 0, 0, false));
    bench.at(2 * MS, () => workqueue.queueWork(third, 0, 0, false));
    bench.runTo(3 * MS);
    expect(second.runs[0]?.beganNs).toBe(first.runs[0]?.endedNs);
    expect(third.runs[0]?.beganNs).toBe(2 * MS + WAKE_NS);
  });

  it('ignores work that waits on a list already, and says so', () => {
    const { bench, workqueue, item } = make();
    const [first, waiting] = [item(5000), item(1000)];
    bench.at(MS, () => {
      workqueue.queueWork(first, 0, 0, false);
      workqueue.queueWork(waiting, 0, 0, false);
      workqueue.queueWork(waiting, 0, 0, false);
      workqueue.queueWork(waiting, 3, 0, false);
    });
    bench.runTo(2 * MS);
    expect(waiting.runs).toHaveLength(1);
    const rows = bench.rows.filter(({ kind }) => kind === KIND.workqueue_queue_work);
    expect(rows.map(({ c }) => c)).toEqual([1, 1, 0, 0]);
  });

  it('queues an item that runs on the worker that runs it, from whatever CPU: it is never in two places', () => {
    const { bench, workqueue, item } = make();
    const again = item(5000);
    bench.at(MS, () => workqueue.queueWork(again, 1, 1, false));
    bench.at(MS + 4000, () => workqueue.queueWork(again, 3, 3, false));
    bench.runTo(2 * MS);
    const startNs = MS + WAKE_NS;
    expect(again.runs).toEqual([
      { cpu: 1, beganNs: startNs, endedNs: startNs + 5000 },
      { cpu: 1, beganNs: startNs + 5000, endedNs: startNs + 10_000 },
    ]);
  });

  it('does not wake a worker that sleeps in its item when that item is queued again', () => {
    const { bench, workqueue, item } = make();
    const sleeper = item(1000);
    let worker: Worker | undefined;
    const wokenNs: number[] = [];
    sleeper.step = (by) => {
      if (worker === undefined) {
        worker = by;
        by.block();
        return;
      }
      wokenNs.push(bench.sim.nowNs);
      by.done();
    };
    bench.at(MS, () => workqueue.queueWork(sleeper, 1, 1, false));
    bench.at(2 * MS, () => workqueue.queueWork(sleeper, 1, 1, false));
    bench.at(3 * MS, () => bench.shared.wake(worker as Worker, 1, false));
    bench.runTo(4 * MS);
    // it ends when it is woken, and then runs once more
    expect(wokenNs).toHaveLength(2);
    expect(wokenNs[0]).toBeGreaterThanOrEqual(3 * MS);
    expect(sleeper.runs).toHaveLength(2);
  });

  it('queues an item that has run on the CPU that it is queued for', () => {
    const { bench, workqueue, item } = make();
    const moving = item(5000);
    bench.at(MS, () => workqueue.queueWork(moving, 1, 1, false));
    bench.at(2 * MS, () => workqueue.queueWork(moving, 3, 3, false));
    bench.at(3 * MS, () => workqueue.queueWork(moving, 1, 1, false));
    bench.runTo(4 * MS);
    expect(moving.runs.map(({ cpu }) => cpu)).toEqual([1, 3, 1]);
    expect(bench.sim.tracks.filter(({ kind }) => kind === 'worker')).toHaveLength(2);
  });

  it('puts an item that queues itself behind those that wait', () => {
    const { bench, workqueue, item } = make();
    const [first, second] = [item(1000), item(1000)];
    let left = 1;
    first.atEnd = (worker) => {
      if (left-- > 0) workqueue.requeue(first, worker);
    };
    bench.at(MS, () => {
      workqueue.queueWork(first, 0, 0, false);
      workqueue.queueWork(second, 0, 0, false);
    });
    bench.runTo(2 * MS);
    expect(first.runs.map(({ beganNs }) => beganNs - MS - WAKE_NS)).toEqual([0, 2000]);
    expect(second.runs.map(({ beganNs }) => beganNs - MS - WAKE_NS)).toEqual([1000]);
  });

  it('begins each item as a consequence of what queued it', () => {
    const { bench, workqueue, item } = make();
    const items = [item(1000), item(1000)];
    for (const [i, one] of items.entries()) {
      bench.at(MS + i, () => {
        bench.sim.cause = -1;
        workqueue.queueWork(one, 0, 0, false);
      });
    }
    bench.runTo(2 * MS);
    const queued = bench.rows.flatMap(({ kind }, i) => (kind === KIND.workqueue_queue_work ? [i] : []));
    expect(items.map(({ cause }) => cause)).toEqual(queued);
  });

  it('lets the scheduler in between two items, on every kernel (S3)', () => {
    const { bench, workqueue, item } = make({ machine: {}, preempt: 'none' });
    const items = [item(20 * MS), item(20 * MS)];
    bench.at(0, () => {
      for (const one of items) workqueue.queueWork(one, 0, 0, false);
    });
    // a new task: 6 ms F / 2 behind; the worker's turn is over at the tick of 12 ms
    const other = bench.busy(0, 0, 21 * MS);
    bench.runTo(60 * MS);
    expect(items[0]?.runs[0]?.endedNs).toBe(20 * MS);
    expect(bench.switches(0).filter(([, track]) => track === other.track)).toEqual([[20 * MS, other.track]]);
    expect(items[1]?.runs[0]?.endedNs).toBe(41 * MS);
  });
});
