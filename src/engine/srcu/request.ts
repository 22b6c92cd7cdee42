/** Update-side requests: srcu_gp_start_if_needed() and its funnel (spec srcu 2.1, 2.2, 2.8). */
import { KIND } from '../core/eventKinds.ts';
import type { Callback } from './callbackList.ts';
import { getDelay, gpStart } from './delay.ts';
import { type Domain, SIZE, type SrcuData, STATE, seqSnap } from './domain.ts';

/** The CPU whose list takes a callback from this CPU (1.5 c). */
function callbackCpu(domain: Domain, cpu: number): number {
  return domain.sizeState === SIZE.big ? cpu : 0;
}

function enqueue(domain: Domain, data: SrcuData, callback: Callback, target: number): void {
  callback.target = target;
  data.callbacks.push(callback);
  domain.sim.emit(KIND.srcu_cb_queue, domain.track, callback.id, target, data.cpu, callback.kind);
}

/**
 * Steps 2 to 6 of 2.1: queues the callback, asks for a grace period, starts one if the domain is idle. Returns the
 * target s. `track` and `cpu` are the caller's; start_poll_synchronize_srcu() has no callback. Entering and leaving
 * the caller's own section (steps 1 and 7) is the caller's business.
 */
export function requestGp(
  domain: Domain,
  expedited: boolean,
  track: number,
  cpu: number,
  callback: Callback | undefined,
): number {
  const { sim } = domain;
  const data = domain.data(callbackCpu(domain, cpu));
  const s = seqSnap(domain.gpSeq);
  sim.emit(KIND.srcu_request, domain.track, s, expedited ? 1 : 0, track, callback?.id ?? -1);
  if (callback !== undefined) {
    const last = data.callbacks.last?.target ?? 0;
    enqueue(domain, data, callback, Math.max(s, last));
  }
  const needGp = data.needed < s;
  if (needGp) data.needed = s;
  const needExp = expedited && data.neededExp < s;
  if (needExp) data.neededExp = s;
  if (needGp) funnel(domain, s, expedited, cpu);
  else if (needExp) domain.neededExp = Math.max(domain.neededExp, s);
  return s;
}

/** Step 6: at the domain. */
function funnel(domain: Domain, s: number, expedited: boolean, cpu: number): void {
  domain.needed = Math.max(domain.needed, s);
  if (expedited) domain.neededExp = Math.max(domain.neededExp, s);
  if (domain.gpSeq >= s || domain.state !== STATE.idle) return;
  gpStart(domain);
  domain.queueGp(getDelay(domain, domain.sim.jiffies) === 0 ? 0 : 1, cpu);
}

/** srcu_might_be_idle(): synchronize_srcu() is expedited (2.2). */
export function mightBeIdle(domain: Domain, cpu: number): boolean {
  const { expHoldoffNs } = domain.constants;
  const last = domain.data(cpu).callbacks.last;
  const waiting = last !== undefined && last.target > domain.gpSeq;
  if (waiting || expHoldoffNs === 0) return false;
  const sinceNs = domain.sim.nowNs - domain.lastGpEndNs;
  return !(sinceNs >= 0 && sinceNs < expHoldoffNs) && domain.gpSeq >= domain.needed;
}

/** The lists that srcu_barrier() must wait for: those that have a callback, waiting or being invoked (2.8). */
export function barrierLists(domain: Domain): SrcuData[] {
  return domain.allData.filter(
    ({ callbacks, invokingTarget }) => !callbacks.isEmpty || invokingTarget !== undefined,
  );
}

/** Puts the barrier's callback behind the last one of a list (rcu_segcblist_entrain()). */
export function queueBarrier(domain: Domain, data: SrcuData, callback: Callback): void {
  const target = data.callbacks.last?.target ?? data.invokingTarget;
  if (target === undefined) throw new Error('srcu_barrier: the list is empty');
  enqueue(domain, data, callback, target);
}
