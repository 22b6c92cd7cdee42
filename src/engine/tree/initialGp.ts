/** What Tree RCU has under way at t = 0 (initial.rcuGp, spec tree 11.1). */
import type { RcuGp } from '../config.ts';
import { RCU_FUNC } from '../core/eventKinds.ts';
import { PRIORITY } from '../core/sim.ts';
import { Task } from '../core/task.ts';
import { gpKthreadCpuOf } from '../machine/initial.ts';
import { accelerate } from './callbacks.ts';
import { callRcu } from './callRcu.ts';
import { wakeKthread } from './request.ts';
import type { TreeRcu } from './treeRcu.ts';

/** Somebody who calls call_rcu() some times and is gone. */
class EarlierWork extends Task {
  readonly #rcu: TreeRcu;
  readonly #callbacks: number;
  readonly #asksAtOnce: boolean;

  constructor(rcu: TreeRcu, cpu: number, callbacks: number, asksAtOnce: boolean) {
    super(rcu.sim.addTrack('kthread', 'earlier work', cpu), cpu);
    this.#rcu = rcu;
    this.#callbacks = callbacks;
    this.#asksAtOnce = asksAtOnce;
    rcu.executor.add(this, PRIORITY.kthreads + this.track);
  }

  step(): void {
    const rcu = this.#rcu;
    for (let i = 0; i < this.#callbacks; i++) {
      const id = rcu.nextCallbackId();
      callRcu(rcu, this, { id, func: RCU_FUNC.call_rcu, invoke: () => {}, isLazy: false });
    }
    const data = rcu.data(this.cpu);
    if (this.#asksAtOnce && !data.isOffloaded && accelerate(rcu, data, this.cpu))
      wakeKthread(rcu, this.cpu, false);
    this.exit();
  }
}

/** Schedules it. `firstUpdateNs`: start of the first updater. */
export function placeInitialGp(rcu: TreeRcu, rcuGp: RcuGp | undefined, firstUpdateNs: number): void {
  if (rcuGp === undefined || rcuGp === 'idle') return;
  const { sim } = rcu;
  if ('callbacksQueued' in rcuGp) {
    const cpu = gpKthreadCpuOf(sim.config);
    if (rcuGp.callbacksQueued > 0) launch(rcu, new EarlierWork(rcu, cpu, rcuGp.callbacksQueued, false), 0);
    return;
  }
  const cpu = sim.config.cpus - 1;
  const tick = sim.ticks.numberAt(firstUpdateNs) - rcuGp.startedTicksAgo;
  if (tick <= 0) {
    launch(rcu, new EarlierWork(rcu, cpu, 1, true), 0);
    return;
  }
  // the tick numbers a callback queued before it; where callbacks are offloaded nobody waits for a tick
  const beforeNs = Math.floor((sim.ticks.timeNs(tick - 1) + sim.ticks.timeNs(tick)) / 2);
  const startNs = rcu.data(cpu).isOffloaded ? sim.ticks.timeNs(tick) : beforeNs;
  launch(rcu, new EarlierWork(rcu, cpu, 1, false), startNs);
}

function launch(rcu: TreeRcu, work: EarlierWork, atNs: number): void {
  const { sim, executor } = rcu;
  const slot = sim.queue.allocate(PRIORITY.start + work.track, () => {
    sim.cause = -1;
    executor.start(work);
  });
  sim.queue.schedule(slot, atNs);
}
