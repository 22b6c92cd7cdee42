/** process_srcu(): the grace-period work of a domain, one pass after the other (spec srcu 2.4 to 2.6, 3.2). */
import { KIND, TIMER_FN, WORK_FN } from '../core/eventKinds.ts';
import { PASS_OUTCOME, passShape } from '../core/passCode.ts';
import type { Sim } from '../core/sim.ts';
import type { Executor } from '../core/task.ts';
import { type TimerHost, WheelTimer } from '../core/timers.ts';
import { type Worker, WorkItem, type Workqueue } from '../core/workqueue.ts';
import { type BurstInput, burstPasses } from './closedForm.ts';
import { passesVary } from './constants.ts';
import { ageLimitNs, getDelay, gpStart } from './delay.ts';
import { type Domain, type SrcuData, STATE } from './domain.ts';
import { type FailingPass, failingPass, passesBefore } from './failingPass.ts';
import { PassLog } from './passLog.ts';

/** What the CPU time asked for is spent on. */
const PHASE = { firstCheck: 0, retry: 1, secondScan: 2, gpEnd: 3, rest: 4, burst: 5 } as const;

/** How many passes may be taken in one go; the reference model says 0 always. */
export type BurstPlan = (input: BurstInput) => number;

/** The work item. */
export class ProcessSrcu extends WorkItem {
  readonly #domain: Domain;
  readonly #sim: Sim;
  readonly #executor: Executor;
  readonly #workqueue: Workqueue;
  readonly #timer: WheelTimer;
  readonly #plan: BurstPlan;
  readonly #passLog: PassLog;
  readonly #oncePerTry: boolean;
  readonly #passesVary: boolean;
  /** srcu_n_exp_nodelay limits a phase (3.1). */
  readonly #countsPasses: boolean;
  /** Rule srcu.cbdelay (2.6 step 1). */
  readonly #delaysByAge: boolean;
  /** Passes that find nobody are latency, not CPU time (11.2). */
  readonly #refunds: boolean;
  readonly #failingScan1: FailingPass;
  readonly #failingScan2: FailingPass;
  #phase: number = PHASE.firstCheck;
  /** The part of passLoopNs that this pass has had. */
  #firstCheckNs = 0;
  /** Local time: now, or the past while a burst is drawn apart. */
  #timeNs = 0;
  /** jiffies at the local time. */
  #jiffies = 0;
  #startNs = 0;
  #scanStart = 0;
  #checks = 0;
  #failed = 0;
  /** try_check_zero(): trycount, whether a zero delay adds a check ("once"), failed checks of this call. */
  #triesLeft = 0;
  #extra = 0;
  #failedInTry = 0;
  #delay = 0;
  #outcome: number = PASS_OUTCOME.again;
  #burstPasses = 0;

  constructor(domain: Domain, executor: Executor, workqueue: Workqueue, host: TimerHost, plan: BurstPlan) {
    super(WORK_FN.process_srcu, domain.track);
    this.#domain = domain;
    this.#sim = domain.sim;
    this.#executor = executor;
    this.#workqueue = workqueue;
    this.#plan = plan;
    this.#oncePerTry = this.#sim.rules['srcu.tryCheck'] === 'once';
    this.#passesVary = passesVary(this.#sim.config.machine);
    this.#countsPasses = this.#sim.rules['srcu.delay'] !== 'exp-only';
    this.#delaysByAge = this.#sim.rules['srcu.cbdelay'] !== 'by-exp';
    this.#refunds = this.#sim.machine.preset === 'plain' && executor.contended;
    this.#failingScan1 = failingPass(domain.constants, true, this.#oncePerTry);
    this.#failingScan2 = failingPass(domain.constants, false, this.#oncePerTry);
    this.#passLog = new PassLog(domain.sim, domain.track, plan === burstPasses);
    this.#timer = new WheelTimer(domain.sim, host, TIMER_FN.delayed_work_timer_fn, domain.track, (cpu) =>
      workqueue.queueWork(this, cpu, cpu, true),
    );
    domain.queueGp = (delay, cpu) => {
      // queue_delayed_work() of work that is pending, on its timer or on a list, has no effect
      if (this.#isPending()) return;
      if (delay > 0) this.#timer.arm(cpu, delay);
      else workqueue.queueWork(this, cpu, cpu, false);
    };
    domain.onEmptying = (idx) => {
      if (this.#phase === PHASE.burst && this.worker !== null && idx === this.#scannedIdx()) {
        executor.reconsider(this.worker);
      }
    };
  }

  #isPending(): boolean {
    return this.queued || this.#timer.isPending;
  }

  #scannedIdx(): number {
    return 1 - (this.#domain.srcuIdx % 2);
  }

  #setTime(timeNs: number): void {
    this.#timeNs = timeNs;
    this.#jiffies = this.#sim.ticks.jiffiesAt(timeNs);
  }

  begin(worker: Worker): void {
    this.#sim.cause = this.cause;
    this.#timeNs = this.#sim.nowNs;
    this.#jiffies = this.#sim.jiffies;
    this.#beginPass(worker);
  }

  step(worker: Worker): void {
    this.#timeNs = this.#sim.nowNs;
    this.#jiffies = this.#sim.jiffies;
    if (this.#phase === PHASE.burst) {
      this.#takePasses(this.#burstPasses);
      this.#beginPass(worker);
    } else this.#advance(worker);
  }

  /** 4.8: something ends the fast-forward: take the passes that are over, draw the present one apart. */
  override interrupt(worker: Worker, elapsedNs: number): boolean {
    if (this.#phase !== PHASE.burst) return false;
    const nowNs = this.#startNs + elapsedNs;
    const { passNs } = this.#shape();
    this.#takePasses(passesBefore(elapsedNs, passNs));
    this.#beginSinglePass(worker);
    while (this.#timeNs + worker.askNs < nowNs) {
      this.#setTime(this.#timeNs + worker.askNs);
      this.#advance(worker);
    }
    worker.askNs -= nowNs - this.#timeNs;
    return true;
  }

  /**
   * The run ends: of a burst under way the passes that are over are taken. `wholeInstant`: everything due at this
   * instant has happened, a pass that ends at it too.
   */
  settle(wholeInstant: boolean): void {
    if (this.#phase !== PHASE.burst) return;
    const elapsedNs = this.#sim.nowNs - this.#startNs;
    const { passNs } = this.#shape();
    this.#takePasses(wholeInstant ? Math.floor(elapsedNs / passNs) : passesBefore(elapsedNs, passNs));
  }

  #beginPass(worker: Worker): void {
    const passes = this.#planBurst(worker);
    if (passes < 2) {
      this.#beginSinglePass(worker);
      return;
    }
    this.#phase = PHASE.burst;
    this.#startNs = this.#timeNs;
    this.#burstPasses = passes;
    const { passNs } = this.#shape();
    this.#passLog.openBurst(this.#burstShape(worker.cpu), this.#domain.n, passNs);
    worker.work(passes * passNs);
  }

  #beginSinglePass(worker: Worker): void {
    const { state, constants } = this.#domain;
    this.#startNs = this.#timeNs;
    this.#scanStart = state;
    this.#checks = 0;
    this.#failed = 0;
    this.#outcome = PASS_OUTCOME.again;
    this.#phase = PHASE.firstCheck;
    // 11.1: only the first check of a pass that starts in SCAN2 is free
    this.#firstCheckNs = constants.passFirstCheckNs;
    worker.work(this.#firstCheckNs + (state === STATE.scan2 ? 0 : constants.checkNs));
  }

  #advance(worker: Worker): void {
    switch (this.#phase) {
      case PHASE.firstCheck:
        if (this.#domain.state === STATE.idle) this.#startOrLeave(worker);
        else this.#tryCheckZero(worker);
        return;
      case PHASE.secondScan:
        this.#tryCheckZero(worker);
        return;
      case PHASE.retry:
        this.#check(worker);
        return;
      case PHASE.gpEnd:
        this.#gpEnd(worker);
        return;
      default:
        this.#finish(worker);
    }
  }

  /** 2.5 step 1. */
  #startOrLeave(worker: Worker): void {
    if (this.#domain.gpSeq < this.#domain.needed) {
      gpStart(this.#domain);
      this.#tryCheckZero(worker);
    } else this.#decide(worker);
  }

  /** 3.2 try_check_zero(), up to its first check. */
  #tryCheckZero(worker: Worker): void {
    this.#triesLeft = this.#domain.state === STATE.scan1 ? 1 : 2;
    this.#failedInTry = 0;
    if (this.#oncePerTry) this.#extra = this.#zeroDelay();
    this.#check(worker);
  }

  #zeroDelay(): number {
    return getDelay(this.#domain, this.#jiffies) === 0 ? 1 : 0;
  }

  #check(worker: Worker): void {
    const domain = this.#domain;
    this.#checks++;
    if (domain.active(this.#scannedIdx()) === 0) {
      this.#found(worker);
      return;
    }
    this.#failed++;
    this.#failedInTry++;
    this.#triesLeft--;
    const extra = this.#oncePerTry ? this.#extra : this.#zeroDelay();
    if (this.#triesLeft + extra <= 0) {
      this.#decide(worker);
      return;
    }
    this.#phase = PHASE.retry;
    const { retryNs, secondRetryNs } = domain.constants;
    worker.work(this.#failedInTry === 1 ? retryNs : secondRetryNs);
  }

  /** No reader on the scanned index: flip, or end the grace period (2.5). */
  #found(worker: Worker): void {
    const domain = this.#domain;
    const sim = this.#sim;
    const idx = this.#scannedIdx();
    if (this.#failedInTry > 0 || domain.emptiedRow[idx as 0 | 1] > sim.cause) {
      sim.cause = domain.emptiedRow[idx as 0 | 1];
    }
    const { unlocks, locks } = domain;
    sim.emit(KIND.srcu_check, domain.track, idx, unlocks[idx as 0 | 1], locks[idx as 0 | 1], domain.state);
    domain.n = 0;
    if (domain.state === STATE.scan1) {
      domain.srcuIdx++;
      domain.gpSeq++;
      sim.emit(KIND.srcu_flip, domain.track, domain.srcuIdx);
      this.#phase = PHASE.secondScan;
      if (worker.work(domain.constants.checkNs)) this.#tryCheckZero(worker);
    } else {
      domain.lastGpEndNs = sim.nowNs;
      this.#phase = PHASE.gpEnd;
      if (worker.work(sim.machine.gpEndNs)) this.#gpEnd(worker);
    }
  }

  /** 2.6 srcu_gp_end(). */
  #gpEnd(worker: Worker): void {
    const domain = this.#domain;
    const sim = this.#sim;
    const wasExpedited = domain.isExpedited;
    const cbDelay = this.#callbackDelay();
    domain.gpSeq = Math.floor(domain.gpSeq / 4) * 4 + 4;
    domain.neededExp = Math.max(domain.neededExp, domain.gpSeq);
    const number = domain.gpSeq / 4;
    const row = sim.emit(KIND.srcu_gp_end, domain.track, domain.gpSeq, cbDelay, wasExpedited ? 1 : 0, number);
    for (let i = 0; i < domain.allData.length; i++) {
      const data = domain.allData[i] as SrcuData;
      const { first } = data.callbacks;
      if (first === undefined || first.target > domain.gpSeq) continue;
      sim.cause = row;
      domain.launch(data, cbDelay, worker.cpu);
    }
    sim.cause = row;
    domain.completePollers();
    this.#outcome = PASS_OUTCOME.idle;
    if (domain.gpSeq < domain.needed) {
      this.#outcome = PASS_OUTCOME.next;
      sim.cause = row;
      gpStart(domain);
      this.#workqueue.queueWork(this, worker.cpu, worker.cpu, false);
    }
    this.#decide(worker);
  }

  /** 2.6 step 1. */
  #callbackDelay(): number {
    const domain = this.#domain;
    if (this.#delaysByAge) return getDelay(domain, this.#jiffies) === 0 ? 0 : 1;
    return domain.isExpedited ? 0 : 1;
  }

  /** 2.4 steps 2 and 3. */
  #decide(worker: Worker): void {
    const domain = this.#domain;
    const { jiffyLimit, passLoopNs } = domain.constants;
    this.#delay = getDelay(domain, this.#jiffies);
    if (jiffyLimit !== Number.POSITIVE_INFINITY) this.#limitPerJiffy(jiffyLimit);
    this.#phase = PHASE.rest;
    if (worker.work(Math.max(0, passLoopNs - this.#firstCheckNs))) this.#finish(worker);
  }

  #limitPerJiffy(limit: number): void {
    const domain = this.#domain;
    if (this.#delay !== 0) {
      domain.rescheduleCount = 0;
      return;
    }
    if (domain.rescheduleJiffy === this.#jiffies) {
      domain.rescheduleCount++;
      if (domain.rescheduleCount > limit) this.#delay = 1;
    } else {
      domain.rescheduleCount = 1;
      domain.rescheduleJiffy = this.#jiffies;
    }
  }

  /** The end of the pass: log it, then 2.4 step 4. */
  #finish(worker: Worker): void {
    const domain = this.#domain;
    const sim = this.#sim;
    if (this.#refunds && this.#failed === 0) this.#executor.refund(worker, this.#timeNs - this.#startNs);
    const scanEnd = this.#outcome === PASS_OUTCOME.again ? domain.state : 0;
    const delay = this.#outcome === PASS_OUTCOME.idle ? 0 : this.#delay;
    const { cpu } = worker;
    const shape = passShape(this.#scanStart, scanEnd, this.#failed, this.#checks, delay, this.#outcome, cpu);
    this.#passLog.add(this.#startNs, shape, domain.n);
    if (!this.#isPending() && domain.gpSeq < domain.needed) {
      if (domain.state === STATE.idle) gpStart(domain);
      if (this.#delay > 0) {
        this.#timer.arm(worker.cpu, this.#delay);
      } else if (worker.hasMore) {
        this.cause = sim.cause;
        this.#workqueue.requeue(this, worker);
      } else {
        this.#beginPass(worker);
        return;
      }
    }
    this.#phase = PHASE.firstCheck;
    worker.done();
  }

  /** Length of a failing pass that starts and ends in the present scan, and when it decides. */
  #shape(): FailingPass {
    return this.#domain.state === STATE.scan1 ? this.#failingScan1 : this.#failingScan2;
  }

  #burstShape(cpu: number): number {
    const { state } = this.#domain;
    const { checks } = this.#shape();
    return passShape(state, state, checks, checks, 0, PASS_OUTCOME.again, cpu);
  }

  /** How many passes can be taken in one go from here (4.8). */
  #planBurst(worker: Worker): number {
    const domain = this.#domain;
    if (domain.state === STATE.idle || !domain.isExpedited || worker.hasMore) return 0;
    if (domain.active(this.#scannedIdx()) === 0 || this.#passesVary) return 0;
    const { ticks } = this.#sim;
    const { passNs, decisionNs, countsPerPass } = this.#shape();
    if (passNs === 0) return 0;
    const { phaseLimit, jiffyLimit } = domain.constants;
    const sameJiffy = domain.rescheduleJiffy === this.#jiffies;
    return this.#plan({
      startNs: this.#timeNs,
      passNs,
      decisionNs,
      n: domain.n,
      countsPerPass,
      phaseLimit: this.#countsPasses ? phaseLimit : Number.POSITIVE_INFINITY,
      ageNs: ageLimitNs(domain),
      leftInJiffy: sameJiffy ? jiffyLimit - domain.rescheduleCount : Math.max(jiffyLimit, 1),
      nextTickNs: ticks.nextTickNs(this.#timeNs),
    });
  }

  /** The first `passes` of a burst are over. */
  #takePasses(passes: number): void {
    const domain = this.#domain;
    const { passNs, decisionNs, countsPerPass } = this.#shape();
    this.#setTime(this.#startNs + passes * passNs);
    if (passes > 0) {
      if (this.#countsPasses) domain.n += passes * countsPerPass;
      const jiffy = this.#sim.ticks.jiffiesAt(this.#timeNs - passNs + decisionNs);
      if (domain.constants.jiffyLimit !== Number.POSITIVE_INFINITY) {
        domain.rescheduleCount = passes + (domain.rescheduleJiffy === jiffy ? domain.rescheduleCount : 0);
        domain.rescheduleJiffy = jiffy;
      }
      this.#passLog.grow(passes, domain.n);
    }
    this.#phase = PHASE.firstCheck;
  }
}
