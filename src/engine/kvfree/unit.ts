/** A unit of queued objects: a block of pointers, or a run on the head channel (kvfree K1 to K4). */
import { KVFREE_CHANNEL } from '../core/eventKinds.ts';
import type { Cookie } from '../tree/polled.ts';

export type Channel = (typeof KVFREE_CHANNEL)[keyof typeof KVFREE_CHANNEL];

/** Objects that are queued, wait and are freed together. When they are freed, it becomes another unit (Units). */
export class Unit {
  /** Number of the unit, one series per run. */
  id = -1;
  channel: Channel = KVFREE_CHANNEL.bulk;
  count = 0;
  /** Bytes of its objects as the allocator rounds them. */
  bytes = 0;
  /** What freeing its objects takes with kfree_bulk(), ns. */
  freeNs = 0;
  /** Grace period that its last object waits for (gp_snap); undefined where kernels do not note it. */
  snapshot: Cookie | undefined;
  /** Takes no more objects. */
  isClosed = false;
}

/**
 * The units of a run. A unit that is through is used again, the last one first: a flood goes through millions of them,
 * and few are there at a time, so that they stay near the processor.
 */
export class Units {
  #begun = 0;
  readonly #through: Unit[] = [];

  /** A new unit, without objects. */
  begin(channel: Channel): Unit {
    const unit = this.#through.pop() ?? new Unit();
    unit.id = this.#begun++;
    unit.channel = channel;
    return unit;
  }

  /** Nobody has this unit any more: its objects are freed. */
  end(unit: Unit): void {
    unit.count = 0;
    unit.bytes = 0;
    unit.freeNs = 0;
    unit.snapshot = undefined;
    unit.isClosed = false;
    this.#through.push(unit);
  }
}

/** A snapshot as rows show it: its word for normal grace periods, -1 for none. */
export function snapshotWord(snapshot: Cookie | undefined): number {
  if (snapshot === undefined) return -1;
  return typeof snapshot === 'number' ? snapshot : snapshot.normal;
}
