/** Runs of kfree_rcu() violate nothing: configurations drawn at random. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { kfree, randomKfreeConfig } from '../../reference/randomKfreeConfig.testkit.ts';
import { runToEnd, simConfig } from '../../reference/simConfig.testkit.ts';
import { Report } from '../checker.ts';
import { checkInvariants, listInvariants } from '../checkInvariants.ts';

const RUNS = 300;
/** Of a run that names none. */
const USUAL_SEED = 1;

describe('configurations of kfree_rcu() drawn at random', () => {
  it('violate nothing, and leave no invariant without judgements', () => {
    const judged = new Set<string>();
    const { judge } = Report.prototype;
    // a spy would keep every call
    Report.prototype.judge = function (this: Report, id, ...rest) {
      judged.add(id);
      return judge.call(this, id, ...rest);
    };
    const violatesNothing = fc.property(randomKfreeConfig(), (config) => {
      const run = runToEnd(config, { maxEvents: 8000 });
      const { violations } = checkInvariants(run.log, run.info);
      // the old rule of attaching frees what readers may still see: a finding, not a fault
      const isOld = run.info.rules['kvfree.attach'] === 'per-channel';
      expect(violations.filter(({ id }) => !(isOld && id === 'W2'))).toEqual([]);
    });
    const seed = Number(process.env.RCUSCOPE_SEED ?? USUAL_SEED);
    console.log(`kvfreeRandom.test.ts: ${RUNS} cases, RCUSCOPE_SEED=${seed}`);
    try {
      fc.assert(violatesNothing, { numRuns: RUNS, seed });
    } finally {
      Report.prototype.judge = judge;
    }
    for (let i = 1; i <= 14; i++) expect([...judged]).toContain(`W${i}`);
  });
});

describe('../README.md', () => {
  it('lists every invariant of kfree_rcu(), each of which is written down', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
    const { info } = runToEnd(simConfig({ actors: [kfree()] }));
    const all = listInvariants(info).filter(({ id }) => id.startsWith('W'));
    const table = read('../README.md').match(/^\| W\d.*$/gm) ?? [];
    expect(table.map((line) => line.replace(/ +/g, ' '))).toEqual(
      all.map(({ id, title }) => `| ${id} | ${title} |`),
    );
    const model = read('../../../../docs/model/kvfree-invariants.md');
    for (const { id, rule } of all) {
      expect(rule).toContain(`kvfree-invariants.md ${id}`);
      expect(model).toContain(`**${id}.**`);
    }
  });
});
