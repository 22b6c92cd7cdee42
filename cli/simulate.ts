/** Runs a configuration to its end and makes the result of docs/configuration.md. */
import { kvfreeFigures } from '../src/analysis/kvfreeFigures.ts';
import { createRunIndex } from '../src/analysis/runIndex.ts';
import { type RunResult, runResult } from '../src/analysis/runResult.ts';
import { tasksFigures } from '../src/analysis/tasksFigures.ts';
import { checkInvariants, type InvariantReport } from '../src/engine/checks/checkInvariants.ts';
import {
  createRun,
  type EventLog,
  type RunInfo,
  type RunStatus,
  type SimConfig,
  STOP_REASON,
} from '../src/engine/index.ts';
import { findScenario } from '../src/scenarios/registry.ts';
import { type ComparedFigure, reportedFigures } from '../src/scenarios/reportedFigures.ts';
import type { ScenarioResult } from '../src/scenarios/scenario.ts';
import { storyOf } from '../src/scenarios/stories.ts';

/** Engine events between two looks at whether the run has ended. */
const BUDGET = 1_000_000;

/** A finished run. */
export interface Simulation {
  readonly log: EventLog;
  readonly info: RunInfo;
  readonly status: RunStatus;
  readonly wallMs: number;
}

export type CliResult = RunResult & {
  readonly wallMs: number;
  readonly reported?: readonly ComparedFigure[];
  readonly invariants?: InvariantReport;
};

/** What a result shall hold besides the figures. */
export interface ResultOptions {
  /** Every single latency. */
  readonly values: boolean;
  /** What the invariant checker says of the log. */
  readonly check: boolean;
}

/** Runs to the end. */
export function simulate(config: SimConfig): Simulation {
  const startedMs = performance.now();
  const run = createRun(config);
  let status: RunStatus;
  do status = run.advance(BUDGET);
  while (status.state === 'running');
  return { log: run.log, info: run.info, status, wallMs: Math.round(performance.now() - startedMs) };
}

/** The result as printed, with reported figures where the scenario has them. */
export function resultOf(simulation: Simulation, options: ResultOptions): CliResult {
  return judgedResultOf(simulation, options).result;
}

/** The result as printed, and what the expectations of scenarios look at. */
export function judgedResultOf(
  { log, info, status, wallMs }: Simulation,
  { values, check }: ResultOptions,
): { readonly result: CliResult; readonly figures: ScenarioResult } {
  const index = createRunIndex(log, info);
  const result = { ...runResult(log, info, status, { values, index }), wallMs };
  const kvfree = kvfreeFigures(log, index);
  const tasks = tasksFigures(log, info);
  const figures = {
    ...result,
    isDone: status.state === 'ended' && status.reason === STOP_REASON.done,
    ...(kvfree === undefined ? {} : { kvfree }),
    ...(tasks === undefined ? {} : { tasks }),
  };
  const found = info.config.scenario === undefined ? undefined : findScenario(info.config.scenario);
  const reported =
    found === undefined ? [] : reportedFigures(storyOf(found.scenario.id), found.variant, figures);
  const judged = {
    ...result,
    ...(reported.length === 0 ? {} : { reported }),
    ...(check ? { invariants: checkInvariants(log, info) } : {}),
  };
  return { result: judged, figures };
}
