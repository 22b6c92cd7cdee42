/** Shared CPUs, ticks and wheel timers without any SRCU on them: what tests of the core are made of. */

import { resolveRules } from '../profiles/profiles.ts';
import { type ConfigParts, simConfig } from '../reference/simConfig.testkit.ts';
import { KIND } from './eventKinds.ts';
import type { EventRow } from './rows.ts';
import { SharedCpus } from './sharedCpus.ts';
import { PRIORITY, Sim } from './sim.ts';
import { Task } from './task.ts';
import { TickState } from './tickState.ts';
import { WheelTimer } from './timers.ts';

/** What a task of a test does, one thing a step. */
export type Step = (task: Task) => void;

/** A task that follows a script, then exits. */
class Script extends Task {
  readonly #steps: Step[];

  constructor(track: number, cpu: number, steps: readonly Step[]) {
    super(track, cpu);
    this.#steps = [...steps];
  }

  step(): void {
    const next = this.#steps.shift();
    if (next === undefined) this.exit();
    else next(this);
  }
}

/** A little machine under test. */
export class Bench {
  readonly sim: Sim;
  readonly tickState: TickState;
  readonly shared: SharedCpus;

  /** All costs are 0 (preset `plain`) where nothing is said. */
  constructor(parts: Omit<ConfigParts, 'actors'> = {}) {
    const config = simConfig({ ...parts, actors: [] });
    this.sim = new Sim(config, resolveRules(config.kernel, config.rules));
    for (let cpu = 0; cpu < config.cpus; cpu++) this.sim.addTrack('cpu', `CPU ${cpu}`, cpu);
    this.tickState = new TickState(this.sim, false);
    this.shared = new SharedCpus(this.sim, this.tickState);
  }

  /** Time of tick k, ns. */
  tickNs(k: number): number {
    return this.sim.ticks.timeNs(k);
  }

  /** Does something at a time, before everybody else. */
  at(timeNs: number, action: () => void): void {
    this.sim.queue.schedule(this.sim.queue.allocate(PRIORITY.start, action), timeNs);
  }

  /** A task on a CPU that begins a script at a time. */
  task(cpu: number, startNs: number, ...steps: readonly Step[]): Task {
    const { sim, shared } = this;
    const track = sim.addTrack('thread', `script on ${cpu}`, cpu);
    const task = new Script(track, cpu, steps);
    shared.add(task, PRIORITY.thread + track);
    this.at(startNs, () => shared.start(task));
    return task;
  }

  /** A task that keeps its CPU busy from one time to another. */
  busy(cpu: number, fromNs: number, untilNs: number): Task {
    return this.task(cpu, fromNs, (task) => task.spinUntil(untilNs));
  }

  /** A wheel timer; its expiries are in `expiries`. */
  timer(): WheelTimer {
    const { sim, shared, tickState } = this;
    const host = { executor: shared, tickState, base: (cpu: number) => shared.cpus[cpu] };
    return new WheelTimer(sim, host, 1, 0, () => {});
  }

  /** Runs everything up to and including a time. */
  runTo(timeNs: number): this {
    const { sim } = this;
    while (sim.queue.nextTimeNs() <= timeNs) {
      sim.nowNs = sim.queue.nextTimeNs();
      sim.queue.call(sim.queue.popMin());
    }
    return this;
  }

  get rows(): EventRow[] {
    const { log } = this.sim;
    return Array.from({ length: log.length }, (_, i) => log.row(i));
  }

  /** [CPU, tick] of every expiry so far. */
  get expiries(): [cpu: number, tick: number][] {
    return this.rows
      .filter(({ kind }) => kind === KIND.timer_expire_entry)
      .map(({ track, timeNs }) => [track, this.sim.ticks.numberAt(timeNs)]);
  }

  /** [time in ns, track or -1] of every switch on a CPU so far. */
  switches(cpu: number): [timeNs: number, track: number][] {
    return this.rows
      .filter(({ kind, track }) => kind === KIND.sched_switch && track === cpu)
      .map(({ timeNs, a }) => [timeNs, a]);
  }
}
