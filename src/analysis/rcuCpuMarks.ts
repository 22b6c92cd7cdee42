/** What Tree RCU does on CPUs, on their lanes: learn, note, report, interrupts between CPUs, rcu_core(). */
import { KIND, RCU_GP } from '../engine/core/eventKinds.ts';
import type { EventRow } from '../engine/core/rows.ts';
import type { Geometry } from '../engine/tree/geometry.ts';
import type { LaneBuilder } from './laneBuilder.ts';
import { MARK_CLASS, SPAN_CLASS } from './laneTypes.ts';
import { forEachBit } from './rcuGeometry.ts';

/** rcu_core() under way on a CPU: its span, and whose callbacks it invokes (-1: none yet). */
interface Core {
  handle: number;
  isBatch: boolean;
}

/** Puts marks and spans on the CPUs' lanes row by row. */
export class RcuCpuMarks {
  readonly #lanes: readonly LaneBuilder[];
  readonly #geometry: Geometry;
  readonly #cores = new Map<number, Core>();
  /** The newest rcu_fqs row: the report that follows from it is no report of the CPU itself. */
  #scanRow = -1;

  constructor(lanes: readonly LaneBuilder[], geometry: Geometry) {
    this.#lanes = lanes;
    this.#geometry = geometry;
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    const { track: cpu, timeNs } = event;
    const mark = (cls: number, onCpu = cpu) => this.#lanes[onCpu]?.mark(timeNs, cls, row);
    switch (event.kind) {
      case KIND.rcu_grace_period:
        if (event.a === RCU_GP.cpustart) mark(MARK_CLASS.rcuLearn);
        else if (event.a === RCU_GP.cpuqs) mark(MARK_CLASS.rcuNote);
        break;
      case KIND.rcu_fqs:
        this.#scanRow = row;
        mark(MARK_CLASS.rcuFound, event.b);
        break;
      case KIND.rcu_quiescent_state_report:
        if (event.cause !== this.#scanRow || row === 0) this.#report(event.b >> 1, event.c, event.d, mark);
        break;
      case KIND.rcu_exp_report:
        this.#report(event.b >> 1, event.c, event.d, mark);
        break;
      case KIND.rcu_preempt_task:
        mark(MARK_CLASS.preempted);
        break;
      case KIND.rcu_stall_warning:
        mark(MARK_CLASS.stall);
        break;
      case KIND.rcu_exp_ipi:
        mark(MARK_CLASS.ipiSent);
        break;
      case KIND.rcu_exp_handler:
        mark(MARK_CLASS.ipi);
        break;
      case KIND.rcu_utilization:
      case KIND.rcu_batch_start:
      case KIND.rcu_batch_end:
        this.#core(event, row);
        break;
      default:
    }
  }

  /** CPUs that a report at a leaf is about. */
  #report(node: number, lo: number, hi: number, mark: (cls: number, cpu: number) => void): void {
    const { nodes, firstLeaf } = this.#geometry;
    if (node < firstLeaf) return;
    const first = nodes[node]?.grplo ?? 0;
    forEachBit(lo, hi, (bit) => {
      mark(MARK_CLASS.rcuReport, first + bit);
    });
  }

  /** Below what runs on the CPU: rcu_core(), from when on it invokes callbacks. A kthread's batch is the kthread's. */
  #core(event: EventRow, row: number): void {
    const { track: cpu, timeNs } = event;
    const lane = this.#lanes[cpu];
    const core = this.#cores.get(cpu);
    if (lane === undefined) return;
    if (event.kind === KIND.rcu_utilization) {
      if (core !== undefined) lane.close(core.handle, timeNs);
      this.#cores.delete(cpu);
      if (event.a !== 0) return;
      const span = { cls: SPAN_CLASS.rcuCore, row, track: cpu, value: 0 };
      this.#cores.set(cpu, { handle: lane.open(timeNs, span, 1), isBatch: false });
      return;
    }
    if (core === undefined || core.isBatch === (event.kind === KIND.rcu_batch_start)) return;
    lane.close(core.handle, timeNs);
    core.isBatch = event.kind === KIND.rcu_batch_start;
    const cls = core.isBatch ? SPAN_CLASS.rcuBatch : SPAN_CLASS.rcuCore;
    core.handle = lane.open(timeNs, { cls, row, track: event.c, value: core.isBatch ? event.a : 0 }, 1);
  }
}
