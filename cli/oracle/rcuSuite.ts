/** The records of Tree RCU: fits, then every record by the medians over three seeds, then the table of rows. */
import { compared } from './compared.ts';
import { type Counts, count } from './counts.ts';
import {
  bootErrors,
  decidesBoot,
  type Fits,
  firstCallError,
  loadFits,
  medianFigures,
  RCU_GPS,
  runRecord,
  SEEDS,
  smallest,
} from './rcuFits.ts';
import {
  type Criterion,
  isInRow,
  judgeFigures,
  loadRcuRecords,
  loadRcuRows,
  type RcuRecord,
} from './rcuRecords.ts';
import { fitLines, rcuRowTable, recordLines } from './rcuTable.ts';
import type { Options, RunJobs } from './suite.ts';

/** Every CPU for one boot; or one record from the start states `rcuGps` (places in RCU_GPS). */
export type RcuJob =
  | { readonly suite: 'rcu'; readonly step: 'boot'; readonly boot: string }
  | {
      readonly suite: 'rcu';
      readonly step: 'record';
      readonly id: string;
      readonly gpKthreadCpu: number;
      readonly rcuGps: readonly number[];
    };

/** Of a boot: the errors by CPU. Of a record: what became of it from the start state that fits best. */
export type RcuResult =
  | { readonly step: 'boot'; readonly errors: readonly number[] }
  | {
      readonly step: 'record';
      readonly rcuGp: number;
      readonly met: Readonly<Record<Criterion, boolean>>;
      readonly line: string;
    };

const rows = loadRcuRows();
const files = [...new Set(rows.flatMap((row) => row.files))];
const all = files.flatMap((file) => loadRcuRecords(file).map((record) => ({ file, record })));

/** Ids of the rows. */
export const rcuRows: readonly string[] = rows.map(({ id }) => id);

/** Runs a record from each start state and takes the one that fits its first calls. */
function judge(record: RcuRecord, job: Extract<RcuJob, { step: 'record' }>): RcuResult {
  const tried = job.rcuGps.map((place) =>
    SEEDS.map((seed) => runRecord(record, seed, job.gpKthreadCpu, RCU_GPS[place] ?? 'idle')),
  );
  const best = tried.length === 1 ? 0 : smallest(tried.map((runs) => firstCallError(runs, record)));
  const figures = medianFigures(tried[best] ?? []);
  return {
    step: 'record',
    rcuGp: job.rcuGps[best] as number,
    met: judgeFigures(record, figures),
    line: compared(figures, record.measured),
  };
}

const NOTHING_MET = { strict: false, oneTick: false, mean: false };

/** Runs the candidates of a boot, or judges a record. A record that does not run meets nothing and says why. */
export function doRcuJob(job: RcuJob): RcuResult {
  if (job.step === 'boot') {
    const own = all.map(({ record }) => record).filter((record) => record.boot === job.boot);
    return { step: 'boot', errors: bootErrors(own.filter(decidesBoot)) };
  }
  const found = all.find(({ record }) => record.id === job.id);
  if (found === undefined) throw new Error(`no record ${job.id}`);
  try {
    return judge(found.record, job);
  } catch (error) {
    return { step: 'record', rcuGp: 0, met: NOTHING_MET, line: `does not run: ${(error as Error).message}` };
  }
}

/** Boots with a record that decides the CPU, of the records in question. */
async function fitBoots(records: readonly RcuRecord[], runJobs: RunJobs<RcuJob, RcuResult>) {
  const boots = [...new Set(records.map(({ boot }) => boot))].filter((boot) =>
    all.some(({ record }) => record.boot === boot && decidesBoot(record)),
  );
  const results = await runJobs(boots.map((boot): RcuJob => ({ suite: 'rcu', step: 'boot', boot })));
  return Object.fromEntries(
    boots.map((boot, i) => {
      const result = results[i];
      return [boot, result?.step === 'boot' ? smallest(result.errors) : 0];
    }),
  );
}

const ALL_GPS = RCU_GPS.map((_, place) => place);

const NO_FITS: Fits = { gpKthreadCpu: {}, rcuGp: {} };

/** Several normal callers: what RCU had under way may be chosen. */
function mayChooseGp({ callers, kind }: RcuRecord): boolean {
  return callers > 1 && !kind.startsWith('exp-');
}

/** What a run found: counts by row, and the fits that it chose or used. */
export interface RcuOutcome {
  readonly table: Record<string, Counts>;
  readonly fits: Fits;
}

/** Judges the wanted rows and prints records, fits and the table. `--check`: with the stored fits. */
export async function runRcuSuite(
  { group, check, unfitted, misses, say }: Options,
  runJobs: RunJobs<RcuJob, RcuResult>,
): Promise<RcuOutcome> {
  const wanted = rows.filter(({ id }) => group === undefined || id === group);
  const chosen = all.filter(({ file, record }) => wanted.some((row) => isInRow(row, file, record)));
  const stored = unfitted ? NO_FITS : check ? loadFits() : undefined;
  const records = chosen.map(({ record }) => record);
  const gpKthreadCpu = stored?.gpKthreadCpu ?? (await fitBoots(records, runJobs));
  const jobs = records.map(
    (record): RcuJob => ({
      ...{ suite: 'rcu', step: 'record', id: record.id, gpKthreadCpu: gpKthreadCpu[record.boot] ?? 0 },
      rcuGps: stored === undefined && mayChooseGp(record) ? ALL_GPS : [stored?.rcuGp[record.id] ?? 0],
    }),
  );
  const results = (await runJobs(jobs)) as Extract<RcuResult, { step: 'record' }>[];
  const judged = chosen.flatMap((each, i) => {
    const result = results[i];
    return result === undefined ? [] : [{ ...each, ...result }];
  });
  const rcuGp = Object.fromEntries(
    judged.flatMap((each) => (each.rcuGp === 0 ? [] : [[each.record.id, each.rcuGp]])),
  );
  const fits = { gpKthreadCpu, rcuGp };
  const table = Object.fromEntries(
    wanted.map((row) => [row.id, count(judged.filter(({ file, record }) => isInRow(row, file, record)))]),
  );
  if (!check) for (const line of recordLines(wanted, judged, fits, misses)) say(line);
  if (!check) for (const line of fitLines(fits)) say(line);
  say(rcuRowTable(wanted, table));
  return { table, fits };
}
