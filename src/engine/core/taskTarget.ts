/** What an executor does when the time of a task's slot has come. */
import type { SlotTarget } from './queue.ts';
import type { SchedEntity } from './schedEntity.ts';

/** The part of an executor that its slots need. */
export interface TaskRunner {
  /** The slot of a task fired: its segment is over, or its hrtimer expired. */
  run(se: SchedEntity): void;
}

/** Runs a task. */
export class TaskTarget implements SlotTarget {
  readonly #runner: TaskRunner;
  readonly #se: SchedEntity;

  constructor(runner: TaskRunner, se: SchedEntity) {
    this.#runner = runner;
    this.#se = se;
  }

  fire(): void {
    this.#runner.run(this.#se);
  }
}
