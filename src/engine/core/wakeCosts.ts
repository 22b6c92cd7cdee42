/** What a wake-up on an idle CPU takes. */
import type { Costs } from '../machine/presets.ts';

/**
 * From a wake-up to the task's first instruction on an idle CPU, after the idle exit, by the totals of srcu 11.1: the
 * switch is in wakeIdleNs; a local timer interrupt costs about another one (hrtimer sleeps: 3.9 to 4.9 us).
 */
export function totalToRunNs(machine: Costs, here: boolean): number {
  return machine.wakeIdleNs + (here ? machine.switchNs : machine.ipiNs);
}

/** The interrupt is sent so much before the wake-up is through (tree 11.2). */
const IPI_SENT_EARLIER_NS = 50;

/** The same by the steps of tree 11.2, or by wakeToRunNs. */
export function stepsToRunNs(machine: Costs, here: boolean): number {
  const { wakeToRunNs } = machine;
  if (wakeToRunNs !== undefined) return wakeToRunNs;
  const arrivalNs = here
    ? machine.irqExitNs
    : machine.ipiHandlerNs - Math.min(IPI_SENT_EARLIER_NS, machine.ipiHandlerNs);
  return arrivalNs + machine.idleLoopExitNs + machine.switchNs;
}
