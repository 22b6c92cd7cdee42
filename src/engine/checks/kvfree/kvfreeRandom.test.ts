/** Runs of kfree_rcu() violate nothing: configurations drawn at random, and those in which the checkers once found a fault. */
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { randomKfreeConfig } from '../../reference/randomKfreeConfig.testkit.ts';
import { runToEnd } from '../../reference/simConfig.testkit.ts';
import { Report } from '../checker.ts';
import { checkInvariants } from '../checkInvariants.ts';

const RUNS = 300;
/** Of a run that names none. */
const USUAL_SEED = 1;

describe('configurations of kfree_rcu() drawn at random', () => {
  it('violate nothing, and leave no invariant without judgements', () => {
    const judged = new Set<string>();
    const { judge } = Report.prototype;
    vi.spyOn(Report.prototype, 'judge').mockImplementation(function (this: Report, id, ...rest) {
      judged.add(id);
      return judge.call(this, id, ...rest);
    });
    const violatesNothing = fc.property(randomKfreeConfig(), (config) => {
      const run = runToEnd(config, { maxEvents: 20_000 });
      expect(checkInvariants(run.log, run.info).violations).toEqual([]);
    });
    const seed = Number(process.env.RCUSCOPE_SEED ?? USUAL_SEED);
    console.log(`kvfreeRandom.test.ts: ${RUNS} cases, RCUSCOPE_SEED=${seed}`);
    fc.assert(violatesNothing, { numRuns: RUNS, seed });
    vi.restoreAllMocks();
    for (let i = 1; i <= 14; i++) expect([...judged]).toContain(`W${i}`);
  });
});
