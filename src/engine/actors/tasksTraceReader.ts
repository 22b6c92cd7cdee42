/** A reader of RCU Tasks Trace: rcu_read_lock_trace(), rcu_read_unlock_trace() (spec tasks 8). */
import { SectionReader } from './sectionReader.ts';

/** One reader thread. Its sections may sleep. */
export class TasksTraceReader extends SectionReader {
  protected override enterSection(): void {
    this.world.tasks.lockTrace(this);
  }

  protected override leaveSection(): void {
    this.world.tasks.unlockTrace(this);
  }
}
