/**
 * Whose tick runs, who is the migrator and who keeps jiffies (spec srcu 3.8, tree R1.15b, R1.16). Ticks are events
 * only where an idle CPU may stop its tick; the rest is computed when asked for.
 */
import type { Cpu } from './cpu.ts';
import { drawAt, uniformNs } from './random.ts';
import { PRIORITY, type Sim } from './sim.ts';

/** A tick is stopped behind the timers of that same tick: who keeps jiffies at a tick has the duty until its end. */
const AFTER_TIMERS = PRIORITY.interrupt - 10_000;
/** The CPUs of one migration group (spec srcu 3.8 c). */
const GROUP_CPUS = 8;

/** Tick, migrator and timekeeper of all CPUs. */
export class TickState {
  readonly #sim: Sim;
  #cpus: readonly Cpu[] = [];
  /** Migrator by group; undefined: nobody. */
  readonly #migrator: (Cpu | undefined)[] = [];
  #timekeeper: Cpu | undefined;
  /** Ticks matter only where timers migrate or CPUs race for jiffies. */
  readonly #watched: boolean;

  /** `hasRcu`: the run has Tree RCU, for which every tick of an idle CPU can matter. */
  constructor(sim: Sim, hasRcu: boolean) {
    this.#sim = sim;
    this.#watched = hasRcu || sim.rules['timer.migration'] === 'hier' || sim.machine.jiffyRace === 'offsets';
  }

  /** Hands over the CPUs, all idle with stopped ticks. */
  attach(cpus: readonly Cpu[]): void {
    this.#cpus = cpus;
    for (const cpu of cpus)
      cpu.stopSlot = this.#sim.queue.allocate(AFTER_TIMERS + cpu.id, () => this.#stopAfterTick(cpu));
    const { migratorCpu, timekeeperCpu } = this.#sim.config.initial;
    if (migratorCpu !== undefined) this.#migrator[this.#groupOf(migratorCpu)] = cpus[migratorCpu];
    if (timekeeperCpu !== undefined) this.#timekeeper = cpus[timekeeperCpu];
  }

  #groupOf(cpu: number): number {
    return Math.floor(cpu / GROUP_CPUS);
  }

  /** An idle CPU has something to run: its tick runs again from the next edge on. */
  leavesIdle(cpu: Cpu): void {
    this.#rememberTick(cpu, true);
    if (cpu.tickRunning) return;
    cpu.tickRunning = true;
    cpu.tickSinceNs = this.#sim.nowNs;
    this.#sim.rcu?.tickStarted(cpu.id);
    this.#timekeeper ??= cpu;
    const group = this.#groupOf(cpu.id);
    const migrator = this.#migrator[group];
    if (migrator === undefined || !migrator.tickRunning) this.#migrator[group] = cpu;
  }

  /** A CPU has nothing to run. */
  goesIdle(cpu: Cpu): void {
    if (!this.#watched) return;
    this.#rememberTick(cpu, false);
    cpu.sawIdleTick = false;
    const mode = this.#sim.machine.idleTick;
    if (mode === 'immediate' || (mode === 'governor' && this.#predictsLongIdle(cpu))) this.#maybeStop(cpu);
    if (cpu.tickRunning) this.#watch(cpu);
  }

  /** `governor`: nothing known to happen here within a tick period. */
  #predictsLongIdle(cpu: Cpu): boolean {
    const { jiffies } = this.#sim;
    return !cpu.timersDue.some((due) => due <= jiffies + 1);
  }

  /** Number of the last tick that CPUs have entered: at a tick itself, what comes before it belongs to the one before. */
  get #lastTick(): number {
    const { ticks, nowNs, queue } = this.#sim;
    const tick = ticks.numberAt(nowNs);
    return ticks.timeNs(tick) === nowNs && queue.calledPriority < PRIORITY.rcuTick ? tick - 1 : tick;
  }

  /** A CPU goes idle, leaves idle, or stops its tick: how it was at the last tick, if this is the first change since. */
  #rememberTick(cpu: Cpu, wasIdle: boolean): void {
    const tick = this.#lastTick;
    if (cpu.changedSinceTick === tick) return;
    cpu.changedSinceTick = tick;
    cpu.wasIdleAtTick = wasIdle;
    cpu.tickedAtTick = this.#tickedAt(cpu, tick);
  }

  /** Did this CPU enter that tick, if nothing has changed there since? */
  #tickedAt(cpu: Cpu, tick: number): boolean {
    return cpu.tickRunning && cpu.tickSinceNs < this.#sim.ticks.timeNs(tick);
  }

  /** When the handler of the last tick comes, or came, to RCU on this CPU, ns; -1 if it took none. */
  lastHandlerNs(cpuId: number): number {
    const { ticks } = this.#sim;
    const cpu = this.#cpus[cpuId] as Cpu;
    const tick = this.#lastTick;
    const hasChanged = cpu.changedSinceTick === tick;
    if (!(hasChanged ? cpu.tickedAtTick : this.#tickedAt(cpu, tick))) return -1;
    const wasIdle = hasChanged ? cpu.wasIdleAtTick : cpu.isIdle;
    return ticks.timeNs(tick) + this.#toWorkNs(cpu, tick, wasIdle);
  }

  #watch(cpu: Cpu): void {
    const { queue, ticks, nowNs } = this.#sim;
    queue.schedule(cpu.tickSlot, ticks.nextTickNs(nowNs));
  }

  /** A tick that finds the CPU idle. */
  idleTick(cpu: Cpu): void {
    if (!cpu.tickRunning) return;
    cpu.sawIdleTick = true;
    this.#sim.queue.schedule(cpu.stopSlot, this.#sim.nowNs);
  }

  #stopAfterTick(cpu: Cpu): void {
    if (cpu.isIdle) this.#maybeStop(cpu);
    if (cpu.tickRunning) this.#watch(cpu);
  }

  /** Stops the tick unless a wheel timer of this CPU is due at the next one (3.8 a). */
  #maybeStop(cpu: Cpu): void {
    const { jiffies } = this.#sim;
    if (cpu.timersDue.some((due) => due <= jiffies + 1)) return;
    if (this.#sim.rcu?.needsCpu(cpu.id)) return;
    this.#rememberTick(cpu, true);
    cpu.tickRunning = false;
    this.#sim.rcu?.tickStopped(cpu.id);
    if (this.#timekeeper === cpu) this.#timekeeper = this.#lowestTicking(this.#cpus);
    const group = this.#groupOf(cpu.id);
    if (this.#migrator[group] !== cpu) return;
    const members = this.#cpus.slice(group * GROUP_CPUS, (group + 1) * GROUP_CPUS);
    // 3.8 c: nobody's tick runs: the last one to stop handles all timers itself
    this.#migrator[group] = this.#lowestTicking(members) ?? cpu;
  }

  #lowestTicking(cpus: readonly Cpu[]): Cpu | undefined {
    return cpus.find((cpu) => cpu.tickRunning);
  }

  /** Who handles a global timer armed on `cpu` that is due at this tick (3.8 b, c, e). */
  handlerOf(cpuId: number, tick: number): number {
    const cpu = this.#cpus[cpuId] as Cpu;
    const { rules, machine, config } = this.#sim;
    if (rules['timer.migration'] === 'none' || cpu.tickRunning) return cpuId;
    const share = machine.timerSelfExpire;
    if (share > 0 && drawAt(config.seed, 'timer-self-expire', cpuId, tick) < share) return cpuId;
    return this.#migrator[this.#groupOf(cpuId)]?.id ?? cpuId;
  }

  /** Does the tick of a CPU run? */
  isTicking(cpuId: number): boolean {
    return (this.#cpus[cpuId] as Cpu).tickRunning;
  }

  /** From a tick to the point at which its handler comes to RCU, and then to the softirqs (tree 11.2), ns. */
  tickToWorkNs(cpuId: number, tick: number): number {
    const cpu = this.#cpus[cpuId] as Cpu;
    return this.#toWorkNs(cpu, tick, cpu.isIdle);
  }

  #toWorkNs(cpu: Cpu, tick: number, isIdle: boolean): number {
    const { machine } = this.#sim;
    const dutyNs = this.#timekeeper === cpu ? machine.tickDutyNs : 0;
    const idleNs = isIdle ? machine.tickIdleNs : 0;
    return this.#tickCheckNs(cpu, tick, isIdle) + dutyNs + idleNs + machine.tickWorkNs;
  }

  /** Does this CPU look for due timers before jiffies has been advanced (3.6, R1.15b)? */
  losesRace(cpuId: number, tick: number): boolean {
    const { jiffyRace } = this.#sim.machine;
    const cpu = this.#cpus[cpuId] as Cpu;
    if (jiffyRace === 'none') return false;
    if (typeof jiffyRace === 'number') {
      return drawAt(this.#sim.config.seed, 'jiffy-race', cpuId, tick) < jiffyRace;
    }
    if (jiffyRace !== 'offsets') return !cpu.isIdle && jiffyRace.cpus.includes(cpuId);
    const keeper = this.#timekeeper;
    if (keeper === undefined || keeper === cpu || !cpu.tickRunning) return false;
    return this.#tickCheckNs(cpu, tick, cpu.isIdle) < this.#tickCheckNs(keeper, tick, keeper.isIdle);
  }

  /** From a tick to the check for due timers, and on the timekeeper to the advance of jiffies (R1.15b). */
  #tickCheckNs(cpu: Cpu, tick: number, isIdle: boolean): number {
    const { machine, config } = this.#sim;
    if (isIdle) return this.#sim.idleExitNs('tick-idle-exit', cpu.id, tick) + machine.tickEntryNs;
    const jitterNs = Math.max(machine.tickJitterNs, cpu.current?.task.irqOffNs ?? 0);
    if (jitterNs === 0) return machine.tickEntryNs;
    return machine.tickEntryNs + uniformNs(drawAt(config.seed, 'tick-jitter', cpu.id, tick), 0, jitterNs - 1);
  }
}
