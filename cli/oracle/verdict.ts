/** Runs one record in its start states and compares it with the measurement, in the way of its group. */
import { latencyStats } from '../../src/analysis/latency.ts';
import { createRunIndex } from '../../src/analysis/runIndex.ts';
import type { RunIndex } from '../../src/analysis/types.ts';
import { parseConfig } from '../../src/config/parseConfig.ts';
import { createRun, type EventLog, KIND, TIMER_FN, unpackPass } from '../../src/engine/index.ts';
import { compared } from './compared.ts';
import { type Figures, inEnvelope, matches, matchesCallByCall } from './judge.ts';
import type { Group, Measured, OracleRecord, StartState } from './records.ts';
import { inState } from './startState.ts';

/** What became of a record: named criteria met, and a line of figures. */
export interface Verdict {
  readonly id: string;
  readonly met: Readonly<Record<string, boolean>>;
  readonly line: string;
}

interface Simulated {
  readonly log: EventLog;
  readonly index: RunIndex;
}

function simulate(record: OracleRecord, state: StartState): Simulated {
  const parsed = parseConfig(inState(record.config, state));
  if (!parsed.ok)
    throw new Error(`${record.id}: ${parsed.problems.map((problem) => problem.message).join('; ')}`);
  const run = createRun(parsed.config);
  while (run.advance(1_000_000).state === 'running');
  return { log: run.log, index: createRunIndex(run.log, run.info) };
}

function valuesOf({ index }: Simulated, series: string): Float64Array {
  const found = index.series.find((candidate) => candidate.name === series);
  if (found === undefined) throw new Error(`the run has no series ${series}`);
  return found.values;
}

function figuresOf(simulated: Simulated, series: string): Figures {
  return latencyStats(valuesOf(simulated, series));
}

function judgeLatency(record: OracleRecord, states: readonly StartState[]): Verdict {
  const { measured, config } = record;
  const tickNs = 1_000_000_000 / config.hz;
  const runs = states.map((state) => valuesOf(simulate(record, state), measured.series));
  const figures = runs.map((values) => latencyStats(values));
  const nominal = figures[0] as Figures;
  const any = figures.some((each) => matches(each, measured, tickNs));
  const hasReaders = config.actors.some(({ kind }) => kind === 'reader');
  const met = {
    nominal: matches(nominal, measured, tickNs),
    ...(hasReaders || measured.values === undefined
      ? {}
      : { callByCall: matchesCallByCall(runs[0] as Float64Array, measured.values) }),
  };
  const all = states.length === 1 ? met : { ...met, any, envelope: any || inEnvelope(figures, measured) };
  return { id: record.id, met: all, line: compared(nominal, measured) };
}

const OVERRUN_TOLERANCE = 0.03;

function judgeRequester(record: OracleRecord, state: StartState): Verdict {
  const simulated = simulate(record, state);
  const { figures, gps } = simulated.index;
  const share = figures.requesterHits / gps.length;
  const measuredShare = record.measured.overrunShare as number;
  return {
    id: record.id,
    met: { overrunShare: Math.abs(share - measuredShare) <= OVERRUN_TOLERANCE },
    line: `overrun share ${measuredShare.toFixed(3)} ${share.toFixed(3)}  ${compared(
      figuresOf(simulated, record.measured.series),
      record.measured,
    )}`,
  };
}

/** Of one call: its timers as "function:jiffies" and the passes before the first sleep. */
interface CallShape {
  readonly delays: string;
  readonly passesBeforeSleep: number;
}

function simulatedCalls({ log }: Simulated): CallShape[] {
  const calls: CallShape[] = [];
  let delays: string[] = [];
  let passes = 0;
  let before = 0;
  log.forEach((event) => {
    const { kind } = event;
    if (kind === KIND.api_call) {
      delays = [];
      passes = 0;
      before = 0;
    } else if (kind === KIND.srcu_pass) {
      passes += event.a;
      if (before === 0 && unpackPass(event.c).delay > 0) before = passes;
    } else if (kind === KIND.timer_start) delays.push(`${event.a}:${event.b}`);
    else if (kind === KIND.api_return) calls.push({ delays: delays.join(','), passesBeforeSleep: before });
  });
  return calls;
}

function measuredCalls({ calls = [] }: Measured): CallShape[] {
  return calls.map(({ npasses, delays }) => {
    const codes = delays.map(([, name, jiffies]) => `${TIMER_FN[name as keyof typeof TIMER_FN]}:${jiffies}`);
    const sleeps = codes.filter((code) => code.startsWith(`${TIMER_FN.delayed_work_timer_fn}:`)).length;
    return { delays: codes.join(','), passesBeforeSleep: sleeps === 0 ? 0 : npasses - sleeps };
  });
}

/** The most frequent number of passes before the first sleep; 0 if no call slept. */
function commonest(calls: readonly CallShape[]): number {
  const counts = new Map<number, number>();
  for (const { passesBeforeSleep } of calls) {
    if (passesBeforeSleep > 0) counts.set(passesBeforeSleep, (counts.get(passesBeforeSleep) ?? 0) + 1);
  }
  return [...counts].sort((x, y) => y[1] - x[1])[0]?.[0] ?? 0;
}

/** True if a limit and not the age ended the measured windows: 4.1's kL or M + 1 passes (kernels from 5.19 on). */
function endedByLimit(passes: number, { index }: Simulated): boolean {
  const { phaseLimit, jiffyLimit } = index.info.srcu;
  return passes === Math.floor(phaseLimit / 2) + 1 || passes === jiffyLimit + 1;
}

function judgePasses(record: OracleRecord, states: readonly StartState[]): Verdict {
  const measured = measuredCalls(record.measured);
  const simulated = states.map((state) => simulate(record, state));
  const runs = simulated.map(simulatedCalls);
  const seen = new Set(runs.flat().map(({ delays }) => delays));
  const known = measured.filter(({ delays }) => seen.has(delays)).length;
  const [want, got] = [commonest(measured), commonest(runs[0] as CallShape[])];
  const limited = endedByLimit(want, simulated[0] as Simulated);
  return {
    id: record.id,
    met: {
      delays: known >= 0.9 * measured.length,
      ...(limited ? { passes: want === got } : {}),
    },
    line: `delays of ${known} of ${measured.length} calls occur${limited ? `  passes before sleep ${want} ${got}` : ''}`,
  };
}

/** Runs and judges a record; state 0 only gives `nominal` criteria. */
export function judgeRecord(group: Group, record: OracleRecord, states: readonly StartState[]): Verdict {
  if (group.judgedBy === 'overrunShare') return judgeRequester(record, states[0] as StartState);
  return group.judgedBy === 'passes' ? judgePasses(record, states) : judgeLatency(record, states);
}
