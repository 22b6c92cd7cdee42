/** What asking for the grace period in the call itself, and being woken without a callback, would have saved (tree R4.5). */
import type { EventLog } from '../engine/core/eventLog.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { offloadedCpus } from '../engine/profiles/offload.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import type { Remedy } from './blameTypes.ts';
import { duration } from './phrase.ts';
import { rcuGpFacts } from './rcuGpFacts.ts';
import { leftNs } from './rcuRemedies.ts';
import { sectionsAt } from './rcuSections.ts';
import { GP_FLAVOR, LAST_REPORT, type RunIndex } from './types.ts';

const WAKE_PARAM = 'rcutree.rcu_normal_wake_from_gp';

/** rcu_normal_wake_from_gp or, in kernels without it, offloading, for a call whose callback was queued on CPU `cpu`. */
export function wakeRemedy(log: EventLog, index: RunIndex, call: number, cpu: number): Remedy | undefined {
  const { calls, info } = index;
  const { wakeFromGp } = treeConstants(info.config, info.rules);
  const savesNs = (calls.returnNs[call] as number) - atOnceNs(log, index, call, cpu);
  if (!(savesNs > 1e8 / info.config.hz)) return undefined;
  const how = isAlone(index, call) ? 'about' : 'for this call alone, the others being as they are, about';
  if (info.rules['tree.srNormal'] === 'list' && !wakeFromGp) {
    const text = `${WAKE_PARAM}=1 asks for the grace period at once and wakes the caller from the kthread: ${how} ${duration(savesNs)} less.`;
    return { text, savesNs, param: { name: WAKE_PARAM, value: 1 } };
  }
  if (offloadedCpus(info.config).length > 0) return undefined;
  const text = `With offloaded callbacks (rcu_nocbs) nothing waits for a tick of this CPU: ${how} ${duration(savesNs)} less.`;
  return { text, savesNs };
}

/** Has no other thread called before this call returned? A parameter would have changed its calls, too. */
function isAlone({ calls }: RunIndex, call: number): boolean {
  const endNs = calls.returnNs[call] as number;
  return calls.callNs.every((ns, other) => ns > endNs || calls.thread[other] === calls.thread[call]);
}

/**
 * When the grace period would have ended, had it been asked for in the request: as many ticks earlier as it would have
 * started earlier, because its steps go by ticks (tree 2.7), but not before readers that were there had left. NaN: not
 * known.
 */
function atOnceNs(log: EventLog, index: RunIndex, call: number, cpu: number): number {
  const { calls, gps, info } = index;
  const requestNs = calls.requestNs[call] as number;
  const requestRow = calls.requestRow[call] as number;
  const isNormal = (gp: number) => gps.flavor[gp] === GP_FLAVOR.rcu;
  const next = gps.startNs.findIndex((startNs, gp) => startNs > requestNs && isNormal(gp));
  if (next < 0 || gps.endRow[next] === -1) return Number.NaN;
  const before = gps.startNs.findLastIndex((startNs, gp) => startNs <= requestNs && isNormal(gp));
  // one that is running is none that it could have waited for: the next one begins when that ends
  const askedNs = Math.max(requestNs, before < 0 ? 0 : (gps.endNs[before] as number));
  const ticks = new Ticks(info.config.hz, info.config.startJiffies);
  const startNs = gps.startNs[next] as number;
  const endNs = gps.endNs[next] as number;
  const earlier = ticks.numberAt(startNs) - ticks.numberAt(askedNs);
  if (!(earlier > 0)) return endNs;
  const { how, cpu: lastCpu, reader, lastNs, lastRow, kthreadCpu } = rcuGpFacts(log, index, next);
  // callbacks keep the tick of their CPU, behind which the kthread's own CPU reports: without them it may not
  const losesTick =
    cpu === kthreadCpu &&
    info.config.machine.idleTick !== 'retain-one' &&
    info.config.cpus > 1 &&
    info.rules['tree.earlyReport'] !== 'next';
  if (losesTick && how === LAST_REPORT.scan) return Number.NaN;
  const held = sectionsAt(log, requestRow, lastRow);
  const isLast = held.some((section) => section.thread === reader || section.cpu === lastCpu);
  const earlierNs = lastNs - (ticks.timeNs(earlier) - ticks.timeNs(0));
  return endNs - lastNs + (isLast ? lastNs : Math.max(earlierNs, leftNs(held, 0)));
}
