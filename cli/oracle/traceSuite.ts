/** Real traces against the log of a run of the same workload: grace periods, and batches and monitor runs of floods. */
import { floodPatterns } from '../../src/trace/floodPattern.ts';
import { logFloodRows } from '../../src/trace/floodRows.ts';
import { gpPatterns } from '../../src/trace/gpPattern.ts';
import { logGpRows } from '../../src/trace/gpRows.ts';
import { type Counts, count, summary } from './counts.ts';
import { RCU_GPS, SEEDS } from './rcuFits.ts';
import type { OracleConfig } from './records.ts';
import { runConfig } from './runConfig.ts';
import type { Options, RunJobs } from './suite.ts';
import { compareFloodTrace, compareTrace, loadTraces, type StoredTrace } from './traceStore.ts';

/** The workload of a trace. */
export interface TraceJob {
  readonly suite: 'trace';
  readonly id: string;
}

/** What the runs of a workload show. */
export interface TraceResult {
  /** Why it does not run. */
  readonly fault?: string;
  /** Grace periods, and each pattern once. */
  readonly gps: number;
  readonly patterns: readonly string[];
  readonly shapes: readonly string[];
  /** Patterns of floods, each once; blocks that works freed, ascending; how many works freed elsewhere. */
  readonly flood: readonly string[];
  readonly blocks: readonly number[];
  readonly elsewhere: number;
}

const traces = loadTraces();

/** Names of the traces. */
export const traceIds: readonly string[] = traces.map(({ id }) => id);

/** Where the measured updaters start; a grace period can have begun before it. */
const START = { ticks: 6, plus: 33_000 };

/** What may have been under way: of floods also what RCU had, which was not recorded (test-data/oracle/README.md). */
function startStates({ configs, flood }: StoredTrace): readonly OracleConfig[] {
  if (flood === undefined) return configs;
  return configs.flatMap((config) =>
    RCU_GPS.map((rcuGp) => ({
      ...config,
      initial: { ...config.initial, rcuGp },
      actors: config.actors.map((actor) => ({ start: START, ...actor })),
    })),
  );
}

function runTrace(trace: StoredTrace): TraceResult {
  const kinds = new Set(trace.events);
  const runs = startStates(trace).flatMap((config) =>
    trace.kthreadCpus.flatMap((gpKthreadCpu) =>
      SEEDS.map((seed) => {
        const initial = { ...config.initial, gpKthreadCpu };
        const { log, info } = runConfig(trace.id, { ...config, seed, initial });
        const flood = trace.flood && floodPatterns(logFloodRows(log, info), trace.flood.works);
        return { gps: gpPatterns(logGpRows(log, info), kinds), flood };
      }),
    ),
  );
  const gps = runs.flatMap((run) => run.gps);
  return {
    gps: gps.length,
    patterns: [...new Set(gps.map(({ text }) => text))],
    shapes: [...new Set(gps.flatMap(({ shapes }) => shapes))].sort(),
    flood: [...new Set(runs.flatMap(({ flood }) => flood?.texts ?? []))].sort(),
    blocks: runs.flatMap(({ flood }) => flood?.blocks ?? []).sort((x, y) => x - y),
    elsewhere: runs.reduce((sum, { flood }) => sum + (flood?.elsewhere ?? 0), 0),
  };
}

/** Runs a trace's configurations, the kthread on each CPU where the trace has it. */
export function doTraceJob({ id }: TraceJob): TraceResult {
  const trace = traces.find((candidate) => candidate.id === id);
  if (trace === undefined) throw new Error(`no trace ${id}`);
  try {
    return runTrace(trace);
  } catch (error) {
    return {
      fault: (error as Error).message,
      gps: 0,
      patterns: [],
      shapes: [],
      flood: [],
      blocks: [],
      elsewhere: 0,
    };
  }
}

/** "9 works, 23 to 101 blocks, median 65, 4 elsewhere". */
function worksText({ blocks, elsewhere }: Pick<TraceResult, 'blocks' | 'elsewhere'>): string {
  if (blocks.length === 0) return 'no works';
  const span = `${blocks[0]} to ${blocks.at(-1)} blocks, median ${blocks[blocks.length >> 1]}`;
  return `${blocks.length} works, ${span}, ${elsewhere} elsewhere`;
}

/** Counts of one trace, and what to say of it. */
function judgeTrace(trace: StoredTrace, result: TraceResult, real: ReadonlySet<string>) {
  const gps = compareTrace(trace, result.patterns);
  const flood = compareFloodTrace(trace.flood ?? { patterns: {} }, result.flood);
  const verdicts: { met: Readonly<Record<string, boolean>> }[] = [...gps.verdicts, ...flood.verdicts];
  const counts = count(verdicts);
  const lines = [`${trace.id}: ${trace.gps} real, ${result.gps} simulated  ${summary(counts)}`];
  if (result.fault !== undefined) lines.push(`  does not run: ${result.fault}`);
  for (const { text, gps: times } of gps.missing) lines.push(`  ${times} not found: ${text}`);
  for (const { text, times } of flood.missing) lines.push(`  ${times} not found: ${text}`);
  if (result.fault === undefined) {
    if (gps.missing.length > 0) for (const text of result.patterns) lines.push(`    simulated: ${text}`);
    if (flood.missing.length > 0) for (const text of result.flood) lines.push(`    simulated: ${text}`);
    if (trace.flood !== undefined)
      lines.push(`  real ${worksText(trace.flood)}; simulated ${worksText(result)}`);
    for (const shape of result.shapes) if (!real.has(shape)) lines.push(`  in no trace: ${shape}`);
    for (const shape of trace.shapes)
      if (!result.shapes.includes(shape)) lines.push(`  not in the run: ${shape}`);
  }
  return { verdicts, counts, lines, isMissing: gps.missing.length + flood.missing.length > 0 };
}

/** Compares the wanted traces and prints what is not found. Returns counts by trace, and in all. */
export async function runTraceSuite(
  { group, check, misses, say }: Options,
  runJobs: RunJobs<TraceJob, TraceResult>,
): Promise<Record<string, Counts>> {
  const wanted = traces.filter(({ id }) => group === undefined || id === group);
  const results = await runJobs(wanted.map(({ id }): TraceJob => ({ suite: 'trace', id })));
  const real = new Set(traces.flatMap(({ shapes }) => shapes));
  const judged = wanted.map((trace, i) => judgeTrace(trace, results[i] as TraceResult, real));
  if (!check && wanted.length > 0)
    say('\nTraces: grace periods of the kernel, batches and monitor runs whose pattern occurs in the run');
  if (!check)
    for (const { lines, isMissing } of judged) if (!misses || isMissing) for (const line of lines) say(line);
  const table: Record<string, Counts> = Object.fromEntries(
    wanted.map(({ id }, i) => [id, judged[i]?.counts ?? {}]),
  );
  table.traces = count(judged.flatMap(({ verdicts }) => verdicts));
  if (wanted.length > 0) say(`traces: ${summary(table.traces)}`);
  return table;
}
