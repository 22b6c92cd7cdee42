/** The timeline's lanes as data, all in one pass over the log. */
import { KIND } from '../engine/core/eventKinds.ts';
import type { EventLog, EventRow } from '../engine/core/eventLog.ts';
import type { RunInfo, Track } from '../engine/core/info.ts';
import { CpuLanes } from './cpuLanes.ts';
import { DomainLanes } from './domainLanes.ts';
import type { Lane, LaneInfo, LaneKind } from './laneTypes.ts';
import { OffCpuTimes } from './offCpu.ts';
import { PassShapes } from './passChecks.ts';
import { perDomain } from './scanState.ts';

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

/** Headings of all lanes, in their fixed order: CPUs by number, then each domain's four. */
export function laneInfos(info: RunInfo): LaneInfo[] {
  const threads = info.tracks.filter((track) => track.kind === 'thread');
  return info.tracks.flatMap((track): LaneInfo[] => {
    if (track.kind === 'cpu') {
      const detail = threads.filter((thread) => thread.cpu === track.id).map((thread) => thread.name);
      return [
        { id: `cpu:${track.id}`, kind: 'cpu', track: track.id, name: track.name, detail: detail.join(', ') },
      ];
    }
    return track.kind === 'srcu' ? domainLaneInfos(track) : [];
  });
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
    return `calls:${info.tracks[row[column ?? 'a']]?.name}`;
  }
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

/** All lanes with their data, in the order of `laneInfos`. O(rows). */
export function createLanes(log: EventLog, info: RunInfo): Lane[] {
  const cpus = new CpuLanes(info);
  const shapes = new PassShapes(info.srcu);
  const off = new OffCpuTimes(info);
  const domains = perDomain(info, (track) => new DomainLanes(track, shapes, off));
  log.forEach((event, row) => {
    cpus.row(event, row);
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
  const endNs = log.length === 0 ? 0 : log.timeNs(log.length - 1);
  for (const domain of domains) domain?.finish(endNs);
  return laneInfos(info).map((lane) => {
    const domain = domains[lane.track];
    const builder = lane.kind === 'cpu' ? cpus.lanes[lane.track] : domain?.[lane.kind];
    if (builder === undefined) throw new Error(`no lane ${lane.id}`);
    return { ...lane, ...builder.finish(endNs) };
  });
}
