import { describe, expect, it } from 'vitest';
import { presetMachine } from '../engine/machine/presets.ts';
import { blame } from './blame.ts';
import type { Blame } from './blameTypes.ts';
import { RCU_SAMPLES } from './rcuRuns.testkit.ts';
import { createRunIndex } from './runIndex.ts';
import { config, MS, reader, run, updater } from './runs.testkit.ts';

/** Kind and length in ms of each segment. */
function parts({ segments }: Blame): [kind: string, ms: number][] {
  return segments.map(({ kind, startNs, endNs }) => [kind, (endNs - startNs) / MS]);
}

function explain(simConfig: ReturnType<typeof config>, of: 'gp' | 'call', index: number): Blame {
  const { log, info } = run(simConfig);
  return blame(log, createRunIndex(log, info), { of, index });
}

const sync = { api: 'synchronize_rcu', start: 5 * MS } as const;

describe('why, Tree RCU', () => {
  it('a call on an idle machine: numbered at the tick, one grace period, callback at the tick (tree 4.2 c)', () => {
    const why = explain(config([updater(sync)], { cpus: 4 }), 'call', 0);
    expect(why.title).toBe('Why did call 0 of updater/0, synchronize_rcu(), take 15 ms?');
    expect(parts(why)).toEqual([
      ['numbering', 3],
      ['fqsWait', 8],
      ['callback', 4],
    ]);
    const [numbering, wait] = why.segments;
    expect(numbering?.text).toBe(
      'Its callback got a number only in rcu_core() behind a tick of CPU 0: 3 ms.',
    );
    expect(numbering?.remedy).toMatchObject({
      ...{ savesNs: 8 * MS, param: { name: 'rcutree.rcu_normal_wake_from_gp', value: 1 } },
    });
    // the kthread's own CPU reports at 12 ms: j = 0 saves the 4 ms up to there
    expect(wait?.remedy).toMatchObject({
      ...{ savesNs: 4 * MS, param: { name: 'rcutree.jiffies_till_first_fqs', value: 0 } },
    });
  });

  it('what it says would be saved is what the run with that parameter saves', () => {
    const withParams = (params: Record<string, number>) =>
      explain(config([updater(sync)], { cpus: 4, params }), 'call', 0);
    const before = withParams({});
    for (const { remedy } of before.segments) {
      const param = remedy?.param;
      if (param === undefined) continue;
      const after = withParams({ [param.name]: param.value });
      const savedNs = before.endNs - before.startNs - (after.endNs - after.startNs);
      expect({ name: param.name, savedNs }).toEqual({ name: param.name, savedNs: remedy?.savesNs });
    }
  });

  it('busy CPUs: learn at one tick, note and report at the next (tree 2.7)', () => {
    const load = { kind: 'load', mode: 'user', cpu: 1, count: 3, start: 0, stagger: 0, idle: 0 } as const;
    const why = explain(config([updater(sync), load], { cpus: 4 }), 'gp', 0);
    expect(why.title).toBe('Why did grace period -300 of RCU take 8 ms?');
    expect(parts(why)).toEqual([
      ['learn', 4],
      ['note', 4],
    ]);
    expect(why.segments[1]?.cpu).toBeGreaterThan(0);
  });

  it('a reader that kept its CPU until a scan found it idle', () => {
    const why = explain(
      config(
        [updater(sync), reader({ domain: 'rcu', cpu: 2, hold: 39 * MS, start: 1 * MS, idle: 0, times: 1 })],
        {
          cpus: 4,
          machine: presetMachine('virtual-1gips'),
        },
      ),
      'gp',
      0,
    );
    const held = why.segments.find(({ kind }) => kind === 'note');
    expect(held?.text).toMatch(/^reader\/0 ran on CPU 2 in a section that began .* before the grace period/);
    expect(held?.endNs).toBeGreaterThanOrEqual(40 * MS);
    expect(held?.endNs).toBeLessThan(41 * MS);
  });

  it('a reader that was preempted inside its section', () => {
    const why = explain(
      config(
        [
          updater(sync),
          reader({ domain: 'rcu', cpu: 2, hold: 100 * MS, start: 1 }),
          { kind: 'load', mode: 'user', cpu: 2, count: 1, start: 0, stagger: 0, idle: 0 },
        ],
        { cpus: 4, machine: presetMachine('virtual-1gips') },
      ),
      'gp',
      0,
    );
    const longest = why.segments.toSorted((x, y) => y.endNs - y.startNs - x.endNs + x.startNs)[0];
    expect(longest?.kind).toBe('blockedReader');
    expect(longest?.text).toMatch(
      /^reader\/0 had been preempted( by load\/0)? on CPU 2 in a section that began/,
    );
  });

  for (const [name, sample] of Object.entries(RCU_SAMPLES)) {
    it(`segments are without gaps and sum to the whole, with a sentence each: ${name}`, () => {
      const { log, info } = run(sample());
      const index = createRunIndex(log, info);
      const check = (why: Blame) => {
        let atNs = why.startNs;
        for (const { startNs, endNs, text, row, remedy } of why.segments) {
          expect(startNs).toBe(atNs);
          expect(endNs).toBeGreaterThan(startNs);
          atNs = endNs;
          expect(text).toMatch(/^[A-Za-z].*[a-z0-9)]\.$/);
          expect(text).not.toMatch(/undefined|NaN|Infinity|CPU -1|nobody/);
          expect(row >= 0 && row < log.length).toBe(true);
          if (remedy !== undefined) expect(remedy.savesNs).toBeGreaterThanOrEqual(0);
        }
        expect(atNs).toBe(why.endNs);
      };
      for (let gp = 0; gp < index.gps.length; gp++) check(blame(log, index, { of: 'gp', index: gp }));
      for (let call = 0; call < index.calls.length; call++)
        check(blame(log, index, { of: 'call', index: call }));
      check(blame(log, index, { of: 'row', row: log.length - 1 }));
    });
  }
});
