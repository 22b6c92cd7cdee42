/** kvfree_rcu() on the timeline: for each CPU that queues, blocks that fill and what batches do; memory over time. */
import { KIND, KVFREE_CHANNEL, WORK_FN } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import type { MemorySeries } from './kvfreeMemory.ts';
import { lastObjectNs } from './kvfreeTypes.ts';
import { LaneBuilder } from './laneBuilder.ts';
import {
  krcLaneId,
  type LaneChart,
  type LaneInfo,
  MARK_CLASS,
  SPAN_CLASS,
  type UnitObjects,
} from './laneTypes.ts';
import type { RunIndex } from './types.ts';

/** Headings: memory, then the CPUs whose threads queue objects. They follow from the configuration. */
export function kvfreeLaneInfos({ config, tracks }: RunInfo): LaneInfo[] {
  const cpus = new Set<number>();
  for (const actor of config.actors) {
    if (actor.kind !== 'kfree') continue;
    for (let number = 0; number < Math.min(actor.count, config.cpus); number++)
      cpus.add((actor.cpu + number) % config.cpus);
  }
  if (cpus.size === 0) return [];
  const track = tracks.find(({ kind }) => kind === 'rcu')?.id ?? 0;
  const memory: LaneInfo = { id: 'memory', kind: 'memory', track, name: 'memory', detail: 'kvfree_rcu' };
  const krcs = [...cpus].sort((x, y) => x - y);
  return [
    memory,
    ...krcs.map((cpu): LaneInfo => {
      return { id: krcLaneId(cpu), kind: 'kfree', track, name: `krc ${cpu}`, detail: 'blocks, batches' };
    }),
  ];
}

/** Builds the lanes of all CPUs row by row. */
export class KvfreeLanes {
  /** By CPU. */
  readonly #lanes = new Map<number, LaneBuilder>();
  /** Spans of units that are open, of batches that wait and that are freed, by their numbers. */
  readonly #units = new Map<number, number>();
  readonly #waits = new Map<number, number>();
  readonly #frees = new Map<number, number>();
  /** By CPU: the span in which the monitor frees. */
  readonly #drains = new Map<number, number>();

  /** The lane of a CPU. */
  lane(cpu: number): LaneBuilder {
    let lane = this.#lanes.get(cpu);
    if (lane === undefined) {
      lane = new LaneBuilder();
      this.#lanes.set(cpu, lane);
    }
    return lane;
  }

  /** Takes a row of any kind. */
  row(event: EventRow, row: number): void {
    const { track: cpu, timeNs, a, b, c } = event;
    switch (event.kind) {
      case KIND.kvfree_unit_open: {
        const cls = b === KVFREE_CHANNEL.head ? SPAN_CLASS.kfreeHead : SPAN_CLASS.kfreeFill;
        this.#units.set(a, this.lane(cpu).open(timeNs, { cls, row, track: c, value: a }));
        break;
      }
      case KIND.kvfree_unit_close:
        this.#close(cpu, this.#units, a, timeNs);
        break;
      case KIND.kvfree_attach: {
        if (this.#waits.has(c)) break;
        const span = { cls: SPAN_CLASS.kfreeWait, row, track: cpu, value: c };
        this.#waits.set(c, this.lane(cpu).open(timeNs, span, 1));
        break;
      }
      case KIND.kvfree_drain_ready: {
        const span = { cls: SPAN_CLASS.kfreeFree, row, track: cpu, value: -1 };
        this.#drains.set(cpu, this.lane(cpu).open(timeNs, span, 1));
        break;
      }
      case KIND.workqueue_execute_start:
      case KIND.workqueue_execute_end:
        this.#work(event, row);
        break;
      default:
    }
  }

  #close(cpu: number, spans: Map<number, number>, key: number, timeNs: number): void {
    const handle = spans.get(key);
    if (handle !== undefined) this.lane(cpu).close(handle, timeNs);
    spans.delete(key);
  }

  #work({ kind, track: worker, a: fn, b: cpu, c: batch, timeNs }: EventRow, row: number): void {
    const isStart = kind === KIND.workqueue_execute_start;
    if (fn === WORK_FN.kfree_rcu_monitor) {
      if (isStart) this.lane(cpu).mark(timeNs, MARK_CLASS.kfreeMonitor, row);
      else this.#close(cpu, this.#drains, cpu, timeNs);
    } else if (fn === WORK_FN.kfree_rcu_work) {
      if (!isStart) {
        this.#close(cpu, this.#frees, batch, timeNs);
        return;
      }
      this.#close(cpu, this.#waits, batch, timeNs);
      const span = { cls: SPAN_CLASS.kfreeFree, row, track: worker, value: batch };
      this.#frees.set(batch, this.lane(cpu).open(timeNs, span, 1));
    }
  }
}

/** Lane.unitOf of a run. */
export function unitClosedAt(
  log: EventLog,
  { kvfree }: RunIndex,
  unit: number,
  closeNs: number,
): UnitObjects | undefined {
  const closed = kvfree?.units.closeRow[unit] ?? -1;
  if (kvfree === undefined || closed < 0 || log.timeNs(closed) !== closeNs) return undefined;
  return { objects: log.row(closed).b, lastNs: lastObjectNs(log, kvfree, unit) };
}

/** The chart of the memory lane. */
export function memoryChart({ timeNs, queued, blocks, waiting, freeing }: MemorySeries): LaneChart {
  const parts = [freeing, waiting, queued, blocks];
  let most = 0;
  for (let i = 0; i < timeNs.length; i++)
    most = Math.max(
      most,
      parts.reduce((sum, part) => sum + (part[i] as number), 0),
    );
  return { timeNs, parts, most };
}
