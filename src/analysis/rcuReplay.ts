/** Replay of Tree RCU: its state after any row, kept as rcu_state, rcu_node and rcu_data keep it. Forward only. */
import { KIND, RCU_FUNC, RCU_FUTURE, RCU_GP, TIMER_FN } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { Ticks } from '../engine/core/ticks.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import type { Geometry } from '../engine/tree/geometry.ts';
import { seqEnd } from '../engine/tree/gpSeq.ts';
import { applyCallers } from './rcuCallerReplay.ts';
import { applyExpedited } from './rcuExpReplay.ts';
import { forEachBit, hasBit, leafOf, rcuGeometry, rcuTrack } from './rcuGeometry.ts';
import {
  advanceList,
  applyListRow,
  type CallbackList,
  emptyList,
  type ListSetup,
  listOfRow,
  listSetup,
} from './rcuLists.ts';
import {
  copyColumns,
  type Mutable,
  type OpenRcuCall,
  type OpenRcuSection,
  type OpenSrCaller,
  type RcuScalars,
  type RcuSnapshot,
  type RcuTimeout,
} from './rcuSnapshot.ts';
import {
  RCU_STAGE,
  type RcuBlockedReaderAt,
  type RcuCpusAt,
  type RcuGpState,
  type RcuNodesAt,
} from './rcuStateTypes.ts';

/** SR_NORMAL_GP_WAIT_HEAD_MAX, SR_MAX_USERS_WAKE_FROM_GP. */
const SR_WAIT_HEADS = 5;
const SR_DIRECT_WAKES = 5;

/** Tree RCU while rows are applied. */
export class RcuReplay {
  readonly scalars: RcuScalars;
  readonly geometry: Geometry;
  readonly nodes: RcuNodesAt;
  readonly cpus: RcuCpusAt;
  readonly track: number;
  readonly kthread: number;
  readonly readers = new Map<number, OpenRcuSection>();
  readonly blocked = new Map<number, Mutable<RcuBlockedReaderAt>>();
  readonly calls = new Map<number, Mutable<OpenRcuCall>>();
  /** By CPU. */
  readonly lists = new Map<number, CallbackList>();
  timeout: RcuTimeout | undefined;
  srCallers: Mutable<OpenSrCaller>[];
  cookies: RcuSnapshot['cookies'][number][];
  /** synchronize_rcu() waits on the sr_normal list; the kthread frees the wait head before its own (R4.5). */
  readonly hasSrList: boolean;
  readonly #freesInKthread: boolean;
  readonly #ticks: Ticks;
  readonly #lists: ListSetup;

  constructor(snapshot: RcuSnapshot, info: RunInfo) {
    this.#ticks = new Ticks(info.config.hz, info.config.startJiffies);
    this.geometry = rcuGeometry(info);
    this.track = rcuTrack(info);
    this.kthread = info.tracks.find(({ name }) => name === 'rcu_preempt' || name === 'rcu_sched')?.id ?? -1;
    this.hasSrList = treeConstants(info.config, info.rules).wakeFromGp;
    this.#freesInKthread = info.rules['tree.srDummies'] === 'kthread';
    this.#lists = listSetup(info);
    this.scalars = { ...snapshot.scalars };
    this.timeout = snapshot.timeout;
    this.nodes = copyColumns(snapshot.nodes);
    this.cpus = copyColumns(snapshot.cpus);
    for (const list of snapshot.lists) this.lists.set(list.cpu, { ...list });
    for (const reader of snapshot.readers) this.readers.set(reader.thread, reader);
    for (const reader of snapshot.blocked) this.blocked.set(reader.thread, { ...reader });
    for (const call of snapshot.calls) this.calls.set(call.thread, { ...call });
    this.srCallers = snapshot.srCallers.map((caller) => ({ ...caller }));
    this.cookies = [...snapshot.cookies];
  }

  /** A copy of the present state. */
  snapshot(): RcuSnapshot {
    return {
      scalars: { ...this.scalars },
      timeout: this.timeout,
      nodes: copyColumns(this.nodes),
      cpus: copyColumns(this.cpus),
      lists: [...this.lists.values()].map((list) => ({ ...list })),
      readers: [...this.readers.values()],
      blocked: [...this.blocked.values()].map((reader) => ({ ...reader })),
      calls: [...this.calls.values()].map((call) => ({ ...call })),
      srCallers: this.srCallers.map((caller) => ({ ...caller })),
      cookies: [...this.cookies],
    };
  }

  /** Applies a row of any kind. */
  apply(event: EventRow, row: number): void {
    const listCpu = listOfRow(event);
    if (listCpu >= 0) {
      const list = this.#list(listCpu);
      applyListRow(list, event, row, this.#lists);
      const call = event.kind === KIND.rcu_callback ? this.calls.get(event.d) : undefined;
      if (call !== undefined && event.b === RCU_FUNC.wakeme_after_rcu) {
        call.cpu = listCpu;
        call.place = list.queued - 1;
      }
      return;
    }
    switch (event.kind) {
      case KIND.rcu_grace_period:
        this.#gracePeriod(event, row);
        break;
      case KIND.rcu_future_grace_period:
        this.#future(event, row);
        break;
      case KIND.rcu_grace_period_init:
        this.#init(event, row);
        break;
      case KIND.rcu_quiescent_state_report:
        this.#report(event, row);
        break;
      case KIND.rcu_fqs:
        this.#stage(event.b, RCU_STAGE.found, event.timeNs, row);
        break;
      case KIND.rcu_preempt_task:
        this.#preempted(event, row);
        break;
      case KIND.rcu_unlock_preempted_task:
        this.#unlocked(event);
        break;
      case KIND.rcu_watching:
        this.cpus.watching[event.track] = event.a;
        break;
      case KIND.timer_start:
        if (event.a !== TIMER_FN.process_timeout || event.d !== this.kthread) break;
        this.scalars.waits++;
        this.timeout = {
          ...{ row, sinceNs: event.timeNs, number: this.scalars.waits },
          ...{ delay: event.b, jiffy: event.c },
        };
        break;
      default:
        applyCallers(this, event, row);
        applyExpedited(this, event, row);
    }
  }

  #list(cpu: number): CallbackList {
    let list = this.lists.get(cpu);
    if (list === undefined) {
      list = emptyList(cpu, this.#lists);
      this.lists.set(cpu, list);
    }
    return list;
  }

  #stage(cpu: number, stage: number, timeNs: number, row: number): void {
    const { cpus } = this;
    cpus.stage[cpu] = stage;
    cpus.stageNs[cpu] = timeNs;
    cpus.stageRow[cpu] = row;
  }

  #owes(cpu: number): boolean {
    const leaf = leafOf(this.geometry, cpu);
    const bit = cpu - (this.geometry.nodes[leaf]?.grplo ?? 0);
    return hasBit(this.nodes.qsmaskLo[leaf] ?? 0, this.nodes.qsmaskHi[leaf] ?? 0, bit);
  }

  /** The kthread is in another state. */
  #enters(state: RcuGpState, event: EventRow, row: number): void {
    const { scalars } = this;
    scalars.kthreadCpu = event.track;
    if (scalars.gpState === state) return;
    scalars.gpState = state;
    scalars.stateNs = event.timeNs;
    scalars.stateRow = row;
  }

  #gracePeriod(event: EventRow, row: number): void {
    const { scalars, cpus } = this;
    const { track: cpu, b: seq } = event;
    switch (event.a) {
      case RCU_GP.newreq:
        scalars.isRequested = true;
        break;
      case RCU_GP.start:
        this.#start(event, row);
        break;
      case RCU_GP.reqwait:
        this.#enters('WAIT_GPS', event, row);
        break;
      case RCU_GP.fqswait:
        this.#enters('WAIT_FQS', event, row);
        break;
      case RCU_GP.fqsstart:
        scalars.scans++;
        this.timeout = undefined;
        this.#enters('DOING_FQS', event, row);
        break;
      case RCU_GP.end:
        this.#end(event, row);
        break;
      case RCU_GP.cpustart:
        cpus.gpSeq[cpu] = seq;
        if (cpus.stage[cpu] === RCU_STAGE.owes || cpus.stage[cpu] === RCU_STAGE.none)
          this.#stage(cpu, this.#owes(cpu) ? RCU_STAGE.learned : RCU_STAGE.none, event.timeNs, row);
        break;
      case RCU_GP.cpuend: {
        const leafSeq = this.nodes.gpSeq[leafOf(this.geometry, cpu)] as number;
        const now = Math.max(seqEnd(seq), leafSeq);
        cpus.gpSeq[cpu] = now;
        const list = this.lists.get(cpu);
        if (list !== undefined && !list.isOffloaded) advanceList(list, now);
        break;
      }
      case RCU_GP.cpuqs:
        if (cpus.stage[cpu] === RCU_STAGE.learned) this.#stage(cpu, RCU_STAGE.noted, event.timeNs, row);
        break;
      default:
    }
  }

  #start(event: EventRow, row: number): void {
    const { scalars } = this;
    scalars.gpSeq = event.b;
    scalars.gpStartNs = event.timeNs;
    scalars.gpStartRow = row;
    scalars.gpStartJiffies = this.#ticks.jiffiesAt(event.timeNs);
    scalars.scans = 0;
    scalars.waits = 0;
    scalars.isRequested = false;
    this.timeout = undefined;
    this.cpus.stage.fill(RCU_STAGE.none);
    this.#enters('INIT', event, row);
    // R4.4: without a free wait head nobody is taken
    if (!this.srCallers.some(({ segment }) => segment === 0) || scalars.dummies >= SR_WAIT_HEADS) return;
    scalars.dummies++;
    for (const caller of this.srCallers) {
      if (caller.segment !== 0) continue;
      caller.segment = 1;
      caller.gpSeq = event.b;
    }
  }

  #end(event: EventRow, row: number): void {
    const { scalars } = this;
    this.#enters('CLEANUP', event, row);
    scalars.gpSeq = seqEnd(event.b);
    this.timeout = undefined;
    this.cpus.stage.fill(RCU_STAGE.none);
    let woken = 0;
    for (const caller of this.srCallers) {
      if (caller.segment !== 1) continue;
      caller.segment = 2;
      woken++;
    }
    // R4.5: the kthread frees the wait head before this one itself, if nothing else is left to do
    if (this.#freesInKthread && woken > 0 && woken <= SR_DIRECT_WAKES && !scalars.isWorkQueued)
      scalars.dummies = Math.min(scalars.dummies, 1);
  }

  #future(event: EventRow, row: number): void {
    const { a: what, d: node } = event;
    const { nodes } = this;
    switch (what) {
      case RCU_FUTURE.Startleaf:
        this.scalars.requestLeaf = node;
        break;
      case RCU_FUTURE.Prestarted:
      case RCU_FUTURE.Startedleaf:
      case RCU_FUTURE.Startedleafroot:
      case RCU_FUTURE.Startedroot:
        // from the leaf up to where the request stopped (R2.1)
        for (let at = this.scalars.requestLeaf; at >= 0; at = this.geometry.nodes[at]?.parent ?? -1) {
          if (what === RCU_FUTURE.Prestarted && at === node) break;
          nodes.gpSeqNeeded[at] = Math.max(nodes.gpSeqNeeded[at] as number, event.c);
          if (what === RCU_FUTURE.Startedleaf) break;
        }
        break;
      case RCU_FUTURE.Cleanup:
      case RCU_FUTURE.CleanupMore:
        this.#enters('CLEANUP', event, row);
        nodes.gpSeq[node] = event.b;
        nodes.gpSeqNeeded[node] = event.c;
        break;
      default:
    }
  }

  #init(event: EventRow, row: number): void {
    const { nodes, cpus, geometry } = this;
    const { b: node, c: lo, d: hi } = event;
    nodes.gpSeq[node] = event.a;
    nodes.qsmaskLo[node] = lo;
    nodes.qsmaskHi[node] = hi;
    nodes.initLo[node] = lo;
    nodes.initHi[node] = hi;
    if (node < geometry.firstLeaf) return;
    const first = geometry.nodes[node]?.grplo ?? 0;
    forEachBit(lo, hi, (bit) => {
      // the kthread's own CPU has learned just before
      const stage = cpus.gpSeq[first + bit] === event.a ? RCU_STAGE.learned : RCU_STAGE.owes;
      this.#stage(first + bit, stage, event.timeNs, row);
    });
  }

  #report(event: EventRow, row: number): void {
    const { nodes, cpus, geometry } = this;
    const node = event.b >> 1;
    nodes.qsmaskLo[node] = (nodes.qsmaskLo[node] as number) & ~event.c;
    nodes.qsmaskHi[node] = (nodes.qsmaskHi[node] as number) & ~event.d;
    if (node < geometry.firstLeaf) return;
    const first = geometry.nodes[node]?.grplo ?? 0;
    forEachBit(event.c, event.d, (bit) => {
      const cpu = first + bit;
      if (cpus.stage[cpu] !== RCU_STAGE.found) this.#stage(cpu, RCU_STAGE.reported, event.timeNs, row);
    });
  }

  #preempted(event: EventRow, row: number): void {
    const { nodes } = this;
    const leaf = leafOf(this.geometry, event.track);
    const blocksNormal = (event.c & 1) === 1;
    const blocksExpedited = (event.c & 2) === 2;
    this.blocked.set(event.b, {
      ...{ thread: event.b, cpu: event.track, leaf, sinceNs: event.timeNs, row },
      ...{ blocksNormal, blocksExpedited },
    });
    if (blocksNormal) nodes.gpTasks[leaf] = (nodes.gpTasks[leaf] as number) + 1;
    if (blocksExpedited) nodes.expTasks[leaf] = (nodes.expTasks[leaf] as number) + 1;
  }

  #unlocked(event: EventRow): void {
    const { nodes } = this;
    const reader = this.blocked.get(event.b);
    if (reader === undefined) return;
    const { leaf } = reader;
    if (event.c === 1) {
      if (!reader.blocksNormal) nodes.gpTasks[leaf] = (nodes.gpTasks[leaf] as number) + 1;
      reader.blocksNormal = true;
      return;
    }
    this.blocked.delete(event.b);
    if (reader.blocksNormal) nodes.gpTasks[leaf] = (nodes.gpTasks[leaf] as number) - 1;
    if (reader.blocksExpedited) nodes.expTasks[leaf] = (nodes.expTasks[leaf] as number) - 1;
  }
}
