/** What srcu_gp_seq, srcu_idx and the counters of one domain say, as far as it takes to know who is waited for. */
import type { RunInfo } from '../engine/core/info.ts';

/** State bits of srcu_gp_seq. */
export const SCAN = { idle: 0, scan1: 1, scan2: 2 } as const;

/** One domain's grace-period state and its sums of readers, fed row by row. */
export class ScanState {
  /** Full srcu_gp_seq. */
  seq = 0;
  /** Full srcu_idx. */
  idx = 0;
  /** Sections open on index 0 and 1; `own`: those of update-side calls among them (spec srcu 5.6). */
  readonly active: [number, number] = [0, 0];
  readonly own: [number, number] = [0, 0];

  /** 0 idle, 1 SCAN1, 2 SCAN2. */
  get phase(): number {
    return this.seq & 3;
  }

  /** The index that both scans of this moment look at (spec srcu 2.5): the one that new readers do not take. */
  get scanned(): 0 | 1 {
    return (this.idx & 1) === 0 ? 1 : 0;
  }

  /** srcu_gp_seq at the end of the running (or, when idle, the next) grace period. */
  get endSeq(): number {
    return this.seq - (this.seq & 3) + 4;
  }

  start(seq: number): void {
    this.seq = seq;
  }

  flip(idx: number): void {
    this.idx = idx;
    this.seq = this.seq - (this.seq & 3) + SCAN.scan2;
  }

  end(seq: number): void {
    this.seq = seq;
  }

  /** A section opens (change 1) or closes (-1). */
  count(idx: number, change: 1 | -1, own: boolean): void {
    const slot = idx === 0 ? 0 : 1;
    this.active[slot] += change;
    if (own) this.own[slot] += change;
  }
}

/** Tracks of domains, in track order. */
export function domainTracks(info: RunInfo): number[] {
  return info.tracks.filter((track) => track.kind === 'srcu').map((track) => track.id);
}

/** One `make(track)` per domain, at the domain's track id. */
export function perDomain<T>(info: RunInfo, make: (track: number) => T): (T | undefined)[] {
  const result: (T | undefined)[] = info.tracks.map(() => undefined);
  for (const track of domainTracks(info)) result[track] = make(track);
  return result;
}

/** Worker track of each CPU; -1 where there is none. */
export function workerOfCpu(info: RunInfo): Int32Array {
  const result = new Int32Array(info.config.cpus).fill(-1);
  for (const track of info.tracks) if (track.kind === 'worker') result[track.cpu] = track.id;
  return result;
}
