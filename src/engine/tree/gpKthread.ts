/** The grace-period kthread, rcu_gp_kthread() (tree §2), as a machine of steps on its CPU. */
import { KIND, RCU_FUTURE, TIMER_FN } from '../core/eventKinds.ts';
import { PRIORITY, type Sim } from '../core/sim.ts';
import { Task } from '../core/task.ts';
import { type TimerHost, WheelTimer } from '../core/timers.ts';
import { gpKthreadCpuOf } from '../machine/initial.ts';
import { accelerate } from './callbacks.ts';
import { FqsScan } from './fqsScan.ts';
import { seqEnd, seqStart } from './gpSeq.ts';
import { refreshOverload } from './overload.ts';
import { learn, noteQs, reportSelf } from './quiescentState.ts';
import type { RcuNode } from './rcuNode.ts';
import { StallCheck } from './stallCheck.ts';
import { GP_FLAG, GP_STATE, type TreeRcu } from './treeRcu.ts';

const PHASE = {
  reqwait: 0,
  requested: 1,
  initNodes: 2,
  fqsWait: 3,
  fqsArmed: 4,
  fqsWoken: 5,
  scan: 6,
  scanned: 7,
  cleanup: 8,
  cleanupNodes: 9,
  ended: 10,
  callers: 11,
  wakeCaller: 12,
  cleaned: 13,
} as const;

/** What it comes to, step by step; between the steps its CPU time is spent. */
export class GpKthread extends Task {
  override readonly bySteps = true;
  override readonly isPinned = false;
  readonly #rcu: TreeRcu;
  readonly #timer: WheelTimer;
  readonly #scan: FqsScan;
  readonly #stall: StallCheck;
  #phase: number = PHASE.requested;
  /** Node that comes next in a walk over all of them. */
  #node = 0;
  #isFirstScan = true;
  /** A node has been asked for a grace period beyond the one that ends. */
  #needsGp = false;
  /** The wait that begins is skipped: overload (R2.13). */
  #skipsWait = false;
  /** rcuGpRestartNs, drawn for this end. */
  #restartNs: number | undefined;

  constructor(rcu: TreeRcu, host: TimerHost) {
    const { sim } = rcu;
    const cpu = gpKthreadCpuOf(sim.config);
    super(sim.addTrack('kthread', rcu.constants.isPreemptible ? 'rcu_preempt' : 'rcu_sched', -1), cpu);
    this.#rcu = rcu;
    this.#timer = new WheelTimer(
      sim,
      host,
      TIMER_FN.process_timeout,
      this.track,
      (handler) => {
        rcu.executor.wake(this, handler, true);
      },
      true,
    );
    this.#scan = new FqsScan(rcu);
    this.#stall = new StallCheck(rcu);
    host.executor.add(this, PRIORITY.kthread);
  }

  get #sim(): Sim {
    return this.#rcu.sim;
  }

  step(): void {
    switch (this.#phase) {
      case PHASE.reqwait:
        this.#waitForRequest();
        return;
      case PHASE.requested:
        this.#start();
        return;
      case PHASE.initNodes:
        this.#initNode();
        return;
      case PHASE.fqsWait:
        this.#armFqsWait();
        return;
      case PHASE.fqsArmed:
        this.#sleep();
        return;
      case PHASE.fqsWoken:
        this.#wokenInFqsWait();
        return;
      case PHASE.scan:
        this.#scanNext();
        return;
      case PHASE.scanned:
        this.#endScan();
        return;
      case PHASE.cleanup:
        this.#beginCleanup();
        return;
      case PHASE.cleanupNodes:
        this.#cleanupNode();
        return;
      case PHASE.ended:
        this.#endRest();
        return;
      case PHASE.callers:
        this.#goOnWaking();
        return;
      case PHASE.wakeCaller:
        this.#rcu.srNormal.wakeNext(this.cpu);
        this.#goOnWaking();
        return;
      default:
        this.#rcu.gpState = GP_STATE.CLEANED;
        this.#waitForRequest();
    }
  }

  /** R2.3. */
  #waitForRequest(): void {
    const rcu = this.#rcu;
    rcu.traceGp(this.cpu, 'reqwait', rcu.gpSeq);
    rcu.gpState = GP_STATE.WAIT_GPS;
    this.#phase = PHASE.requested;
    if ((rcu.gpFlags & GP_FLAG.init) === 0) this.block();
    else this.work(0);
  }

  /** rcu_gp_init() up to the walk over the nodes (R2.4). */
  #start(): void {
    const rcu = this.#rcu;
    const sim = this.#sim;
    if ((rcu.gpFlags & GP_FLAG.init) === 0) {
      rcu.traceGp(this.cpu, 'reqwaitsig', rcu.gpSeq);
      this.#waitForRequest();
      return;
    }
    rcu.gpState = GP_STATE.DONE_GPS;
    rcu.gpFlags = 0;
    rcu.gpStart = sim.jiffies;
    this.#stall.begin();
    const takesFirst = sim.rules['tree.srOrder'] === 'before-start';
    if (takesFirst) for (const observer of rcu.observers) observer.segment?.();
    rcu.gpSeq = seqStart(rcu.gpSeq);
    rcu.traceGp(this.cpu, 'start', rcu.gpSeq);
    if (!takesFirst) for (const observer of rcu.observers) observer.segment?.();
    for (const observer of rcu.observers) observer.started?.(this.cpu);
    rcu.gpState = GP_STATE.INIT;
    this.#node = 0;
    this.#phase = PHASE.initNodes;
    this.work(sim.machine.rcuGpInitNs);
  }

  /** One node of the walk in rcu_gp_init() (R2.6). */
  #initNode(): void {
    const rcu = this.#rcu;
    const sim = this.#sim;
    const node = rcu.nodes[this.#node] as RcuNode;
    const { shape } = node;
    node.lock(sim.nowNs, sim.machine.rcuNodeNs);
    if (node.blocked.length > 0) rcu.blockedReaders.gpInit(node, this.cpu, rcu.gpSeq);
    node.qsmask.copy(node.qsmaskinit);
    node.gpSeq = rcu.gpSeq;
    const own = rcu.data(this.cpu);
    if (own.leaf === node) learn(rcu, own);
    sim.emit(KIND.rcu_grace_period_init, this.cpu, rcu.gpSeq, shape.index, node.qsmask.lo, node.qsmask.hi);
    const { cause } = sim;
    if (shape.index >= rcu.geometry.firstLeaf) this.#considerTicks(node);
    sim.cause = cause;
    this.#node++;
    if (this.#node === rcu.nodes.length) this.#initDone();
    this.work(sim.machine.rcuNodeNs);
  }

  #considerTicks(leaf: RcuNode): void {
    const { ticks } = this.#rcu;
    for (let cpu = leaf.shape.grplo; cpu <= leaf.shape.grphi; cpu++) ticks.consider(this.#rcu.data(cpu));
  }

  /** rcu_gp_fqs_loop() begins (R2.7, R2.8, R2.13). */
  #initDone(): void {
    const rcu = this.#rcu;
    // without PREEMPT_RCU a reader that has this CPU too (preset plain) has not been preempted
    const isReading = !rcu.constants.isPreemptible && (rcu.executor.running(this.cpu)?.rcuNesting ?? 0) > 0;
    if (this.#sim.rules['tree.earlyReport'] === 'next' && !isReading) {
      const own = rcu.data(this.cpu);
      noteQs(rcu, own);
      reportSelf(rcu, own);
    }
    this.#isFirstScan = true;
    this.#skipsWait = rcu.cbovld;
    this.#setForceQs(rcu.constants.firstFqs);
    this.#phase = PHASE.fqsWait;
  }

  /** jiffies_force_qs: so many jiffies from now, fewer under overload (R2.13). */
  #setForceQs(jiffies: number): void {
    const rcu = this.#rcu;
    const wait = rcu.cbovld ? Math.max(1, Math.floor((jiffies + 2) / 3)) : jiffies;
    rcu.jiffiesForceQs = this.#sim.jiffies + wait;
    if (this.#skipsWait) rcu.gpFlags |= GP_FLAG.ovld;
    this.#skipsWait = false;
  }

  /** R2.8: arms the timeout, then goes to sleep. */
  #armFqsWait(): void {
    const rcu = this.#rcu;
    const sim = this.#sim;
    rcu.traceGp(this.cpu, 'fqswait', rcu.gpSeq);
    rcu.gpState = GP_STATE.WAIT_FQS;
    if (this.#mayWake()) {
      this.#phase = PHASE.fqsWoken;
      this.work(0);
      return;
    }
    this.#timer.arm(this.cpu, Math.max(0, rcu.jiffiesForceQs - sim.jiffies));
    this.#phase = PHASE.fqsArmed;
    this.work(sim.machine.armTimerNs + sim.machine.blockNs);
  }

  /** The condition of the wait (rcu_gp_fqs_check_wake()). */
  #mayWake(): boolean {
    const { gpFlags, root } = this.#rcu;
    return (gpFlags & (GP_FLAG.fqs | GP_FLAG.ovld)) !== 0 || root.isQuiet;
  }

  #sleep(): void {
    this.#phase = PHASE.fqsWoken;
    if (this.#mayWake() || !this.#timer.isPending) this.work(0);
    else this.block();
  }

  /** R2.9, R2.10. */
  #wokenInFqsWait(): void {
    const rcu = this.#rcu;
    const sim = this.#sim;
    this.#timer.cancel();
    rcu.gpState = GP_STATE.DOING_FQS;
    if (rcu.root.isQuiet) {
      this.#phase = PHASE.cleanup;
      this.work(0);
      return;
    }
    const isForced = (rcu.gpFlags & (GP_FLAG.fqs | GP_FLAG.ovld)) !== 0;
    if (!isForced && sim.jiffies < rcu.jiffiesForceQs) {
      rcu.traceGp(this.cpu, 'fqswaitsig', rcu.gpSeq);
      this.#phase = PHASE.fqsWait;
      this.work(0);
      return;
    }
    rcu.traceGp(this.cpu, 'fqsstart', rcu.gpSeq);
    rcu.gpFlags &= ~(GP_FLAG.fqs | GP_FLAG.ovld);
    rcu.nForceQs++;
    rcu.cbovld = rcu.cbovldNext;
    rcu.cbovldNext = rcu.leaves.some((leaf) => !leaf.cbovldmask.isEmpty);
    this.#scan.begin(this.#isFirstScan);
    this.#phase = PHASE.scan;
    this.work(sim.machine.rcuScanNs);
  }

  #scanNext(): void {
    const ns = this.#scan.leaf(this.cpu);
    if (ns < 0) this.#phase = PHASE.scanned;
    this.work(Math.max(0, ns));
  }

  #endScan(): void {
    const rcu = this.#rcu;
    rcu.traceGp(this.cpu, 'fqsend', rcu.gpSeq);
    this.#skipsWait = this.#isFirstScan && rcu.cbovld;
    this.#isFirstScan = false;
    this.#setForceQs(rcu.constants.nextFqs);
    this.#phase = PHASE.fqsWait;
    this.work(0);
  }

  /** rcu_gp_cleanup() (R2.22). */
  #beginCleanup(): void {
    this.#rcu.gpState = GP_STATE.CLEANUP;
    this.#stall.end();
    for (const observer of this.#rcu.observers) observer.cleanup?.(this.cpu);
    this.#node = 0;
    this.#needsGp = false;
    this.#phase = PHASE.cleanupNodes;
    this.work(Math.floor(this.#sim.machine.rcuCleanupNs / 2));
  }

  /** One node of the walk in rcu_gp_cleanup() (R2.23). */
  #cleanupNode(): void {
    const rcu = this.#rcu;
    const sim = this.#sim;
    const node = rcu.nodes[this.#node] as RcuNode;
    node.lock(sim.nowNs, sim.machine.rcuNodeNs);
    node.gpSeq = seqEnd(rcu.gpSeq);
    const own = rcu.data(this.cpu);
    if (own.leaf === node) learn(rcu, own);
    const needsMore = node.gpSeqNeeded > node.gpSeq;
    // asked while it ran, a leaf does not pass it on to the root (R2.1)
    if (needsMore) this.#needsGp = true;
    const what = needsMore ? RCU_FUTURE.CleanupMore : RCU_FUTURE.Cleanup;
    const { index } = node.shape;
    sim.emit(KIND.rcu_future_grace_period, this.cpu, what, node.gpSeq, node.gpSeqNeeded, index);
    const { cause } = sim;
    let wakeUps = 0;
    for (const observer of rcu.observers) wakeUps += observer.nodeEnded?.(node) ?? 0;
    if (index >= rcu.geometry.firstLeaf) {
      refreshOverload(rcu, node);
      this.#considerTicks(node);
    }
    sim.cause = cause;
    this.#node++;
    if (this.#node === rcu.nodes.length) this.#end();
    this.work(sim.machine.rcuNodeNs + wakeUps * sim.machine.wakeNs);
  }

  /** R2.24, R2.25. */
  #end(): void {
    const rcu = this.#rcu;
    rcu.traceGp(this.cpu, 'end', rcu.gpSeq);
    rcu.gpSeq = seqEnd(rcu.gpSeq);
    rcu.gpState = GP_STATE.IDLE;
    const own = rcu.data(this.cpu);
    let isWanted = this.#needsGp || rcu.root.gpSeqNeeded > rcu.gpSeq;
    if (!own.isOffloaded && accelerate(rcu, own, this.cpu)) isWanted = true;
    // what accelerate() asked for has set the flag and said so already
    if (isWanted && (rcu.gpFlags & GP_FLAG.init) === 0) {
      rcu.gpFlags |= GP_FLAG.init;
      rcu.traceGp(this.cpu, 'newreq', rcu.gpSeq);
    }
    this.#phase = PHASE.ended;
  }

  /** The rest of rcu_gp_cleanup(), up to the wake-ups of callers (R2.25). */
  #endRest(): void {
    const sim = this.#sim;
    const { machine } = sim;
    let wakeUps = 0;
    const { cause } = sim;
    for (const observer of this.#rcu.observers) wakeUps += observer.ended?.(this.cpu) ?? 0;
    sim.cause = cause;
    this.#restartNs = machine.rcuGpRestartNs;
    const restNs = machine.rcuCleanupNs - Math.floor(machine.rcuCleanupNs / 2);
    this.#phase = PHASE.callers;
    this.#spend(restNs + wakeUps * machine.wakeNs);
  }

  /** Wakes one caller after the other, then goes back to the loop. */
  #goOnWaking(): void {
    const { srNormal } = this.#rcu;
    if (srNormal.mayWake) {
      this.#phase = PHASE.wakeCaller;
      this.#spend(this.#sim.machine.wakeNs);
      return;
    }
    this.#phase = PHASE.cleaned;
    srNormal.woken(this.cpu);
    this.work(this.#restartNs ?? 0);
  }

  /** A step between "end" and the loop: takes time of its own only where rcuGpRestartNs does not stand for them all. */
  #spend(ns: number): void {
    this.work(this.#restartNs === undefined ? ns : 0);
  }
}
