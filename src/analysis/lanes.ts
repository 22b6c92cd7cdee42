/** The timeline's lanes as data, all in one pass over the log. */
import { KIND, RCU_GP } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo, Track } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { CpuLanes } from './cpuLanes.ts';
import { DomainLanes } from './domainLanes.ts';
import { KvfreeLanes, kvfreeLaneInfos, memoryChart, unitClosedAt } from './kvfreeLanes.ts';
import { type MemorySeries, memorySeries } from './kvfreeMemory.ts';
import { LaneBuilder } from './laneBuilder.ts';
import type { Lane, LaneInfo, LaneKind } from './laneTypes.ts';
import { OffCpuTimes } from './offCpu.ts';
import { PassShapes } from './passChecks.ts';
import { atOnce, type Pieces, readRows } from './pieces.ts';
import { rcuCallLane } from './rcuCallLane.ts';
import { rcuTrack } from './rcuGeometry.ts';
import { leafLaneInfos, RcuLanes, rcuLaneInfos } from './rcuLanes.ts';
import { perDomain } from './scanState.ts';
import { TasksLanes, tasksLaneInfos, tasksLaneOfRow } from './tasksLanes.ts';
import type { RunIndex } from './types.ts';

/** Kinds whose payload names the domain, and where. */
const DOMAIN_IN: ReadonlyMap<number, 'a' | 'b' | 'c' | 'd'> = new Map([
  [KIND.srcu_lock, 'a'],
  [KIND.srcu_unlock, 'a'],
  [KIND.srcu_fetch, 'a'],
  [KIND.api_call, 'c'],
  [KIND.api_return, 'd'],
  [KIND.timer_start, 'd'],
  [KIND.timer_expire_entry, 'd'],
  [KIND.workqueue_queue_work, 'b'],
  [KIND.workqueue_execute_start, 'b'],
]);

/** Kinds of Tree RCU that are not shown on the lane of their CPU. */
const RCU_LANE_OF: ReadonlyMap<number, string> = new Map([
  [KIND.rcu_grace_period_init, 'gp:rcu'],
  [KIND.rcu_exp_grace_period, 'exp:rcu'],
  [KIND.rcu_callback, 'callbacks:rcu'],
  [KIND.rcu_invoke_callback, 'callbacks:rcu'],
  [KIND.rcu_sr_normal, 'calls:rcu'],
]);

/** Kinds of kvfree_rcu() that stand on the lane of the CPU that queued the objects. */
const KFREE_KINDS: ReadonlySet<number> = new Set([
  KIND.kvfree_unit_open,
  KIND.kvfree_unit_close,
  KIND.kvfree_attach,
  KIND.kvfree_drain_ready,
  KIND.kvfree_page_cache,
]);

/**
 * Headings of all lanes, in their fixed order: CPUs by number, then what RCU Tasks, each domain, Tree RCU and
 * kvfree_rcu() have.
 */
export function laneInfos(info: RunInfo): LaneInfo[] {
  const leaves = leafLaneInfos(info);
  const detail: string[] = [];
  for (const { kind, cpu, name } of info.tracks)
    if (kind === 'thread') detail[cpu] = detail[cpu] === undefined ? name : `${detail[cpu]}, ${name}`;
  const ofTasks = info.tracks.flatMap(({ id, kind }) => (kind === 'kthread' ? tasksLaneInfos(info, id) : []));
  const others = info.tracks.flatMap((track): LaneInfo[] => {
    const { id, name } = track;
    switch (track.kind) {
      case 'cpu': {
        const leaf = leaves.get(id);
        const cpu: LaneInfo = { id: `cpu:${id}`, kind: 'cpu', track: id, name, detail: detail[id] ?? '' };
        return leaf === undefined ? [cpu] : [leaf, cpu];
      }
      case 'srcu':
        return domainLaneInfos(track);
      case 'rcu':
        return [...rcuLaneInfos(info), ...kvfreeLaneInfos(info)];
      default:
        return [];
    }
  });
  const isCpu = ({ kind }: LaneInfo) => kind === 'cpu' || kind === 'leaf';
  return [...others.filter(isCpu), ...ofTasks, ...others.filter((lane) => !isCpu(lane))];
}

function domainLaneInfos(domain: Track): LaneInfo[] {
  const lane = (kind: LaneKind, name: string, detail: string): LaneInfo => {
    return { id: `${kind}:${domain.name}`, kind, track: domain.id, name, detail };
  };
  return [
    lane('gp', domain.name, 'grace periods'),
    lane('worker', 'kworker', `process_srcu, ${domain.name}`),
    lane('callbacks', 'callbacks', domain.name),
    lane('calls', 'calls', domain.name),
  ];
}

/** The lane on which a row is to be found. */
export function laneOfRow(row: EventRow, info: RunInfo): string {
  const column = DOMAIN_IN.get(row.kind);
  const own = info.tracks[row.track];
  if (row.kind === KIND.api_call || row.kind === KIND.api_return) {
    const called = info.tracks[row[column ?? 'a']];
    return `calls:${called?.name}`;
  }
  if (KFREE_KINDS.has(row.kind)) return `kfree:${row.track}`;
  const tasksLane = tasksLaneOfRow(row);
  if (tasksLane !== undefined) return tasksLane;
  const rcuLane = RCU_LANE_OF.get(row.kind);
  if (rcuLane !== undefined) return rcuLane;
  if (row.kind === KIND.rcu_grace_period && row.a <= RCU_GP.end) return 'gp:rcu';
  if (own?.kind === 'srcu') {
    const kind: LaneKind =
      row.kind === KIND.srcu_cb_queue || row.kind === KIND.srcu_cb_invoke
        ? 'callbacks'
        : row.kind === KIND.srcu_pass || row.kind === KIND.srcu_check
          ? 'worker'
          : 'gp';
    return `${kind}:${own.name}`;
  }
  return `cpu:${Math.max(0, own?.cpu ?? row.track)}`;
}

/** All lanes of a run with their data, in the order of `laneInfos`. O(rows). */
export function createLanes(log: EventLog, index: RunIndex): Lane[] {
  const source = atOnce(readLanes(log, index, index.kvfree && memorySeries(log, index)));
  return laneInfos(index.info).map(({ id }) => source(id));
}

/** Gives a lane by its id. Throws for an id that is none. */
export type LaneSource = (id: string) => Lane;

/**
 * Reads the log once, O(rows), in pieces; a lane is put together when it is asked for, once: a machine may have thousands
 * of them. `memory`: of a run with kvfree_rcu().
 */
export function* readLanes(
  log: EventLog,
  index: RunIndex,
  memory: MemorySeries | undefined,
): Pieces<LaneSource> {
  const { info, endNs } = index;
  const rcu = rcuTrack(info) < 0 ? undefined : new RcuLanes(info);
  const kvfree = new KvfreeLanes();
  const cpus = new CpuLanes(info);
  const tasks = new TasksLanes(info, cpus.lanes);
  const shapes = new PassShapes(info.srcu);
  const off = new OffCpuTimes(info);
  const domains = perDomain(info, (track) => new DomainLanes(track, shapes, off));
  yield* readRows(log, (event, row) => {
    cpus.row(event, row);
    rcu?.row(event, row);
    kvfree.row(event, row);
    tasks.row(event, row);
    if (event.kind === KIND.sched_switch) {
      off.switched(event);
      return;
    }
    const own = domains[event.track];
    if (own !== undefined) {
      own.ownRow(event, row);
      return;
    }
    const column = DOMAIN_IN.get(event.kind);
    if (column !== undefined) domains[event[column]]?.otherRow(event, row);
  });
  for (const domain of domains) domain?.finish(endNs);
  const infos = new Map(laneInfos(info).map((lane) => [lane.id, lane]));
  return (id) => {
    const lane = infos.get(id);
    if (lane?.kind === 'calls' && domains[lane.track] === undefined)
      return { ...lane, ...rcuCallLane(log, index, lane.track) };
    const builder = lane && (tasks.lane(id) ?? builderOf(lane, cpus, domains[lane.track], rcu, kvfree));
    if (lane === undefined || builder === undefined) throw new Error(`no lane ${id}`);
    const built = { ...lane, ...builder.finish(endNs) };
    if (lane.kind === 'memory' && memory !== undefined) return { ...built, chart: memoryChart(memory) };
    if (lane.kind !== 'kfree') return built;
    return { ...built, unitOf: (unit, closeNs) => unitClosedAt(log, index, unit, closeNs) };
  };
}

function builderOf(
  { kind, id, track }: LaneInfo,
  cpus: CpuLanes,
  domain: DomainLanes | undefined,
  rcu: RcuLanes | undefined,
  kvfree: KvfreeLanes,
): LaneBuilder | undefined {
  switch (kind) {
    case 'cpu':
      return cpus.lanes[track];
    case 'leaf':
      return rcu?.leaves.get(Number(id.slice('leaf:'.length)));
    case 'exp':
      return rcu?.exp;
    case 'memory':
      return new LaneBuilder();
    case 'kfree':
      return kvfree.lane(Number(id.slice('kfree:'.length)));
    case 'gp':
    case 'callbacks':
      return (domain ?? rcu)?.[kind];
    default:
      return domain?.[kind];
  }
}
