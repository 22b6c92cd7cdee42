/** A unit of queued objects: a block of pointers, or a run on the head channel (kvfree K1 to K4). */
import type { KVFREE_CHANNEL } from '../core/eventKinds.ts';
import type { Cookie } from '../tree/polled.ts';

export type Channel = (typeof KVFREE_CHANNEL)[keyof typeof KVFREE_CHANNEL];

/** Objects that are queued, wait and are freed together. */
export class Unit {
  /** Number of the unit, one series per run. */
  readonly id: number;
  readonly channel: Channel;
  count = 0;
  /** Bytes of its objects as the allocator rounds them. */
  bytes = 0;
  /** What freeing its objects takes with kfree_bulk(), ns. */
  freeNs = 0;
  /** Grace period that its last object waits for (gp_snap); undefined where kernels do not note it. */
  snapshot: Cookie | undefined;
  /** Takes no more objects. */
  isClosed = false;

  constructor(id: number, channel: Channel) {
    this.id = id;
    this.channel = channel;
  }
}

/** A snapshot as rows show it: its word for normal grace periods, -1 for none. */
export function snapshotWord(snapshot: Cookie | undefined): number {
  if (snapshot === undefined) return -1;
  return typeof snapshot === 'number' ? snapshot : snapshot.normal;
}
