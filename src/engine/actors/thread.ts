/** Threads of actors: what readers, updaters and loads share. */
import type { Start } from '../config.ts';
import type { DrawOwner } from '../core/distributions.ts';
import { PRIORITY, type Sim } from '../core/sim.ts';
import { type Executor, Task } from '../core/task.ts';
import type { Ticks } from '../core/ticks.ts';
import type { Kvfree } from '../kvfree/kvfree.ts';
import type { Domain } from '../srcu/domain.ts';
import type { TasksRcu } from '../tasks/tasksRcu.ts';
import type { TreeRcu } from '../tree/treeRcu.ts';

/** What actors find in the simulation. */
export interface World {
  readonly sim: Sim;
  readonly executor: Executor;
  /** The domain of this name ("srcu", "srcu:NAME"). */
  domain(name: string): Domain;
  /** Tree RCU. Throws where no actor uses it. */
  readonly rcu: TreeRcu;
  /** kvfree_rcu(). Throws where no actor uses it. */
  readonly kvfree: Kvfree;
  /** RCU Tasks. Throws where no actor uses it. */
  readonly tasks: TasksRcu;
  nextCallbackId(): number;
  /** A finite actor's thread has finished. */
  finished(): void;
}

/** Where a thread belongs: index of its actor in the configuration, its number there, its CPU. */
export interface Place {
  readonly actor: number;
  readonly number: number;
  readonly cpu: number;
}

/** A thread of an actor. */
export abstract class Thread extends Task {
  protected readonly world: World;
  protected readonly place: Place;

  constructor(world: World, place: Place, name: string) {
    super(world.sim.addTrack('thread', name, place.cpu, place.actor, place.number), place.cpu);
    this.world = world;
    this.place = place;
  }

  protected get sim(): Sim {
    return this.world.sim;
  }

  protected drawOwner(): DrawOwner {
    const { actor, number } = this.place;
    return { seed: this.sim.config.seed, actor, number, lcgs: new Map() };
  }
}

/** `start` of an actor in ns. */
export function startNs(start: Start, ticks: Ticks): number {
  return typeof start === 'number' ? start : ticks.timeNs(start.ticks) + start.plus;
}

/** Makes the thread known and lets it begin at a time. Threads made first act first at equal times. */
export function launchThread(world: World, thread: Thread, timeNs: number): void {
  const { sim, executor } = world;
  executor.add(thread, PRIORITY.thread + thread.track);
  const slot = sim.queue.allocate(PRIORITY.start + thread.track, () => {
    sim.cause = -1;
    executor.start(thread);
  });
  sim.queue.schedule(slot, timeNs);
}
