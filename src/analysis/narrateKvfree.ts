/** Sentences for the rows of kvfree_rcu() (docs/model/kvfree.md), one per kind. */
import {
  KFREE_TEST,
  KIND,
  type Kind,
  KVFREE_BARRIER,
  KVFREE_CACHE,
  KVFREE_CHANNEL,
  KVFREE_DEBUG,
} from '../engine/core/eventKinds.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { bytes, count, duration } from './phrase.ts';

/** The kinds of kvfree_rcu(). */
export type KvfreeKind = Extract<
  Kind,
  (typeof KIND)[
    | (`kvfree_${string}` & keyof typeof KIND)
    | 'rcu_invoke_kfree_bulk_callback'
    | 'rcu_invoke_kvfree_callback'
    | 'kfree_test']
>;

interface KvfreeContext {
  readonly row: EventRow;
  readonly who: string;
  readonly name: (track: number) => string;
}

/** "block 7" or "run 7 of the head channel". */
export function unitName(id: number, channel: number | undefined): string {
  if (channel === KVFREE_CHANNEL.head) return `run ${id} of the head channel`;
  return channel === KVFREE_CHANNEL.vmalloc ? `vmalloc block ${id}` : `block ${id}`;
}

const objects = (n: number) => count(n, 'object');

/** Names of the channels in a mask of kvfree_attach rows. */
function channelNames(mask: number): string {
  const names = ['bulk', 'vmalloc', 'head'].filter((_, i) => (mask & (1 << i)) !== 0);
  return names.join(', ');
}

/** One sentence per kind of kvfree_rcu(). */
export const KVFREE_SENTENCES: { readonly [K in KvfreeKind]: (context: KvfreeContext) => string } = {
  [KIND.kvfree_unit_open]: ({ row, who, name }) =>
    `${name(row.c)} queues the first object of ${unitName(row.a, row.b)} on ${who} (kvfree_call_rcu): ${count(row.d, 'block')} left in the page cache.`,
  [KIND.kvfree_unit_close]: ({ row, who }) => {
    const snap = row.c < 0 ? '' : `, snapshot ${row.c}`;
    return `Unit ${row.a} on ${who} takes no more: ${objects(row.b)}, ${bytes(row.d)}${snap}.`;
  },
  [KIND.kvfree_attach]: ({ row, who }) =>
    `kfree_rcu_monitor() moves ${objects(row.b)} of ${who} (${channelNames(row.a >> 1)}) to krw_arr[${row.a & 1}], batch ${row.c}: it waits for a grace period.`,
  [KIND.kvfree_drain_ready]: ({ row, who }) =>
    `kfree_rcu_monitor() takes ${objects(row.a)} of ${who} whose grace period has passed already, ${count(row.b, 'block')} and ${objects(row.c)} of the head channel: freed without waiting.`,
  [KIND.rcu_invoke_kfree_bulk_callback]: ({ row, who }) =>
    `${who} frees block ${row.b} of CPU ${row.c} with kfree_bulk(): ${count(row.a, 'record')}, ${duration(row.d)}.`,
  [KIND.rcu_invoke_kvfree_callback]: ({ row, who }) =>
    `${who} frees ${objects(row.a)} of unit ${row.b} of CPU ${row.c} one by one, ${duration(row.d)}.`,
  [KIND.kvfree_page_cache]: ({ row, who }) => {
    if (row.b === KVFREE_CACHE.failed)
      return `No page for the page cache of ${who}: the fill ends with ${count(row.a, 'block')} cached.`;
    const what =
      row.b === KVFREE_CACHE.filled
        ? 'fill_page_cache_func() adds'
        : row.b === KVFREE_CACHE.shrunk
          ? 'the shrinker takes'
          : 'kfree_rcu_work() gives back';
    return `${what} ${count(row.c, 'block')}: the page cache of ${who} has ${row.a}.`;
  },
  [KIND.kvfree_memory]: ({ row, who }) =>
    `${who} reads the memory available: ${bytes(row.a)} free, ${bytes(row.c)} in objects, ${bytes(row.d)} in blocks.`,
  [KIND.kvfree_inline]: ({ row, who }) =>
    row.a === 0
      ? `${who} finds no block on CPU ${row.c} and waits in synchronize_rcu() to free its object (${bytes(row.b)}).`
      : `${who} frees its object (${bytes(row.b)}) itself, a grace period has passed.`,
  [KIND.kvfree_shrink]: ({ row, who }) =>
    `The shrinker scans ${who}: ${objects(row.a)} queued, ${count(row.b, 'cached block')} freed, ${row.c} left to scan.`,
  [KIND.kvfree_barrier]: ({ row, who }) => {
    switch (row.a) {
      case KVFREE_BARRIER.begin:
        return `${who} begins kvfree_rcu_barrier().`;
      case KVFREE_BARRIER.attached:
        return `kvfree_rcu_barrier() on ${who} attaches what CPU ${row.b} has queued.`;
      case KVFREE_BARRIER.cancel:
        return `kvfree_rcu_barrier() on ${who} cancels the monitor of CPU ${row.b}, which runs, and waits for its end.`;
      case KVFREE_BARRIER.flush:
        return `kvfree_rcu_barrier() on ${who} waits for both batches of CPU ${row.b}.`;
      default:
        return `kvfree_rcu_barrier() on ${who} is through: everything queued before it is freed.`;
    }
  },
  [KIND.kvfree_debug]: ({ row, who }) => {
    if (row.a === KVFREE_DEBUG.doubleQueue)
      return `${who}: kvfree_call_rcu() of an object that is queued already: double-freed call, leaked.`;
    if (row.a === KVFREE_DEBUG.leaked)
      return `${who}: the grace period of unit ${row.b} has not passed at its free: ${objects(row.c)} leaked.`;
    return `${who}: "ODEBUG: free active (active state 1) object type: rcu_head", ${objects(row.c)} of block ${row.b} freed without debug_rcu_head_unqueue().`;
  },
  [KIND.kfree_test]: ({ row, who }) => {
    switch (row.a) {
      case KFREE_TEST.begin:
        return `${who} starts its loops: gp_seq ${row.b}.`;
      case KFREE_TEST.end:
        return `${who} has finished its loops after ${duration(row.c)}: gp_seq ${row.b}.`;
      case KFREE_TEST.last:
        return `${who} is the last to finish, after ${duration(row.c)}: gp_seq ${row.b}.`;
      case KFREE_TEST.drained:
        return `${who}: everything is freed ${duration(row.c)} after the last thread has finished, gp_seq ${row.b}.`;
      default:
        return `${who} gets no memory for its next object and gives up after ${duration(row.c)}.`;
    }
  },
};
