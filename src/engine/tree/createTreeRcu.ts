/** Tree RCU of a run, ready for its first grace period. */
import type { Sim } from '../core/sim.ts';
import type { TimerHost } from '../core/timers.ts';
import type { Workqueue } from '../core/workqueue.ts';
import { BarrierState } from './barrier.ts';
import { BlockedReaders } from './blockedReaders.ts';
import { CpuTicks } from './cpuTicks.ts';
import { Expedited } from './expedited.ts';
import { GpKthread } from './gpKthread.ts';
import { createNocb } from './nocb.ts';
import { Polled } from './polled.ts';
import { PolledExpedited } from './polledExpedited.ts';
import { SrNormal } from './srNormal.ts';
import { TreeRcu } from './treeRcu.ts';

/** Builds it and starts the grace-period kthread. `takesEveryTick`: see CpuTicks. */
export function createTreeRcu(
  sim: Sim,
  host: TimerHost,
  workqueue: Workqueue,
  takesEveryTick: boolean,
): TreeRcu {
  const { tickState } = host;
  if (tickState === undefined) throw new Error('Tree RCU needs ticks');
  const rcu = new TreeRcu(sim, host.executor);
  rcu.blockedReaders = new BlockedReaders(rcu);
  rcu.ticks = new CpuTicks(rcu, tickState, takesEveryTick);
  rcu.barrier = new BarrierState(rcu);
  rcu.srNormal = new SrNormal(rcu, workqueue);
  rcu.expedited = new Expedited(rcu, host);
  rcu.polled = new Polled(rcu);
  rcu.polledExpedited = new PolledExpedited(rcu);
  rcu.observers.push(rcu.srNormal, rcu.polled);
  rcu.kthread = new GpKthread(rcu, host);
  rcu.nocb = createNocb(rcu, host);
  sim.rcu = rcu.ticks;
  return rcu;
}
