/** Real traces against the log of a run of the same workload, grace period by grace period. */
import { gpPatterns } from '../../src/trace/gpPattern.ts';
import { logGpRows } from '../../src/trace/gpRows.ts';
import { type Counts, count, summary } from './counts.ts';
import { SEEDS } from './rcuFits.ts';
import { runConfig } from './runConfig.ts';
import type { Options, RunJobs } from './suite.ts';
import { compareTrace, loadTraces, type StoredTrace } from './traceStore.ts';

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
}

const traces = loadTraces();

/** Names of the traces. */
export const traceIds: readonly string[] = traces.map(({ id }) => id);

function runTrace(trace: StoredTrace): TraceResult {
  const kinds = new Set(trace.events);
  const gps = trace.configs.flatMap((config) =>
    trace.kthreadCpus.flatMap((gpKthreadCpu) =>
      SEEDS.flatMap((seed) => {
        const { log, info } = runConfig(trace.id, {
          ...config,
          seed,
          initial: { ...config.initial, gpKthreadCpu },
        });
        return gpPatterns(logGpRows(log, info), kinds);
      }),
    ),
  );
  return {
    gps: gps.length,
    patterns: [...new Set(gps.map(({ text }) => text))],
    shapes: [...new Set(gps.flatMap(({ shapes }) => shapes))].sort(),
  };
}

/** Runs a trace's configurations, the kthread on each CPU where the trace has it. */
export function doTraceJob({ id }: TraceJob): TraceResult {
  const trace = traces.find((candidate) => candidate.id === id);
  if (trace === undefined) throw new Error(`no trace ${id}`);
  try {
    return runTrace(trace);
  } catch (error) {
    return { fault: (error as Error).message, gps: 0, patterns: [], shapes: [] };
  }
}

/** Compares the wanted traces and prints what is not found. Returns counts of grace periods by trace, and in all. */
export async function runTraceSuite(
  { group, check, misses, say }: Options,
  runJobs: RunJobs<TraceJob, TraceResult>,
): Promise<Record<string, Counts>> {
  const wanted = traces.filter(({ id }) => group === undefined || id === group);
  const results = await runJobs(wanted.map(({ id }): TraceJob => ({ suite: 'trace', id })));
  const real = new Set(traces.flatMap(({ shapes }) => shapes));
  const table: Record<string, Counts> = {};
  const verdicts: { met: Readonly<Record<string, boolean>> }[] = [];
  if (!check && wanted.length > 0)
    say('\nTraces: grace periods of the kernel whose pattern occurs in the run');
  wanted.forEach((trace, i) => {
    const result = results[i] as TraceResult;
    const compared = compareTrace(trace, result.patterns);
    table[trace.id] = count(compared.verdicts);
    verdicts.push(...compared.verdicts);
    if (check || (misses && compared.missing.length === 0)) return;
    say(`${trace.id}: ${trace.gps} real, ${result.gps} simulated  ${summary(table[trace.id] as Counts)}`);
    if (result.fault !== undefined) say(`  does not run: ${result.fault}`);
    for (const { text, gps } of compared.missing) say(`  ${gps} not found: ${text}`);
    if (result.fault !== undefined) return;
    if (compared.missing.length > 0) for (const text of result.patterns) say(`    simulated: ${text}`);
    for (const shape of result.shapes) if (!real.has(shape)) say(`  in no trace: ${shape}`);
    for (const shape of trace.shapes) if (!result.shapes.includes(shape)) say(`  not in the run: ${shape}`);
  });
  table.traces = count(verdicts);
  if (wanted.length > 0) say(`traces: ${summary(table.traces)}`);
  return table;
}
