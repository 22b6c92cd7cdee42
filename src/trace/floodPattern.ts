/**
 * A flood of kfree_rcu() as patterns of text: what became of each batch, and what each run of the monitor did after what
 * had happened on its pool before (docs/model/measurements.md, "Traces"). How many blocks a batch has, whether the first is
 * full, which CPU frees them and how far apart things are is left free.
 */
import type { FloodRow } from './floodRows.ts';

/** What a flood shows. */
export interface FloodPatterns {
  /**
   * A text for each batch that was seen from its attach to the end of its work,
   * "monitor attach | start end start | callback | work: blocks head": who attached it; starts and ends of grace periods
   * until its callback; then blocks, of which only the first may be partly filled, and objects one by one. And one for each
   * run of the monitor, "monitor attach | end start | monitor: no attach": what happened on its pool before; grace periods
   * since; what it frees itself and whether it attaches. Where works are not known: "monitor attach | start end | callback",
   * and "work: blocks head" for what a worker frees in a row.
   */
  readonly texts: readonly string[];
  /** Blocks freed by each work, in the order in which they ended. */
  readonly blocks: readonly number[];
  /** Of the works with a text: those that freed on another CPU than the one that queued them. */
  readonly elsewhere: number;
}

interface Batch {
  readonly by: 'monitor' | 'barrier';
  /** "start" and "end" of grace periods between attach and callback. */
  readonly gps: string[];
  /** CPU whose pool gets the work. */
  cpu: number;
}

/** A work under way. `batch`: undefined if its attach was not seen. */
interface Work {
  readonly kind: 'monitor' | 'work';
  readonly batch: Batch | undefined;
  attaches: boolean;
  /** CPU of the first thing that it frees. */
  cpu: number;
  blocks: number;
  /** "part", "full", "head", each once in a row. */
  readonly frees: string[];
}

/** What happened last on a pool, and the grace periods since. */
interface PoolState {
  last: string;
  readonly gps: string[];
}

const UNBOUND = /^kworker\/u(\d+):/;
const BOUND = /^kworker\/(\d+):/;

/** Number of a worker's unbound pool; one for each CPU, numbered one after the other. */
function poolNumber(worker: string): number | undefined {
  const number = UNBOUND.exec(worker)?.[1];
  return number === undefined ? undefined : Number(number);
}

/** Reads rows one after the other. `hasWorks`: works begin and end in them; else they follow from what is freed in a row. */
class FloodReader {
  readonly #texts: string[] = [];
  readonly #blocks: number[] = [];
  #elsewhere = 0;
  readonly #hasWorks: boolean;
  /** Records of a full block. */
  readonly #records: number;
  readonly #firstPool: number;
  /** By CPU of the callback list: batches that wait, oldest first. */
  readonly #waiting = new Map<number, Batch[]>();
  /** By CPU of the pool: batches whose work is queued. */
  readonly #queued = new Map<number, Batch[]>();
  /** By worker. */
  readonly #works = new Map<string, Work>();
  readonly #pools = new Map<number, PoolState>();

  constructor(rows: readonly FloodRow[], hasWorks: boolean) {
    this.#hasWorks = hasWorks;
    const bulks = rows.flatMap((row) => (row.step === 'bulk' ? [row.objects] : []));
    this.#records = bulks.reduce((most, n) => Math.max(most, n), 0);
    const pools = rows.flatMap((row) => ('worker' in row ? [poolNumber(row.worker) ?? Infinity] : []));
    this.#firstPool = pools.reduce((least, n) => Math.min(least, n), Infinity);
  }

  /** CPU of a worker's pool. */
  #poolOf(worker: string): number {
    const pool = poolNumber(worker);
    return pool === undefined ? Number(BOUND.exec(worker)?.[1] ?? -1) : pool - this.#firstPool;
  }

  #happens(cpu: number, what: string): void {
    this.#pools.set(cpu, { last: what, gps: [] });
  }

  read(row: FloodRow): void {
    switch (row.step) {
      case 'gp':
        for (const { gps } of [...this.#waiting.values()].flat()) gps.push(row.word);
        for (const { gps } of this.#pools.values()) gps.push(row.word);
        return;
      case 'attach':
        this.#attach(row.cpu, row.worker);
        return;
      case 'callback':
        this.#callback(row.cpu);
        return;
      case 'monitor':
      case 'work':
        this.#begin(row.step, row.worker);
        return;
      case 'end':
        this.#end(row.worker);
        return;
      case 'bulk':
        this.#free(row.worker, row.cpu, row.objects < this.#records ? 'part' : 'full');
        return;
      case 'head':
        this.#free(row.worker, row.cpu, 'head');
        return;
    }
  }

  #attach(cpu: number, worker: string): void {
    const batches = this.#waiting.get(cpu) ?? [];
    this.#waiting.set(cpu, batches);
    batches.push({ by: worker === '' ? 'barrier' : 'monitor', gps: [], cpu });
    const work = this.#works.get(worker);
    if (work !== undefined) work.attaches = true;
  }

  /** Callbacks of one CPU are invoked in the order in which they were queued. */
  #callback(cpu: number): void {
    this.#happens(cpu, 'callback');
    const batch = this.#waiting.get(cpu)?.shift();
    if (batch === undefined) return;
    if (!this.#hasWorks) {
      this.#texts.push(batchText(batch));
      return;
    }
    const queued = this.#queued.get(cpu) ?? [];
    this.#queued.set(cpu, queued);
    batch.cpu = cpu;
    queued.push(batch);
  }

  /** Works of one pool begin in the order in which they were queued. */
  #begin(kind: 'monitor' | 'work', worker: string): void {
    const pool = this.#poolOf(worker);
    const batch = kind === 'work' ? this.#queued.get(pool)?.shift() : undefined;
    this.#open(kind, worker, batch);
    if (kind === 'work') this.#happens(pool, 'work');
  }

  #open(kind: 'monitor' | 'work', worker: string, batch: Batch | undefined): Work {
    const work: Work = { kind, batch, attaches: false, cpu: -1, blocks: 0, frees: [] };
    this.#works.set(worker, work);
    return work;
  }

  #free(worker: string, cpu: number, what: string): void {
    // Only the first block of a work may be partly filled.
    if (!this.#hasWorks && what === 'part') this.#end(worker);
    const work =
      this.#works.get(worker) ?? (this.#hasWorks ? undefined : this.#open('work', worker, undefined));
    if (work === undefined) return;
    if (work.cpu < 0) work.cpu = cpu;
    if (what !== 'head') work.blocks++;
    if (work.frees.at(-1) !== what) work.frees.push(what);
  }

  #end(worker: string): void {
    const work = this.#works.get(worker);
    if (work === undefined) return;
    this.#works.delete(worker);
    const pool = this.#poolOf(worker);
    if (work.kind === 'monitor') {
      this.#endMonitor(pool, work);
      return;
    }
    this.#happens(pool, 'work end');
    this.#blocks.push(work.blocks);
    if (!this.#hasWorks) this.#texts.push(`work: ${freesText(work.frees)}`);
    if (work.batch === undefined) return;
    if (work.cpu !== work.batch.cpu) this.#elsewhere++;
    this.#texts.push(`${batchText(work.batch)} | work: ${freesText(work.frees)}`);
  }

  /** After the last row. */
  finish(): FloodPatterns {
    if (!this.#hasWorks) for (const worker of [...this.#works.keys()]) this.#end(worker);
    return { texts: this.#texts, blocks: this.#blocks, elsewhere: this.#elsewhere };
  }

  #endMonitor(pool: number, { attaches, frees }: Work): void {
    const { last, gps } = this.#pools.get(pool) ?? { last: 'nothing before', gps: [] };
    const drains = frees.length === 0 ? '' : `${freesText(frees)} `;
    const did = attaches ? 'attach' : 'no attach';
    this.#texts.push(`${last} | ${gpsText(gps)} | monitor: ${drains}${did}`);
    this.#happens(pool, `monitor ${did}`);
  }
}

function batchText({ by, gps }: Batch): string {
  return `${by} attach | ${gpsText(gps)} | callback`;
}

const NO_GPS = 'none';

function gpsText(gps: readonly string[]): string {
  return gps.length === 0 ? NO_GPS : gps.join(' ');
}

/** "blocks head"; a partly filled block that is not the first stays visible. */
function freesText(frees: readonly string[]): string {
  return frees.join(' ').replace(/^(part full|part|full)\b/, 'blocks');
}

const BATCH = /^(\w+ attach) \| ([\w ]*) \| (callback.*)$/;
const MONITOR = /^([\w ]*) \| [\w ]* \| (monitor: .*)$/;
/** The first whole grace period, and the end of the one before. */
const WHOLE_GP = /^(end )?start end\b/;

/**
 * The pattern without grace periods beyond the one that a batch waits for, and without those between two things on a pool:
 * which CPU gets the lock first, and so learns of an end, is a matter of nanoseconds. A batch without a whole one stays so.
 */
export function withoutFurtherGps(text: string): string {
  const [, by, gps = '', rest] = BATCH.exec(text) ?? [];
  if (by !== undefined) return `${by} | ${WHOLE_GP.exec(gps)?.[0] ?? gps} | ${rest}`;
  return text.replace(MONITOR, '$1 | $2');
}

/** Do rows say where works and monitor runs begin and end? */
export function hasWorks(rows: readonly FloodRow[]): boolean {
  return rows.some(({ step }) => step === 'monitor' || step === 'work');
}

/** The patterns of rows; of those of works only where `withWorks`, as not every trace has them. */
export function floodPatterns(rows: readonly FloodRow[], withWorks: boolean): FloodPatterns {
  const reader = new FloodReader(rows, withWorks);
  for (const row of rows) {
    if (withWorks || !['monitor', 'work', 'end'].includes(row.step)) reader.read(row);
  }
  return reader.finish();
}
