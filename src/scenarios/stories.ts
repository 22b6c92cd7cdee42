/** What every scenario has to say, by its id: a part of its own, which the page loads after it has drawn. */
import type { Story } from './scenario.ts';
import { androidLaunchStory } from './stories/androidLaunch.ts';
import { autoExpediteStory } from './stories/autoExpedite.ts';
import { backoffLadderStory } from './stories/backoffLadder.ts';
import { backToBackStory } from './stories/backToBack.ts';
import { bootStormStory } from './stories/bootStorm.ts';
import { bothBatchesBusyStory } from './stories/bothBatchesBusy.ts';
import { callbackFloodStory } from './stories/callbackFlood.ts';
import { callbacksAndBarrierStory } from './stories/callbacksAndBarrier.ts';
import { convoyStory } from './stories/convoy.ts';
import { drainIntervalStory } from './stories/drainInterval.ts';
import { exitingTasksStory } from './stories/exitingTasks.ts';
import { expeditedJitterStory } from './stories/expeditedJitter.ts';
import { firstGracePeriodStory } from './stories/firstGracePeriod.ts';
import { idleSystemStory } from './stories/idleSystem.ts';
import { kernelSpinnerStory } from './stories/kernelSpinner.ts';
import { kfreeBulkStory } from './stories/kfreeBulk.ts';
import { kfreePolledStory } from './stories/kfreePolled.ts';
import { kmemleakFalseAlarmStory } from './stories/kmemleakFalseAlarm.ts';
import { kvmMemslotsStory } from './stories/kvmMemslots.ts';
import { lazyBootStaircaseStory } from './stories/lazyBootStaircase.ts';
import { lazyTasksStory } from './stories/lazyTasks.ts';
import { loopingCallerStory } from './stories/loopingCaller.ts';
import { missedGracePeriodStory } from './stories/missedGracePeriod.ts';
import { normalVsExpeditedStory } from './stories/normalVsExpedited.ts';
import { odebugSplatStory } from './stories/odebugSplat.ts';
import { oldAttachBugStory } from './stories/oldAttachBug.ts';
import { oneReaderStory } from './stories/oneReader.ts';
import { pageCachePressureStory } from './stories/pageCachePressure.ts';
import { probeDetachStory } from './stories/probeDetach.ts';
import { requesterMeetsItselfStory } from './stories/requesterMeetsItself.ts';
import { serialHotplugStory } from './stories/serialHotplug.ts';
import { singleArgumentStory } from './stories/singleArgument.ts';
import { stallStory } from './stories/stall.ts';
import { tasksStallStory } from './stories/tasksStall.ts';
import { trampolineStory } from './stories/trampoline.ts';
import { twoScansStory } from './stories/twoScans.ts';
import { userSpinnerStory } from './stories/userSpinner.ts';
import { whoHoldsItStory } from './stories/whoHoldsIt.ts';

/** By id of the scenario. */
export const STORIES: Readonly<Record<string, Story>> = {
  'android-launch': androidLaunchStory,
  'auto-expedite': autoExpediteStory,
  'back-to-back': backToBackStory,
  'boot-storm': bootStormStory,
  'callback-flood': callbackFloodStory,
  'callbacks-and-barrier': callbacksAndBarrierStory,
  convoy: convoyStory,
  'expedited-jitter': expeditedJitterStory,
  'first-grace-period': firstGracePeriodStory,
  'idle-system': idleSystemStory,
  'kvm-memslots': kvmMemslotsStory,
  'lazy-boot-staircase': lazyBootStaircaseStory,
  'looping-caller': loopingCallerStory,
  'missed-grace-period': missedGracePeriodStory,
  'normal-vs-expedited': normalVsExpeditedStory,
  'one-reader': oneReaderStory,
  'requester-meets-itself': requesterMeetsItselfStory,
  'serial-hotplug': serialHotplugStory,
  stall: stallStory,
  'two-scans': twoScansStory,
  'both-batches-busy': bothBatchesBusyStory,
  'drain-interval': drainIntervalStory,
  'kfree-bulk': kfreeBulkStory,
  'kfree-polled': kfreePolledStory,
  'kmemleak-false-alarm': kmemleakFalseAlarmStory,
  'odebug-splat': odebugSplatStory,
  'old-attach-bug': oldAttachBugStory,
  'page-cache-pressure': pageCachePressureStory,
  'single-argument': singleArgumentStory,
  'backoff-ladder': backoffLadderStory,
  'exiting-tasks': exitingTasksStory,
  'kernel-spinner': kernelSpinnerStory,
  'lazy-tasks': lazyTasksStory,
  'probe-detach': probeDetachStory,
  'tasks-stall': tasksStallStory,
  trampoline: trampolineStory,
  'user-spinner': userSpinnerStory,
  'who-holds-it': whoHoldsItStory,
};

/** The story of a scenario of the registry. */
export function storyOf(id: string): Story {
  const story = STORIES[id];
  if (story === undefined) throw new Error(`scenario ${id} has no story`);
  return story;
}
