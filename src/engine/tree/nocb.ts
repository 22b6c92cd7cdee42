/** Callback offloading (rcu_nocbs, tree R3.8 to R3.12): which CPUs, in which groups, and what the rest of RCU asks of it. */
import type { SimConfig } from '../config.ts';
import type { Task } from '../core/task.ts';
import type { TimerHost } from '../core/timers.ts';
import { buildOf } from '../profiles/kernelParams.ts';
import { nocbGroupOf, nohzFullCpus, offloadedCpus } from '../profiles/offload.ts';
import type { RuleSet } from '../profiles/profiles.ts';
import type { RcuCallback } from './callbackList.ts';
import { NocbCbKthread } from './nocbCbKthread.ts';
import { NocbGpKthread } from './nocbGpKthread.ts';
import { NocbGroup } from './nocbGroup.ts';
import { type NocbConstants, NocbList } from './nocbList.ts';
import { defaultRcuParam } from './params.ts';
import type { RcuData } from './rcuData.ts';
import type { RcuNode } from './rcuNode.ts';
import type { GpObserver, NocbHooks, TreeRcu } from './treeRcu.ts';

/** Longest wait of lazy callbacks, s (LAZY_FLUSH_JIFFIES). */
const LAZY_FLUSH_S = 10;

/** Values for this configuration. */
function nocbConstants({ params, kconfig, hz }: SimConfig, rules: RuleSet): NocbConstants {
  const limit = params['rcutree.nocb_nobypass_lim_per_jiffy'];
  return {
    directLimit: typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY,
    isPolled: params.rcu_nocb_poll === 1,
    hasLazy:
      rules['tree.lazy'] === 'lazy' && kconfig.RCU_LAZY === true && params['rcutree.enable_rcu_lazy'] !== 0,
    lazyJiffies: LAZY_FLUSH_S * hz,
  };
}

/** CPUs per group. */
function strideOf(config: SimConfig): number {
  const name = 'rcutree.rcu_nocb_gp_stride';
  return Number(config.params[name] ?? defaultRcuParam(name, buildOf(config)));
}

/** All offloaded CPUs. */
class Nocb implements NocbHooks, GpObserver {
  readonly #rcu: TreeRcu;
  readonly #constants: NocbConstants;
  readonly #lists = new Map<number, NocbList>();
  /** rcuog kthreads by the leaf on which they wait. */
  readonly #waiters = new Map<RcuNode, NocbGpKthread[]>();

  constructor(rcu: TreeRcu, host: TimerHost, offloaded: readonly number[]) {
    const { config, rules } = rcu.sim;
    this.#rcu = rcu;
    this.#constants = nocbConstants(config, rules);
    const stride = strideOf(config);
    let group: NocbGroup | undefined;
    for (const cpu of offloaded) {
      const first = nocbGroupOf(cpu, stride);
      if (group?.cpu !== first) group = this.#addGroup(host, first);
      this.#addList(rcu.data(cpu), group);
    }
    rcu.observers.push(this);
  }

  #addGroup(host: TimerHost, cpu: number): NocbGroup {
    const group = new NocbGroup(this.#rcu, host, cpu, this.#constants.lazyJiffies);
    const kthread = new NocbGpKthread(this.#rcu, host, group, this.#constants.isPolled);
    group.kthread = kthread;
    const waiters = this.#waiters.get(group.leaf);
    if (waiters === undefined) this.#waiters.set(group.leaf, [kthread]);
    else waiters.push(kthread);
    return group;
  }

  #addList(data: RcuData, group: NocbGroup): void {
    const list = new NocbList(this.#rcu, data, group, this.#constants);
    list.kthread = new NocbCbKthread(this.#rcu, list);
    data.isOffloaded = true;
    group.lists.push(list);
    this.#lists.set(data.cpu, list);
  }

  #listOf(data: RcuData): NocbList {
    const list = this.#lists.get(data.cpu);
    if (list === undefined) throw new Error(`CPU ${data.cpu} is not offloaded`);
    return list;
  }

  enqueue(data: RcuData, callback: RcuCallback, task: Task, isLazy: boolean): void {
    this.#listOf(data).enqueue(callback, task, isLazy && this.#constants.hasLazy);
  }

  entrain(data: RcuData, barrier: RcuCallback): boolean {
    return this.#listOf(data).entrain(barrier);
  }

  needsDeferredWake(data: RcuData): boolean {
    const group = this.#lists.get(data.cpu)?.group;
    return group?.cpu === data.cpu && group.needsDeferredWake;
  }

  flushDeferredWake(data: RcuData): void {
    this.#lists.get(data.cpu)?.group.flushDeferred(data.cpu);
  }

  nodeEnded(node: RcuNode): number {
    const { sim, executor, kthread } = this.#rcu;
    const { cause } = sim;
    const woken = (this.#waiters.get(node) ?? []).filter((waiter) => waiter.isWaitingFor(node.gpSeq));
    for (const waiter of woken) {
      executor.wake(waiter, kthread.cpu, false);
      sim.cause = cause;
    }
    return woken.length;
  }
}

/** Offloads what the configuration says, and sets what else it says of CPUs; undefined if no CPU is offloaded. */
export function createNocb(rcu: TreeRcu, host: TimerHost): NocbHooks | undefined {
  const { config } = rcu.sim;
  for (const cpu of nohzFullCpus(config)) rcu.data(cpu).isNohzFull = true;
  const offloaded = offloadedCpus(config);
  return offloaded.length === 0 ? undefined : new Nocb(rcu, host, offloaded);
}
