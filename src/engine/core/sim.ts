/** What all parts of a run share: the clock, the queue, the log, the configuration. */
import type { SimConfig } from '../config.ts';
import { drawnCosts } from '../machine/costs.ts';
import type { Costs } from '../machine/presets.ts';
import type { RuleSet } from '../profiles/profiles.ts';
import { STOP_REASON } from './eventKinds.ts';
import { EventLog } from './eventLog.ts';
import type { Track } from './info.ts';
import type { LogMemory } from './logMemory.ts';
import { LogWriter, MAX_TRACKS } from './logWriter.ts';
import { EventQueue } from './queue.ts';
import { drawAt, uniformNs } from './random.ts';
import type { Task } from './task.ts';
import { Ticks } from './ticks.ts';

/** Priorities at equal times (spec srcu 3.7): jiffies and ticks, timers, interrupts, threads as listed, workers. */
export const PRIORITY = {
  start: 0,
  tick: 1e6,
  /** Ticks as RCU sees them, behind those of the scheduler. */
  rcuTick: 1.01e6,
  timer: 2e6,
  interrupt: 3e6,
  /** RCU_SOFTIRQ by CPU, then the grace-period kthread, other kthreads of RCU, their workers (tree 11.1, preset plain). */
  softirq: 3.2e6,
  kthread: 3.6e6,
  kthreads: 3.7e6,
  thread: 4e6,
  worker: 5e6,
  nextRound: 8e6,
  stop: 9e6,
} as const;

/** What Tree RCU is told of the CPUs (tree/cpuTicks.ts); times in ns. */
export interface RcuHooks {
  /**
   * __schedule() on a CPU; `previous` null: the idle task. Before the next task is picked. `readers`: tasks inside a
   * section of RCU there where several have the CPU at once (preset plain).
   */
  contextSwitch(cpu: number, previous: Task | null, readers?: readonly Task[]): void;
  /** cond_resched() that finds nothing to switch to. */
  condResched(cpu: number): void;
  /** Nothing is left to run on a CPU. */
  enterIdle(cpu: number): void;
  /** Something is about to run on it. */
  exitIdle(cpu: number): void;
  /** Its tick runs from the next edge on. */
  tickStarted(cpu: number): void;
  /** Its tick has stopped. */
  tickStopped(cpu: number): void;
  /** rcu_needs_cpu(): the tick must not stop. */
  needsCpu(cpu: number): boolean;
}

/** What RCU Tasks is told of tasks (tasks/taskList.ts). */
export interface TasksHooks {
  /** A task is made known to the executor. */
  add(task: Task): void;
  /** It goes through __schedule(): to sleep, block or end (`isVoluntary`), or because it is preempted. */
  contextSwitch(task: Task, isVoluntary: boolean): void;
  /** A step of it ended at a cond_resched(). */
  condResched(task: Task): void;
}

/** The state that every part of a run may touch. */
export class Sim extends LogWriter {
  readonly config: SimConfig;
  readonly rules: RuleSet;
  readonly machine: Costs;
  readonly ticks: Ticks;
  readonly queue = new EventQueue();
  readonly tracks: Track[] = [];
  /** Rounds of steps that took no time and left no row, since the clock last moved. */
  emptyRounds = 0;
  /** Tree RCU, where the run has it. */
  rcu: RcuHooks | undefined;
  /** RCU Tasks, where the run has it. */
  tasks: TasksHooks | undefined;
  /** Set when the run must end. */
  stopReason: number | undefined;
  /** The cause with which the run ended where a limit did it. */
  stopMessage: string | undefined;

  constructor(config: SimConfig, rules: RuleSet, memory?: LogMemory) {
    super(new EventLog(memory));
    this.config = config;
    this.rules = rules;
    this.machine = drawnCosts(config.machine, config.seed);
    this.ticks = new Ticks(config.hz, config.startJiffies);
  }

  /** Adds a track and returns its id. */
  addTrack(kind: Track['kind'], name: string, cpu: number, actor = -1, number = 0): number {
    const id = this.tracks.length;
    if (id === MAX_TRACKS) {
      this.stopReason = STOP_REASON.trackLimit;
      this.stopMessage = `the run was stopped at ${MAX_TRACKS} CPUs, threads and workers, its limit`;
    }
    this.tracks.push({ id, kind, name, cpu, actor, number });
    return id;
  }

  /** jiffies now. */
  get jiffies(): number {
    return this.ticks.jiffiesAt(this.nowNs);
  }

  /** What it takes a CPU to leave idle: base + U[0, jitter), by (seed, cpu, ordinal) (tree R1.18). */
  idleExitNs(purpose: 'idle-exit' | 'tick-idle-exit', cpu: number, ordinal: number): number {
    const { idleExitNs, idleExitJitterNs } = this.machine;
    if (idleExitJitterNs === 0) return idleExitNs;
    return uniformNs(
      drawAt(this.config.seed, purpose, cpu, ordinal),
      idleExitNs,
      idleExitNs + idleExitJitterNs - 1,
    );
  }
}
