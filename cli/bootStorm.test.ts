/** The boot storm in its credit form against an exact calculation of CR1 to CR5 (docs/model/srcu-calibration.md). */
import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { parseConfig } from '../src/config/parseConfig.ts';
import { createRun, type EventLog, KIND, unpackPass } from '../src/engine/index.ts';
import { scenarioSource } from '../src/scenarios/registry.ts';

interface Reported {
  readonly variant: string;
  readonly creditRunNs: number;
  readonly creditHits: number;
}

const data = JSON.parse(readFileSync('test-data/boot-storm-model-c.json', 'utf8')) as {
  readonly runs: readonly Reported[];
  readonly secondMachine: readonly Reported[];
};

/** Grace periods in which a check found a reader: there is only the requester. */
function requesterHits(log: EventLog): number {
  let hits = 0;
  let isHit = false;
  log.forEach(({ kind, a, c }) => {
    if (kind === KIND.srcu_gp_start) isHit = false;
    if (kind !== KIND.srcu_pass || a === 0 || isHit) return;
    isHit = unpackPass(c).failedChecks > 0;
    if (isHit) hits++;
  });
  return hits;
}

it('has 23 runs of the first machine and 5 of the second', () => {
  expect([data.runs.length, data.secondMachine.length]).toEqual([23, 5]);
});

it.each([...data.runs, ...data.secondMachine].map((run) => [run.variant, run] as const))(
  'boot-storm:%s takes the time and meets its requester as often as calculated, to the nanosecond',
  (variant, { creditRunNs, creditHits }) => {
    const parsed = parseConfig({ scenario: `boot-storm:${variant}` }, scenarioSource);
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
    const run = createRun(parsed.config);
    while (run.advance(1_000_000).state === 'running');
    expect([run.nowNs, requesterHits(run.log)]).toEqual([creditRunNs, creditHits]);
  },
);
