/** All scenarios, and looking them up by "id" or "id:variant". */
import type { ScenarioSource } from '../config/configInput.ts';
import { androidLaunch } from './androidLaunch.ts';
import { autoExpedite } from './autoExpedite.ts';
import { backoffLadder } from './backoffLadder.ts';
import { backToBack } from './backToBack.ts';
import { bootStorm } from './bootStorm.ts';
import { bothBatchesBusy } from './bothBatchesBusy.ts';
import { callbackFlood } from './callbackFlood.ts';
import { callbacksAndBarrier } from './callbacksAndBarrier.ts';
import { convoy } from './convoy.ts';
import { drainInterval } from './drainInterval.ts';
import { exitingTasks } from './exitingTasks.ts';
import { expeditedJitter } from './expeditedJitter.ts';
import { firstGracePeriod } from './firstGracePeriod.ts';
import { idleSystem } from './idleSystem.ts';
import { kernelSpinner } from './kernelSpinner.ts';
import { kfreeBulk } from './kfreeBulk.ts';
import { kfreePolled } from './kfreePolled.ts';
import { kmemleakFalseAlarm } from './kmemleakFalseAlarm.ts';
import { kvmMemslots } from './kvmMemslots.ts';
import { lazyBootStaircase } from './lazyBootStaircase.ts';
import { lazyTasks } from './lazyTasks.ts';
import { loopingCaller } from './loopingCaller.ts';
import { missedGracePeriod } from './missedGracePeriod.ts';
import { normalVsExpedited } from './normalVsExpedited.ts';
import { odebugSplat } from './odebugSplat.ts';
import { oldAttachBug } from './oldAttachBug.ts';
import { oneReader } from './oneReader.ts';
import { pageCachePressure } from './pageCachePressure.ts';
import { probeDetach } from './probeDetach.ts';
import { requesterMeetsItself } from './requesterMeetsItself.ts';
import type { Scenario } from './scenario.ts';
import { serialHotplug } from './serialHotplug.ts';
import { singleArgument } from './singleArgument.ts';
import { stall } from './stall.ts';
import { tasksStall } from './tasksStall.ts';
import { trampoline } from './trampoline.ts';
import { twoScans } from './twoScans.ts';
import { userSpinner } from './userSpinner.ts';
import { whoHoldsIt } from './whoHoldsIt.ts';

/** In the order in which the page lists them. */
export const SCENARIOS: readonly Scenario[] = [
  firstGracePeriod,
  whoHoldsIt,
  idleSystem,
  loopingCaller,
  convoy,
  androidLaunch,
  normalVsExpedited,
  expeditedJitter,
  missedGracePeriod,
  serialHotplug,
  callbackFlood,
  lazyBootStaircase,
  stall,
  drainInterval,
  kmemleakFalseAlarm,
  bothBatchesBusy,
  pageCachePressure,
  singleArgument,
  kfreePolled,
  kfreeBulk,
  oldAttachBug,
  odebugSplat,
  trampoline,
  backoffLadder,
  kernelSpinner,
  userSpinner,
  probeDetach,
  lazyTasks,
  exitingTasks,
  tasksStall,
  bootStorm,
  requesterMeetsItself,
  oneReader,
  twoScans,
  autoExpedite,
  backToBack,
  callbacksAndBarrier,
  kvmMemslots,
];

/** What the page opens without a link. */
export const DEFAULT_SCENARIO = 'first-grace-period:callback';
/** What links that name neither a scenario nor a workload are about: it was the default when they were shipped. */
export const LINK_SCENARIO = 'boot-storm:row-200';

/** The scenario and the variant that "id" or "id:variant" names, or undefined. */
export function findScenario(name: string): { scenario: Scenario; variant: string } | undefined {
  const colon = name.indexOf(':');
  const id = colon < 0 ? name : name.slice(0, colon);
  const scenario = SCENARIOS.find((candidate) => candidate.id === id);
  if (scenario === undefined) return undefined;
  const variant = colon < 0 ? scenario.defaultVariant : name.slice(colon + 1);
  return scenario.variants.some((known) => known.id === variant) ? { scenario, variant } : undefined;
}

/** For `parseConfig` and links. */
export const scenarioSource: ScenarioSource = {
  names: SCENARIOS.map((scenario) => scenario.id),
  find: (name) => {
    const found = findScenario(name);
    return found?.scenario.config(found.variant);
  },
  variantsOf: (name) => {
    const scenario = SCENARIOS.find(({ id }) => id === name);
    if (scenario === undefined) return undefined;
    const others = scenario.variants.filter(({ id }) => id !== scenario.defaultVariant);
    return [scenario.defaultVariant, ...others.map(({ id }) => id)];
  },
};
