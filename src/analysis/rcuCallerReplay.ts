/** Replay of who uses Tree RCU: readers, callers, the sr_normal list, cookies. */
import { KIND, WORK_FN } from '../engine/core/eventKinds.ts';
import type { EventRow } from '../engine/core/rows.ts';
import type { RcuReplay } from './rcuReplay.ts';

/** Applies a row of theirs; others change nothing. */
export function applyCallers(rcu: RcuReplay, event: EventRow, row: number): void {
  const { track: thread, timeNs: sinceNs } = event;
  switch (event.kind) {
    case KIND.rcu_read_lock:
      rcu.readers.set(thread, { thread, cpu: event.a, sinceNs, row });
      break;
    case KIND.rcu_read_unlock:
      rcu.readers.delete(thread);
      break;
    case KIND.api_call: {
      if (event.c !== rcu.track) break;
      const call = { thread, api: event.a, number: event.b, sinceNs, row };
      rcu.calls.set(thread, { ...call, cpu: -1, place: -1, expTarget: Number.NaN });
      break;
    }
    case KIND.api_return:
      if (event.d === rcu.track) rcu.calls.delete(thread);
      break;
    case KIND.rcu_sr_normal:
      if (rcu.hasSrList) srNormal(rcu, event, row);
      break;
    case KIND.workqueue_queue_work:
      if (event.a === WORK_FN.rcu_sr_normal_gp_cleanup_work) rcu.scalars.isWorkQueued = true;
      break;
    case KIND.rcu_poll:
      poll(rcu, event, row);
      break;
    case KIND.rcu_poll_gp_seq:
      rcu.scalars.polledSeq = event.a;
      break;
    default:
  }
}

function srNormal(rcu: RcuReplay, event: EventRow, row: number): void {
  const { track: thread, b: number, timeNs: sinceNs } = event;
  if (event.a === 0) {
    rcu.srCallers.push({ thread, number, sinceNs, row, segment: 0, gpSeq: Number.NaN });
    return;
  }
  rcu.srCallers = rcu.srCallers.filter((caller) => caller.number !== number);
  const { scalars, srCallers } = rcu;
  // no row tells when the work item is through: it is, at the latest, when those whom it wakes have gone
  if (!scalars.isWorkQueued || srCallers.some(({ segment }) => segment === 2)) return;
  scalars.isWorkQueued = false;
  scalars.dummies = srCallers.some(({ segment }) => segment === 1) ? 2 : 1;
}

function poll(rcu: RcuReplay, event: EventRow, row: number): void {
  const { d: thread, b: cookie, timeNs: sinceNs } = event;
  if ((event.a & 3) < 3) rcu.cookies.push({ thread, cookie, sinceNs, row });
  else rcu.cookies = rcu.cookies.filter((open) => open.thread !== thread || open.cookie !== cookie);
}
