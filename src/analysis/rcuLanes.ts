/** The lanes of Tree RCU: the grace-period kthread, expedited grace periods, callbacks, calls, leaves. */
import { usesKvfree, usesTasks } from '../engine/config.ts';
import { KIND, RCU_EXP, RCU_FUTURE, RCU_GP } from '../engine/core/eventKinds.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { treeConstants } from '../engine/tree/constants.ts';
import { GP_STEP, seqCtr } from '../engine/tree/gpSeq.ts';
import { LaneBuilder } from './laneBuilder.ts';
import { type LaneInfo, MARK_CLASS, SPAN_CLASS } from './laneTypes.ts';
import { countBits, rcuGeometry, rcuTrack } from './rcuGeometry.ts';
import { applyListRow, bypassed, type CallbackList, emptyList, listOfRow, listSetup } from './rcuLists.ts';

/** Up to so many CPUs stand one below the other; more are put behind their leaves. */
const MAX_FLAT_CPUS = 16;
const APIS_EXPEDITED: ReadonlySet<string> = new Set([
  'synchronize_rcu_expedited',
  'start_poll_synchronize_rcu_expedited',
]);

/** Can this run have expedited grace periods? */
function hasExpedited({ config, rules }: RunInfo): boolean {
  const { expedited } = treeConstants(config, rules);
  const { actors } = config;
  // their kthreads call synchronize_rcu() themselves
  if (expedited && (usesTasks(actors) || usesKvfree(actors))) return true;
  return actors.some(
    (actor) =>
      actor.kind === 'updater' &&
      (APIS_EXPEDITED.has(actor.api) || (expedited && actor.api === 'synchronize_rcu')),
  );
}

/** Headings of the lanes of the flavor; none in runs without it. */
export function rcuLaneInfos(info: RunInfo): LaneInfo[] {
  const track = rcuTrack(info);
  if (track < 0) return [];
  const { isPreemptible } = treeConstants(info.config, info.rules);
  const lanes: LaneInfo[] = [
    {
      id: 'gp:rcu',
      kind: 'gp',
      track,
      name: isPreemptible ? 'rcu_preempt' : 'rcu_sched',
      detail: 'gp kthread',
    },
  ];
  if (hasExpedited(info)) lanes.push({ id: 'exp:rcu', kind: 'exp', track, name: 'expedited', detail: 'rcu' });
  lanes.push({ id: 'callbacks:rcu', kind: 'callbacks', track, name: 'callbacks', detail: 'rcu' });
  lanes.push({ id: 'calls:rcu', kind: 'calls', track, name: 'calls', detail: 'rcu' });
  return lanes;
}

/** Headings of the leaves of a large machine, by the first CPU of each; none elsewhere. */
export function leafLaneInfos(info: RunInfo): ReadonlyMap<number, LaneInfo> {
  const result = new Map<number, LaneInfo>();
  if (rcuTrack(info) < 0 || info.config.cpus <= MAX_FLAT_CPUS) return result;
  const { nodes, firstLeaf } = rcuGeometry(info);
  for (const { index, grplo, grphi } of nodes.slice(firstLeaf)) {
    const name = grplo === grphi ? `CPU ${grplo}` : `CPUs ${grplo}–${grphi}`;
    const detail = 'CPUs that owe a quiescent state';
    result.set(grplo, { id: `leaf:${index}`, kind: 'leaf', track: grplo, name, detail });
  }
  return result;
}

/** Builds them row by row. */
export class RcuLanes {
  readonly gp = new LaneBuilder();
  readonly exp = new LaneBuilder();
  readonly callbacks = new LaneBuilder();
  /** By node. */
  readonly leaves: ReadonlyMap<number, LaneBuilder>;
  readonly #track: number;
  readonly #setup: ReturnType<typeof listSetup>;
  readonly #children: readonly number[];
  /** By node: the CPUs that owe (bits), the open span. */
  readonly #owedLo: Uint32Array;
  readonly #owedHi: Uint32Array;
  readonly #owedSpan: Int32Array;
  #phase = -1;
  #number = 0;
  #expPhase = -1;
  #expNumber = 0;
  readonly #lists = new Map<number, CallbackList>();
  /** Callbacks in all lists that wait, that are ready; open spans. */
  #waiting = 0;
  #ready = 0;
  #waitSpan = -1;
  #readySpan = -1;
  readonly #batches = new Map<number, number>();

  constructor(info: RunInfo) {
    const { nodes } = rcuGeometry(info);
    this.#track = rcuTrack(info);
    this.#setup = listSetup(info);
    this.#children = nodes.map(({ children }) => children);
    this.#owedLo = new Uint32Array(nodes.length);
    this.#owedHi = new Uint32Array(nodes.length);
    this.#owedSpan = new Int32Array(nodes.length).fill(-1);
    const leaves = [...leafLaneInfos(info).values()];
    this.leaves = new Map(leaves.map(({ id }) => [Number(id.slice('leaf:'.length)), new LaneBuilder()]));
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    const cpu = listOfRow(event);
    if (cpu >= 0) {
      this.#list(cpu, event, row);
      return;
    }
    switch (event.kind) {
      case KIND.rcu_grace_period:
        this.#gracePeriod(event, row);
        break;
      case KIND.rcu_future_grace_period:
        if (event.a === RCU_FUTURE.Cleanup || event.a === RCU_FUTURE.CleanupMore)
          if (event.d === 0) this.#enter(SPAN_CLASS.gpCleanup, event.timeNs, row);
        break;
      case KIND.rcu_grace_period_init:
        this.#owed(event.b, event.c, event.d, event.timeNs, row);
        break;
      case KIND.rcu_quiescent_state_report: {
        const node = event.b >> 1;
        const lo = (this.#owedLo[node] as number) & ~event.c;
        this.#owed(node, lo, (this.#owedHi[node] as number) & ~event.d, event.timeNs, row);
        break;
      }
      case KIND.rcu_exp_grace_period:
        this.#expedited(event, row);
        break;
      default:
    }
  }

  /** The kthread begins something else; -1: it waits for a request. */
  #enter(cls: number, timeNs: number, row: number): void {
    if (this.#phase >= 0) this.gp.close(this.#phase, timeNs);
    const span = { cls, row, track: this.#track, value: this.#number };
    this.#phase = cls < 0 ? -1 : this.gp.open(timeNs, span);
  }

  #gracePeriod(event: EventRow, row: number): void {
    const { timeNs, b: seq } = event;
    switch (event.a) {
      case RCU_GP.newreq:
        this.gp.mark(timeNs, MARK_CLASS.request, row);
        // the number that it will have
        if (this.#phase >= 0) break;
        this.#number = seqCtr(seq);
        this.#enter(SPAN_CLASS.gpRequested, timeNs, row);
        break;
      case RCU_GP.start:
        this.#number = seqCtr(seq);
        this.#enter(SPAN_CLASS.gpInit, timeNs, row);
        break;
      case RCU_GP.fqswait:
        this.#enter(SPAN_CLASS.gpFqsWait, timeNs, row);
        break;
      case RCU_GP.fqsstart:
        this.#enter(SPAN_CLASS.gpFqsScan, timeNs, row);
        break;
      // rcu_gp_cleanup() goes on behind "end": wake-ups of callers (R2.25)
      case RCU_GP.reqwait:
        this.#enter(-1, timeNs, row);
        break;
      default:
    }
  }

  #expedited(event: EventRow, row: number): void {
    const { timeNs } = event;
    const enter = (cls: number) => {
      if (this.#expPhase >= 0) this.exp.close(this.#expPhase, timeNs);
      const span = { cls, row, track: this.#track, value: this.#expNumber };
      this.#expPhase = cls < 0 ? -1 : this.exp.open(timeNs, span);
    };
    switch (event.a) {
      case RCU_EXP.snap:
        this.exp.mark(timeNs, MARK_CLASS.request, row);
        break;
      case RCU_EXP.start:
        this.#expNumber = event.b / GP_STEP - 1;
        enter(SPAN_CLASS.expSelect);
        break;
      case RCU_EXP.startwait:
        enter(SPAN_CLASS.expWait);
        break;
      case RCU_EXP.end:
        enter(SPAN_CLASS.expWake);
        break;
      case RCU_EXP.endwake:
        // the next one may have begun: wake-ups overlap it (R5.2)
        if (event.b === (this.#expNumber + 1) * GP_STEP) enter(-1);
        break;
      default:
    }
  }

  #owed(node: number, lo: number, hi: number, timeNs: number, row: number): void {
    this.#owedLo[node] = lo;
    this.#owedHi[node] = hi;
    const lane = this.leaves.get(node);
    if (lane === undefined) return;
    const owed = countBits(lo, hi);
    const open = this.#owedSpan[node] as number;
    if (owed === 0) {
      if (open >= 0) lane.close(open, timeNs);
      this.#owedSpan[node] = -1;
      return;
    }
    const quarter = Math.ceil((4 * owed) / (this.#children[node] as number));
    const cls = SPAN_CLASS.owedQuarter + quarter - 1;
    this.#owedSpan[node] = lane.change(open, timeNs, { cls, row, track: this.#track, value: owed });
  }

  #list(cpu: number, event: EventRow, row: number): void {
    const { timeNs } = event;
    let list = this.#lists.get(cpu);
    if (list === undefined) {
      list = emptyList(cpu, this.#setup);
      this.#lists.set(cpu, list);
    }
    const waited = list.wait + list.nextReady + list.next + bypassed(list);
    const wasReady = list.done;
    applyListRow(list, event, row, this.#setup);
    this.#waiting += list.wait + list.nextReady + list.next + bypassed(list) - waited;
    this.#ready += list.done - wasReady;
    this.#waitSpan = this.#while(this.#waiting, this.#waitSpan, SPAN_CLASS.cbWait, timeNs, row);
    this.#readySpan = this.#while(this.#ready, this.#readySpan, SPAN_CLASS.cbDelay, timeNs, row);
    if (event.kind === KIND.rcu_callback) this.callbacks.mark(timeNs, MARK_CLASS.cbQueued, row);
    if (event.kind === KIND.rcu_invoke_callback) this.callbacks.mark(timeNs, MARK_CLASS.cbInvoked, row);
    if (event.kind === KIND.rcu_batch_start) {
      const span = { cls: SPAN_CLASS.callback, row, track: cpu, value: event.a };
      this.#batches.set(cpu, this.callbacks.open(timeNs, span));
    } else if (event.kind === KIND.rcu_batch_end) {
      const batch = this.#batches.get(cpu);
      if (batch !== undefined) this.callbacks.close(batch, timeNs);
      this.#batches.delete(cpu);
    }
  }

  /** A span for as long as there are some. */
  #while(count: number, open: number, cls: number, timeNs: number, row: number): number {
    if (count > 0 && open < 0)
      return this.callbacks.open(timeNs, { cls, row, track: this.#track, value: count });
    if (count > 0 || open < 0) return open;
    this.callbacks.close(open, timeNs);
    return -1;
  }
}
