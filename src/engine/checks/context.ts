/** What all checkers of one log share: configuration, rules, and the state that the rows so far add up to. */

import { usesTasks } from '../config.ts';
import { KIND } from '../core/eventKinds.ts';
import type { RunInfo } from '../core/info.ts';
import { Ticks } from '../core/ticks.ts';
import { offloadedCpus } from '../profiles/offload.ts';
import { Report, type Row } from './checker.ts';
import { CpuState } from './cpuState.ts';
import { DomainState } from './domainState.ts';
import { KvfreeModel } from './kvfree/kvfreeModel.ts';
import { PassModel } from './passModel.ts';
import { TasksModel } from './tasks/tasksModel.ts';
import { CallbackLists } from './tree/callbackLists.ts';
import { Cookies } from './tree/cookies.ts';
import { KthreadClock } from './tree/kthreadClock.ts';
import { RcuModel } from './tree/rcuModel.ts';

/** An update-side call under way. `api` is an index in SRCU_APIS. */
export interface CallState {
  readonly api: number;
  readonly number: number;
  readonly domain: number;
  readonly enteredNs: number;
  readonly enteredIndex: number;
}

/** State of the log being checked. */
export class CheckContext {
  readonly info: RunInfo;
  readonly ticks: Ticks;
  readonly report = new Report();
  /** What the present srcu_pass row says, and what it should say. */
  readonly pass: PassModel;
  /** Tree RCU, its callback lists, its kthread. */
  readonly rcu: RcuModel;
  readonly lists = new CallbackLists();
  readonly kthread: KthreadClock;
  readonly cookies: Cookies;
  /** kvfree_rcu(). */
  readonly kvfree: KvfreeModel;
  /** RCU Tasks. */
  readonly tasks: TasksModel;
  readonly #hasTasks: boolean;
  /** CPUs whose callbacks are offloaded. */
  readonly offloaded: ReadonlySet<number>;
  /** By thread. */
  readonly calls = new Map<number, CallState>();
  readonly #domains = new Map<number, DomainState>();
  readonly #cpus: CpuState[] = [];
  readonly #workers: ReadonlySet<number>;
  readonly #isWorker = (track: number): boolean => this.#workers.has(track);

  constructor(info: RunInfo) {
    this.info = info;
    this.ticks = new Ticks(info.config.hz, info.config.startJiffies);
    this.pass = new PassModel(this);
    this.rcu = new RcuModel(info);
    this.cookies = new Cookies(info.tracks);
    this.kvfree = new KvfreeModel(info);
    this.tasks = new TasksModel(info);
    this.#hasTasks = usesTasks(info.config.actors);
    this.kthread = new KthreadClock(info, (cpu) => this.cpu(cpu).current);
    this.offloaded = new Set(offloadedCpus(info.config));
    this.#workers = new Set(info.tracks.filter(({ kind }) => kind === 'worker').map(({ id }) => id));
  }

  /** The domain with this track. */
  domain(track: number): DomainState {
    let domain = this.#domains.get(track);
    if (domain === undefined) {
      domain = new DomainState(track, this.ticks);
      this.#domains.set(track, domain);
    }
    return domain;
  }

  /** Domains of which there was any row. */
  domains(): Iterable<DomainState> {
    return this.#domains.values();
  }

  cpu(id: number): CpuState {
    let cpu = this.#cpus[id];
    if (cpu === undefined) {
      cpu = new CpuState();
      this.#cpus[id] = cpu;
    }
    return cpu;
  }

  /** Workers of a CPU where tasks do not share CPUs: several act at once under one track, and their calls overlap. */
  isSeveral(track: number): boolean {
    return !this.info.contended && this.#workers.has(track);
  }

  /** The name of a track, for texts. */
  name(track: number): string {
    return this.info.tracks[track]?.name ?? `track ${track}`;
  }

  /** Before the checkers see the row. */
  prepare(row: Row): void {
    if (row.kind === KIND.srcu_pass) this.pass.read(row);
  }

  /** After the checkers have seen the row. */
  apply(row: Row): void {
    if (this.#hasTasks) this.tasks.apply(row);
    switch (row.kind) {
      case KIND.sched_switch:
        this.cpu(row.track).apply(row, this.#isWorker, this.info.config.machine.switchNs);
        this.kthread.apply(row);
        return;
      case KIND.srcu_fetch:
      case KIND.srcu_lock:
      case KIND.srcu_unlock:
        this.domain(row.a).applyReader(row);
        return;
      case KIND.api_call: {
        const { timeNs, index, a: api, b: number, c: domain } = row;
        this.calls.set(row.track, { api, number, domain, enteredNs: timeNs, enteredIndex: index });
        return;
      }
      case KIND.api_return:
        this.calls.delete(row.track);
        return;
      case KIND.srcu_request:
      case KIND.srcu_check:
      case KIND.srcu_cb_queue:
      case KIND.srcu_cb_invoke:
        this.domain(row.track).apply(row);
        return;
      case KIND.srcu_gp_start:
      case KIND.srcu_flip:
      case KIND.srcu_gp_end:
        this.pass.beforeStep(row);
        this.domain(row.track).apply(row);
        return;
      case KIND.srcu_pass:
        this.pass.apply();
        return;
      default:
        this.#applyRcu(row);
    }
  }

  #applyRcu(row: Row): void {
    const { kind, timeNs, track } = row;
    if (kind === KIND.rcu_batch_start || kind === KIND.rcu_batch_end)
      this.cpu(track).applyInterrupt(timeNs, kind === KIND.rcu_batch_start, this.#isWorker);
    else if (kind === KIND.rcu_exp_ipi) this.cpu(row.a).applyInterrupt(timeNs, true, this.#isWorker);
    else if (kind === KIND.rcu_exp_handler) this.cpu(track).applyInterrupt(timeNs, false, this.#isWorker);
    this.rcu.apply(row);
    this.lists.apply(row);
    this.kthread.apply(row);
    this.kvfree.apply(row);
  }
}
