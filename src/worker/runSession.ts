/** The newest finished run: its log and what is derived from it, made when first asked for. */
import { blame } from '../analysis/blame.ts';
import { type Checkpoints, createCheckpoints } from '../analysis/checkpoints.ts';
import { findGp, findRow } from '../analysis/cursor.ts';
import { headlineOf } from '../analysis/headline.ts';
import type { KvfreeFigures } from '../analysis/kvfreeFigures.ts';
import { type LaneSource, laneInfos } from '../analysis/lanes.ts';
import type { LaneView } from '../analysis/laneTypes.ts';
import { seriesSummary } from '../analysis/latency.ts';
import { LaneDetail } from '../analysis/lod.ts';
import { atOnce, type Pieces, readRows } from '../analysis/pieces.ts';
import { sliceRows } from '../analysis/rowWindow.ts';
import { selectionStats } from '../analysis/selection.ts';
import { tasksFigures } from '../analysis/tasksFigures.ts';
import {
  type Cursor,
  GP_FLAVOR,
  type Headline,
  type RunIndex,
  type SelectionStats,
} from '../analysis/types.ts';
import { Digest } from '../engine/core/digest.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type {
  Answers,
  Explained,
  ExplainRequest,
  FirstView,
  GpRow,
  Place,
  Request,
  RequestType,
  RowsReply,
  RowsRequest,
  RunSummary,
  Step,
  TimeRange,
  ViewRequest,
} from './protocol.ts';
import { readRun } from './readRun.ts';

const DEFAULT_ROWS = 2 ** 14;
/** Rows of one reply at most, and grace periods. */
const MAX_ROWS = 2 ** 18;
const MAX_GPS = 2 ** 14;
/** From so many lanes on the timeline asks for those that are in view (timeline/useNeededView.ts). */
const MANY_LANES = 48;

/** Answers every question about one run. Throws an Error with a message for the user on requests that make no sense. */
export class RunSession {
  /** Its rows; nobody else writes to them. */
  readonly log: EventLog;
  readonly #info: RunInfo;
  readonly #index: RunIndex;
  readonly #headline: Headline;
  readonly #checkpoints: Checkpoints;
  readonly #lanes: LaneSource;
  readonly #kvfree: KvfreeFigures | undefined;
  readonly #details = new Map<string, LaneDetail>();
  #bySlowness: Int32Array | undefined;

  /** `read`: what was read of the log before, or is read now. */
  constructor(log: EventLog, info: RunInfo, read = atOnce(readRun(log, info))) {
    this.log = log;
    this.#info = info;
    this.#index = read.index;
    this.#lanes = read.lanes;
    this.#kvfree = read.kvfree;
    this.#headline = headlineOf(this.#index);
    this.#checkpoints = createCheckpoints(log, info);
  }

  /** What a finished run says of itself; `reason`, `message` and `simulateMs` as its producer knows them. */
  summary(end: { reason: number; message?: string; simulateMs: number; indexMs: number }): RunSummary {
    const { gps, calls, figures, series, endNs, kvfree } = this.#index;
    return {
      info: this.#info,
      rows: this.log.length,
      endNs,
      ...end,
      lanes: laneInfos(this.#info),
      headline: this.#headline,
      figures,
      series: series.map(({ name, values, slept }) => seriesSummary(name, values, slept)),
      kvfree: this.#kvfree,
      tasks: tasksFigures(this.log, this.#info),
      gps: gps.length,
      calls: calls.length,
      units: kvfree?.units.length ?? 0,
    };
  }

  /** The answer to one request. */
  answer(request: Request): Answers[RequestType] {
    return atOnce(this.answerInPieces(request));
  }

  /** The same in pieces: of a long log some answers take seconds. */
  *answerInPieces(request: Request): Pieces<Answers[RequestType]> {
    switch (request.type) {
      case 'view':
        return yield* this.#viewInPieces(request.view);
      case 'rows':
        return yield* this.rowsInPieces(request.rows);
      case 'why':
        return blame(this.log, this.#index, request.target);
      case 'selection':
        return this.selection(request);
      case 'gps':
        return this.#gps(request.first, request.count, request.order ?? 'start');
      case 'step':
        return this.#step(request.from, request.step);
      case 'digest':
        return yield* this.#digest();
    }
  }

  *#digest(): Pieces<string> {
    const digest = new Digest();
    yield* readRows(this.log, (event) => {
      digest.add(event);
    });
    return digest.text;
  }

  /** A window of the lanes. */
  view(request: ViewRequest): LaneView[] {
    return atOnce(this.#viewInPieces(request));
  }

  /** The same, a lane a piece. */
  *#viewInPieces(request: ViewRequest): Pieces<LaneView[]> {
    const { t0Ns, t1Ns, widthPx, lanes } = request;
    if (!(t1Ns > t0Ns)) throw new Error(`view: t1Ns ${t1Ns} must be greater than t0Ns ${t0Ns}`);
    if (!(widthPx >= 1)) throw new Error(`view: widthPx ${widthPx} must be at least 1`);
    const wanted = lanes ?? this.#usualLanes();
    const views: LaneView[] = [];
    for (const id of wanted) {
      views.push(this.#detail(id).view(t0Ns, t1Ns, widthPx));
      yield views.length / wanted.length;
    }
    return views;
  }

  /** What is shown of a run when nobody says: thousands of CPUs are asked for as they come into view. */
  #usualLanes(): string[] {
    const all = laneInfos(this.#info);
    const isLarge = all.length > MANY_LANES && all.some(({ kind }) => kind === 'leaf');
    return all.filter(({ kind }) => !isLarge || kind !== 'cpu').map(({ id }) => id);
  }

  #detail(id: string): LaneDetail {
    let detail = this.#details.get(id);
    if (detail === undefined) {
      detail = new LaneDetail(this.#lanes(id), this.#index.endNs);
      this.#details.set(id, detail);
    }
    return detail;
  }

  /** The window that a new run opens with, a lane a piece. */
  firstView(first: FirstView): Pieces<LaneView[]> {
    return this.#viewInPieces(this.#windowOf(first));
  }

  #windowOf(first: FirstView): ViewRequest {
    if (!('fit' in first)) return first;
    const { endNs, gps } = this.#index;
    const { fit, spanNs, ...rest } = first;
    const gp = fit === 'firstSleep' ? this.#headline.firstSleepingGp : -1;
    if (gp < 0) return { t0Ns: 0, t1Ns: Math.max(1, endNs), ...rest };
    const startNs = gps.startNs[gp] as number;
    const gpEndNs = gps.endNs[gp] as number;
    const lengthNs = (Number.isNaN(gpEndNs) ? endNs : gpEndNs) - startNs;
    const widthNs = spanNs ?? lengthNs * 1.5;
    const t0Ns = Math.max(0, Math.floor(startNs - widthNs / 6));
    return { t0Ns, t1Ns: t0Ns + Math.max(1, Math.ceil(widthNs)), ...rest };
  }

  /** An explanation, or undefined where the run has nothing of the kind. */
  explain(request: ExplainRequest): Explained | undefined {
    const { gps, calls, kvfree } = this.#index;
    const target =
      typeof request === 'string' ? ({ of: 'gp', index: this.#firstGpOf(request) } as const) : request;
    const table = { gp: gps, call: calls, unit: kvfree?.units }[target.of];
    if (target.index >= (table?.length ?? 0)) return undefined;
    const gp = target.of === 'gp' ? this.#gpRow(target.index) : undefined;
    return { why: blame(this.log, this.#index, target), gp };
  }

  #firstGpOf(request: 'firstSleep' | 'firstTasks'): number {
    const { flavor } = this.#index.gps;
    const tasks = request === 'firstTasks' ? flavor.findIndex((of) => of >= GP_FLAVOR.tasks) : -1;
    return tasks >= 0 ? tasks : Math.max(0, this.#headline.firstSleepingGp);
  }

  /** Statistics of a stretch of time. */
  selection({ t0Ns, t1Ns }: TimeRange): SelectionStats {
    const workers = laneInfos(this.#info).filter(({ kind }) => kind === 'worker');
    const spans = workers.map(({ id }) => this.#detail(id).lane.spans);
    return selectionStats(this.log, this.#index, spans, t0Ns, t1Ns);
  }

  /** Rows around a place, with the checkpoint before them, which is made in pieces. */
  *rowsInPieces(request: RowsRequest): Pieces<RowsReply> {
    const cursor = this.#cursorOf(request.at);
    const half = Math.min(MAX_ROWS, Math.max(2, request.rows ?? DEFAULT_ROWS)) >> 1;
    yield* this.#checkpoints.makeUpTo(cursor.row - half);
    const checkpoint = this.#checkpoints.before(cursor.row - half);
    return { window: sliceRows(this.log, checkpoint.row, cursor.row + half), checkpoint, cursor };
  }

  #cursorOf(place: Place): Cursor {
    const last = this.log.length - 1;
    if (place === 'firstSleep')
      return this.#atRow(Math.max(Math.min(0, last), this.#headline.firstSleepingRow));
    if (place === 'firstGp') return this.#atRow(this.#firstGpRow());
    if ('row' in place) {
      if (place.row < -1 || place.row > last) throw new Error(`rows: row ${place.row} must be -1 to ${last}`);
      return this.#atRow(place.row);
    }
    if (!Number.isFinite(place.timeNs)) throw new Error(`rows: timeNs ${place.timeNs} must be a number`);
    // Log times are integers: up to and with t is before floor(t) + 1.
    return { timeNs: place.timeNs, row: this.log.lowerBound(Math.floor(place.timeNs) + 1) - 1 };
  }

  /** Where the first grace period has begun: with Tree RCU when every node has its mask, so that somebody is waited for. */
  #firstGpRow(): number {
    const { gps } = this.#index;
    if (gps.length === 0) return -1;
    const initEndNs = gps.initEndNs[0] as number;
    return Number.isNaN(initEndNs) ? (gps.startRow[0] as number) : this.log.lowerBound(initEndNs + 1) - 1;
  }

  #atRow(row: number): Cursor {
    return { row, timeNs: row < 0 ? 0 : this.log.timeNs(row) };
  }

  #step(from: Cursor, step: Step): Cursor | undefined {
    if (step.to === 'row') {
      const row = findRow(this.log, from.row, step.direction, { track: step.track, kind: step.kind });
      return row < 0 ? undefined : this.#atRow(row);
    }
    const gp = findGp(this.#index.gps, from.row, step.direction, step.domain);
    return gp < 0 ? undefined : this.#atRow(this.#index.gps.startRow[gp] as number);
  }

  /** Entries [first, first + count) of the table in an order. */
  #gps(first: number, count: number, order: 'start' | 'slowest'): GpRow[] {
    const from = Math.max(0, first);
    const to = from + Math.min(count, MAX_GPS);
    if (order === 'slowest') return [...this.#slowest.subarray(from, to)].map((index) => this.#gpRow(index));
    const length = Math.max(0, Math.min(this.#index.gps.length, to) - from);
    return Array.from({ length }, (_, i) => this.#gpRow(from + i));
  }

  /** Finished grace periods, longest first; of equal length in order of start. */
  get #slowest(): Int32Array {
    if (this.#bySlowness !== undefined) return this.#bySlowness;
    const { startNs, endNs, length } = this.#index.gps;
    const durationNs = (gp: number) => (endNs[gp] as number) - (startNs[gp] as number);
    const finished = Int32Array.from({ length }, (_, gp) => gp).filter((gp) => !Number.isNaN(endNs[gp]));
    this.#bySlowness = finished.sort((x, y) => durationNs(y) - durationNs(x) || x - y);
    return this.#bySlowness;
  }

  #gpRow(index: number): GpRow {
    const { gps } = this.#index;
    return {
      index,
      domain: gps.track[index] as number,
      number: gps.number[index] as number,
      flavor: gps.flavor[index] as number,
      scans: gps.scans[index] as number,
      startNs: gps.startNs[index] as number,
      endNs: gps.endNs[index] as number,
      startRow: gps.startRow[index] as number,
      endRow: gps.endRow[index] as number,
      expedited: gps.expedited[index] === 1,
      passes: gps.passes[index] as number,
      polls: gps.polls[index] as number,
      sleeps: gps.sleeps[index] as number,
      sleptJiffies: gps.sleptJiffies[index] as number,
      overshootNs: gps.overshootNs[index] as number,
      requesterHit: gps.requesterHit[index] === 1,
      lastReader: gps.lastReader[index] as number,
      callLatencyNs: gps.callLatencyNs[index] as number,
    };
  }
}
