/** Machine entries of Tree RCU (spec tree 11.1, 11.2): the steps of which its paths are made. Times in ns. */

/** What they read as in the engine. An absent one stands for the sum of the steps that it covers. */
export interface RcuCosts {
  readonly tickDutyNs: number;
  readonly tickIdleNs: number;
  readonly tickWorkNs: number;
  readonly softTimerNs: number;
  readonly rcuCoreEnterNs: number;
  readonly rcuCoreExitNs: number;
  readonly irqExitNs: number;
  readonly idleLoopNs: number;
  readonly stopTickNs: number;
  readonly idleLoopExitNs: number;
  readonly blockNs: number;
  readonly wakeNs: number;
  readonly ipiHandlerNs: number;
  readonly armTimerNs: number;
  readonly hrtimerIrqNs: number;
  /** Wake-up of a sleeping task until it runs on an idle CPU. */
  readonly wakeToRunNs?: number;
  readonly callRcuNs: number;
  readonly rcuSyncReturnNs: number;
  /** Wake-up of a caller of synchronize_rcu() until its next call. */
  readonly callerReturnNs?: number;
  readonly rcuLearnHoldNs: number;
  readonly rcuAccelHoldNs: number;
  readonly rcuReportHoldNs: number;
  readonly rcuQsLockNs: number;
  readonly rcuBatchNs: number;
  readonly rcuCbNs: number;
  readonly rcuGpInitNs: number;
  readonly rcuNodeNs: number;
  readonly rcuScanNs: number;
  readonly rcuScanCpuNs: number;
  readonly rcuCleanupNs: number;
  /** End of a grace period until the start of the next, requested one. */
  readonly rcuGpRestartNs?: number;
  readonly expCallNs: number;
  readonly expBaseNs: number;
  readonly expCpuNs: number;
  readonly expParWakeNs: number;
  readonly expIpiNs: number;
  readonly expIpiHandlerNs: number;
  readonly expEndNs: number;
  readonly expSleepNs: number;
  readonly windowNs: 1000 | 100;
  readonly sharedLlc: boolean;
}

/** A step in ns; `typical` is twice the measured value where nothing else is known. */
function step(meaning: string, virtual: number) {
  return { meaning, unit: 'ns', plain: 0, virtual, typical: 2 * virtual } as const;
}
/** A total that replaces the sum of its steps where it is given. */
function total(meaning: string, typical: readonly [lo: number, hi: number]) {
  return {
    meaning: `${meaning}; absent: the sum of the steps`,
    unit: 'ns',
    plain: 0,
    virtual: undefined,
    typical,
  } as const;
}

/** Meaning, unit and value in each preset. */
export const RCU_ENTRIES = {
  tickDutyNs: step('added to the tick handler of the CPU that has the jiffies duty', 0),
  tickIdleNs: step('added to it where the tick interrupts idle', 500),
  tickWorkNs: step('rest of the tick handler: scheduler, quiescent states, rcu_pending(), exit', 1200),
  softTimerNs: step('timer softirq before its first handler', 250),
  rcuCoreEnterNs: step('rcu_core() up to the check for news of grace periods', 200),
  rcuCoreExitNs: step('end of rcu_core()', 150),
  irqExitNs: step('leaving an interrupt of idle', 200),
  idleLoopNs: step('idle loop down to the extended quiescent state', 700),
  stopTickNs: step('added to it where it stops the tick', 1300),
  idleLoopExitNs: step('leaving the idle loop, to schedule()', 600),
  blockNs: step('decision to sleep to schedule()', 500),
  wakeNs: step('one wake-up, in the waker', 450),
  ipiHandlerNs: step('handler of the reschedule interrupt, sent 50 ns earlier', 300),
  armTimerNs: step('the grace-period kthread arms its timeout', 400),
  hrtimerIrqNs: step('hrtimer interrupt', 900),
  wakeToRunNs: total('wake-up of a sleeping task until it runs on an idle CPU', [2000, 50_000]),
  callRcuNs: step('call_rcu(), or synchronize_rcu() until it is queued', 350),
  rcuSyncReturnNs: step('caller of synchronize_rcu(): running again to the return', 300),
  callerReturnNs: total('wake-up of a caller of synchronize_rcu() until its next call', [5000, 100_000]),
  rcuLearnHoldNs: step('leaf lock held to learn of a grace period', 50),
  rcuAccelHoldNs: step('added to that, and to a report, with callbacks on the CPU', 80),
  rcuReportHoldNs: step('leaf lock held to report a quiescent state', 40),
  rcuQsLockNs: step('rcu_core() with nothing to learn', 80),
  rcuBatchNs: step('rcu_do_batch() without its callbacks', 400),
  rcuCbNs: step('each callback, its function not included', 150),
  rcuGpInitNs: step('rcu_gp_init() without its nodes', 800),
  rcuNodeNs: step('each rcu_node in rcu_gp_init() and in rcu_gp_cleanup()', 60),
  rcuScanNs: step('scan for idle CPUs (force_qs_rnp()) without its CPUs', 250),
  rcuScanCpuNs: step('each CPU in such a scan that owes a quiescent state', 90),
  rcuCleanupNs: step('rcu_gp_cleanup() without its nodes: half before the end, half after', 900),
  rcuGpRestartNs: total('end of a grace period until the start of the next, requested one', [5000, 50_000]),
  expCallNs: step('synchronize_rcu_expedited() until its worker is queued', 400),
  expBaseNs: step('expedited grace period without its CPUs', 100),
  expCpuNs: step('each CPU that it selects; half with several leaves', 90),
  expParWakeNs: step('with several leaves: from the wake-up of a worker to its selection, at least', 3500),
  expIpiNs: {
    meaning: 'each interrupt that it sends, one after the other',
    unit: 'ns',
    plain: 0,
    virtual: 1100,
    typical: [300, 1000],
  },
  expIpiHandlerNs: {
    meaning: 'its handler, on all CPUs at once',
    unit: 'ns',
    plain: 0,
    virtual: 1200,
    typical: [2000, 8000],
  },
  expEndNs: step('end of an expedited grace period, without the wake-ups', 150),
  expSleepNs: step(
    'added where a caller of synchronize_rcu_expedited() really slept: 6.2 us without preemption against 5.0',
    1200,
  ),
  windowNs: {
    meaning:
      'virtual-1gips: execution windows of its CPUs, 1000 or 100 ns; chooses expIpiNs, expIpiHandlerNs (100: both 200)',
    unit: 'habit',
    plain: 1000,
    virtual: 1000,
    typical: 1000,
  },
  sharedLlc: {
    meaning: 'CPUs share a last-level cache: a woken task may go to any idle one',
    unit: 'habit',
    plain: true,
    virtual: false,
    typical: true,
  },
} as const;
