/** A reader of Tree RCU: rcu_read_lock(), rcu_read_unlock(). */
import { KIND } from '../core/eventKinds.ts';
import { SectionReader } from './sectionReader.ts';

/** One reader thread. Its sections spin, as the configuration sees to it: a section of RCU must not sleep. */
export class RcuReader extends SectionReader {
  protected override enterSection(): void {
    this.rcuNesting++;
    this.sim.emit(KIND.rcu_read_lock, this.track, this.cpu);
  }

  protected override leaveSection(): void {
    const { sim, world } = this;
    this.rcuNesting--;
    sim.emit(KIND.rcu_read_unlock, this.track, this.cpu);
    world.rcu.blockedReaders.unlock(world.rcu.data(this.cpu), this);
  }
}
