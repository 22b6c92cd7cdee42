/** When the grace-period kthread could not go on although it was awake: others had its CPU (tree R2.27). */
import { KIND, RCU_GP, RCU_UTILIZATION } from '../../core/eventKinds.ts';
import type { RunInfo } from '../../core/info.ts';
import { mostNs } from '../../machine/costs.ts';
import type { CostNs } from '../../machine/presets.ts';
import type { Row } from '../checker.ts';

const BLOCKED = 0;

/** A stretch of time, ns. */
interface Stretch {
  readonly fromNs: number;
  toNs: number;
}

/** The kthread as the scheduler's rows show it. Where tasks do not share CPUs it never waits for one. */
export class KthreadClock {
  /** Track of the kthread, -1 if there is none. */
  readonly track: number;
  /** Waits since the grace period started that runs, and the last one before. */
  #waits: Stretch[] = [];
  #isQueued = false;
  #cpu = -1;
  /** By CPU: since when rcu_core() runs there. */
  readonly #coreFromNs = new Map<number, number>();
  readonly #coreEnterNs: number;
  readonly #coreExitNs: number;
  readonly #current: (cpu: number) => number;

  /** `current`: track of the task that has a CPU, -1 if none. */
  constructor(info: RunInfo, current: (cpu: number) => number) {
    const kthread = info.tracks.find(
      ({ kind, name }) => kind === 'kthread' && (name === 'rcu_preempt' || name === 'rcu_sched'),
    );
    this.track = kthread?.id ?? -1;
    this.#current = current;
    const { rcuCoreEnterNs, rcuCoreExitNs } = info.config.machine;
    this.#coreEnterNs = mostNs(rcuCoreEnterNs);
    this.#coreExitNs = mostNs(rcuCoreExitNs);
  }

  /** Time within [fromNs, toNs] in which it waited for a CPU that others had. */
  waitedNs(fromNs: number, toNs: number): number {
    const coreFromNs = this.#coreFromNs.get(this.#cpu) ?? toNs;
    const softirqNs = Math.max(0, toNs - Math.max(coreFromNs, fromNs));
    return this.#waits.reduce((sum, wait) => {
      return sum + Math.max(0, Math.min(wait.toNs, toNs) - Math.max(wait.fromNs, fromNs));
    }, softirqNs);
  }

  /** How many such waits there were since the start of the grace period. */
  get waits(): number {
    return this.#waits.length;
  }

  /** Takes over what a row says, behind the CPUs of the context. */
  apply(row: Row): void {
    switch (row.kind) {
      case KIND.sched_waking:
        if (row.track !== this.track) return;
        this.#isQueued = true;
        this.#cpu = row.a;
        break;
      case KIND.sched_switch:
        if (row.a === this.track) {
          this.#isQueued = false;
          this.#cpu = row.track;
        } else if (row.b === this.track) this.#isQueued = row.c !== BLOCKED;
        else if (row.track !== this.#cpu) return;
        break;
      case KIND.rcu_utilization:
        this.#softirq(row);
        return;
      case KIND.rcu_grace_period:
        if (row.a === RCU_GP.start) this.#waits = this.#waits.filter(({ toNs }) => toNs > row.timeNs);
        return;
      default:
        return;
    }
    this.#update(row.timeNs);
  }

  /** RCU_SOFTIRQ takes the CPU from it, which it may have come to only in its course. */
  #softirq({ track: cpu, a: code, timeNs }: Row): void {
    if (code === RCU_UTILIZATION['Start RCU core']) {
      this.#coreFromNs.set(cpu, timeNs - this.#coreEnterNs);
      return;
    }
    const fromNs = this.#coreFromNs.get(cpu) ?? timeNs;
    if (cpu === this.#cpu) this.#waits.unshift({ fromNs, toNs: timeNs + this.#coreExitNs });
    this.#coreFromNs.delete(cpu);
  }

  #update(nowNs: number): void {
    const last = this.#waits.at(-1);
    const isOpen = last !== undefined && last.toNs === Number.POSITIVE_INFINITY;
    const waits = this.#isQueued && this.#current(this.#cpu) >= 0;
    if (waits && !isOpen) this.#waits.push({ fromNs: nowNs, toNs: Number.POSITIVE_INFINITY });
    else if (!waits && isOpen) last.toNs = nowNs;
  }
}

/** What the kthread's own work takes at most, ns: by the machine of the run. */
export interface KthreadCosts {
  /** From a wake-up by anybody to its first instruction, its CPU idle. */
  readonly wakeNs: number;
  /** rcu_gp_init(), a scan and the way to sleep. */
  readonly gpNs: number;
  /** rcu_gp_cleanup() up to "end", and from there to the next start. */
  readonly cleanupNs: number;
  readonly restartNs: number;
}

/** SR_MAX_USERS_WAKE_FROM_GP. */
const DIRECT_WAKES = 5;

/** Adds up entries of the machine. All 0 in `plain`. */
export function kthreadCosts({ config, contended }: RunInfo, nodes: number): KthreadCosts {
  const { machine, cpus } = config;
  const most = (...costs: readonly (CostNs | undefined)[]): number =>
    costs.reduce((sum: number, cost) => sum + (cost === undefined ? 0 : mostNs(cost)), 0);
  const { irqExitNs, ipiHandlerNs, idleLoopExitNs, switchNs, wakeNs, ipiNs } = machine;
  const { idleExitNs, idleExitJitterNs, rcuGpInitNs, rcuNodeNs, rcuScanNs, rcuScanCpuNs } = machine;
  const { armTimerNs, blockNs, rcuCleanupNs } = machine;
  const ways = [most(machine.wakeToRunNs), most(irqExitNs, ipiHandlerNs, idleLoopExitNs, switchNs)];
  const wakeUpNs = most(wakeNs, ipiNs, switchNs, idleExitNs, idleExitJitterNs) + Math.max(...ways);
  const nodesNs = nodes * most(rcuNodeNs);
  // every rcuog kthread may be woken by the cleanup
  const wakesNs = cpus * most(wakeNs);
  return {
    wakeNs: contended ? wakeUpNs : 0,
    gpNs: most(rcuGpInitNs, rcuScanNs, armTimerNs, blockNs) + nodesNs + cpus * most(rcuScanCpuNs),
    cleanupNs: most(rcuCleanupNs) + nodesNs + wakesNs,
    restartNs: most(rcuCleanupNs, machine.rcuGpRestartNs) + DIRECT_WAKES * most(wakeNs),
  };
}
