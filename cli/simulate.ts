/** Runs a configuration to its end and makes the result of docs/configuration.md. */
import { type RunResult, runResult } from '../src/analysis/runResult.ts';
import { checkInvariants, type InvariantReport } from '../src/engine/checks/checkInvariants.ts';
import {
  createRun,
  type EventLog,
  type RunInfo,
  type RunStatus,
  type SimConfig,
} from '../src/engine/index.ts';
import { findScenario } from '../src/scenarios/registry.ts';
import { type ComparedFigure, reportedFigures } from '../src/scenarios/reportedFigures.ts';
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
export function resultOf(simulation: Simulation, { values, check }: ResultOptions): CliResult {
  const { log, info, status, wallMs } = simulation;
  const result = { ...runResult(log, info, status, { values }), wallMs };
  const found = info.config.scenario === undefined ? undefined : findScenario(info.config.scenario);
  const reported =
    found === undefined ? [] : reportedFigures(storyOf(found.scenario.id), found.variant, result);
  return {
    ...result,
    ...(reported.length === 0 ? {} : { reported }),
    ...(check ? { invariants: checkInvariants(log, info) } : {}),
  };
}
