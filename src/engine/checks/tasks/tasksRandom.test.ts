/** Runs of RCU Tasks on configurations drawn at random: they violate nothing, and skipped ticks change nothing. */
import fc from 'fast-check';
import { expect, it, vi } from 'vitest';
import { finish, firstDifference, wasCut } from '../../reference/compareLogs.testkit.ts';
import { createEveryTickRun } from '../../reference/everyTick.ts';
import { randomTasksConfig } from '../../reference/randomTasksConfig.testkit.ts';
import { runToEnd } from '../../reference/simConfig.testkit.ts';
import { createRun } from '../../run.ts';
import { Report } from '../checker.ts';
import { checkInvariants } from '../checkInvariants.ts';

const RUNS = 120;
const USUAL_SEED = 11;
const LIMITS = { maxEvents: 20_000 };
const seed = Number(process.env.RCUSCOPE_SEED ?? USUAL_SEED);

it('violate nothing, and leave no invariant without judgements', () => {
  const judged = new Set<string>();
  const { judge } = Report.prototype;
  vi.spyOn(Report.prototype, 'judge').mockImplementation(function (this: Report, id, ...rest) {
    judged.add(id);
    return judge.call(this, id, ...rest);
  });
  const violatesNothing = fc.property(randomTasksConfig(), (config) => {
    const run = runToEnd(config, LIMITS);
    expect(checkInvariants(run.log, run.info).violations).toEqual([]);
  });
  console.log(`tasksRandom.test.ts: ${RUNS} cases, RCUSCOPE_SEED=${seed}`);
  fc.assert(violatesNothing, { numRuns: RUNS, seed });
  vi.restoreAllMocks();
  for (let i = 1; i <= 11; i++) expect([...judged]).toContain(`T${i}`);
});

it('have the same log where every tick is taken', () => {
  fc.assert(
    fc.property(randomTasksConfig(), (config) => {
      const [x, y] = [finish(createRun(config, LIMITS)), finish(createEveryTickRun(config, LIMITS))];
      if (!wasCut(x) && !wasCut(y)) expect(firstDifference(x, y)).toBeUndefined();
    }),
    { numRuns: RUNS / 2, seed },
  );
});
