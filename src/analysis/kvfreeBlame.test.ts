import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KIND, KVFREE_CHANNEL, KVFREE_DEBUG } from '../engine/core/eventKinds.ts';
import { blame } from './blame.ts';
import type { Blame } from './blameTypes.ts';
import { objectLife } from './kvfreeLife.ts';
import { KVFREE_SAMPLES, kfree, kvfreeSample } from './kvfreeRuns.testkit.ts';
import { UNIT_FATE } from './kvfreeTypes.ts';
import { createRunIndex } from './runIndex.ts';
import { config, MS, run } from './runs.testkit.ts';

/** Kind and length in ns of each segment. */
function parts({ segments }: Blame): [kind: string, ns: number][] {
  return segments.map(({ kind, startNs, endNs }) => [kind, endNs - startNs]);
}

function indexOf(simConfig: ReturnType<typeof config>) {
  const { log, info } = run(simConfig);
  return { log, info, index: createRunIndex(log, info) };
}

describe('why is this object still there', () => {
  for (const [name, sample] of Object.entries(KVFREE_SAMPLES)) {
    it(`the segments of every unit sum to the whole: ${name}`, () => {
      const { log, index } = indexOf(sample());
      const units = index.kvfree?.units.length ?? 0;
      fc.assert(
        fc.property(fc.nat(units - 1), (unit) => {
          const why = blame(log, index, { of: 'unit', index: unit });
          let atNs = why.startNs;
          for (const { startNs, endNs, row, text } of why.segments) {
            expect({ unit, startNs }).toEqual({ unit, startNs: atNs });
            expect(endNs).toBeGreaterThan(startNs);
            expect(row).toBeGreaterThanOrEqual(0);
            expect(text).not.toMatch(/NaN|undefined|-1 /);
            atNs = endNs;
          }
          expect({ unit, atNs }).toEqual({ unit, atNs: why.endNs });
        }),
        { numRuns: 60 },
      );
    });
  }

  it('a plain flood: filling, the barrier, the callback, the grace period', () => {
    const { log, index } = indexOf(config([kfree({ count: 1 })]));
    const why = blame(log, index, { of: 'unit', index: 1 });
    expect(why.title).toBe('Why was block 1 of CPU 0 there for 16 ms?');
    // 12 000 objects at one a nanosecond, then ticks of 4 ms; it began at 2 ns
    expect(parts(why)).toEqual([
      ['filling', 506],
      ['monitor', 12_000 - 508],
      ['numbering', 4 * MS - 12_000],
      ['fqsWait', 8 * MS],
      ['callback', 4 * MS],
    ]);
    expect(why.segments[1]?.text).toBe('The monitor had not come; kvfree_rcu_barrier() took it: 11.492 µs.');
    expect(why.segments[3]?.remedy?.param?.name).toBe('rcutree.jiffies_till_first_fqs');
  });

  it('a quiet CPU waits for the monitor, which a full block brings sooner', () => {
    const { log, index } = indexOf(kvfreeSample('quiet'));
    const why = blame(log, index, { of: 'unit', index: 0 });
    const [monitor] = why.segments;
    expect(monitor?.kind).toBe('monitor');
    expect((monitor?.endNs ?? 0) - (monitor?.startNs ?? 0)).toBeGreaterThan(5000 * MS - 4 * MS);
    expect(monitor?.text).toMatch(/Its timer was armed for 1250 jiffies\.$/);
    expect(monitor?.remedy?.text).toMatch(/^With 507 objects queued on this CPU the monitor comes/);
  });

  it('floods wait for a free batch, and for units that are freed before', () => {
    const { log, index } = indexOf(kvfreeSample('flood'));
    const all = Array.from({ length: index.kvfree?.units.length ?? 0 }, (_, unit) =>
      blame(log, index, { of: 'unit', index: unit }),
    );
    const waits = all.flatMap(({ segments }) => segments.filter(({ kind }) => kind === 'batchWait'));
    expect(waits.length).toBeGreaterThan(10);
    expect(waits[0]?.text).toMatch(/^The monitor came 1 time in vain, both batches of CPU \d were taken/);
    for (const { segments, finished } of all) {
      const kinds = segments.map(({ kind }) => kind);
      expect(finished).toBe(true);
      expect(kinds).toContain('numbering');
      expect(kinds.at(-1)).toBe('ownFree');
      expect(segments.some(({ remedy }) => remedy?.text.includes('expedited') === true)).toBe(false);
    }
    expect(
      all.some(({ segments }) =>
        segments.some(({ text }) => /units of the same batch came first/.test(text)),
      ),
    ).toBe(true);
  });

  it('explains a call of kvfree_rcu_barrier() by the batch that ends last', () => {
    const { log, index } = indexOf(config([kfree({ count: 1 })]));
    const call = index.calls.returnRow.findIndex((row) => row >= 0);
    const why = blame(log, index, { of: 'call', index: call });
    expect(why.title).toMatch(
      /^Why did call 0 of kfree-drain\S+, kvfree_rcu_barrier\(\), take 15\.988 ms\?$/,
    );
    expect(parts(why)).toEqual([
      ['numbering', 4 * MS - 12_000],
      ['fqsWait', 8 * MS],
      ['callback', 4 * MS],
    ]);
  });

  it('refuses units that are none', () => {
    const { log, index } = indexOf(kvfreeSample('plain'));
    expect(() => blame(log, index, { of: 'unit', index: 58 })).toThrow('why: no unit 58, there are 58');
  });
});

describe('life of an object for debug objects', () => {
  it('is none, QUEUED, READY, freed', () => {
    const { log, index } = indexOf(config([kfree({ count: 1 })]));
    const { stages, splatRow, isLeaked } = objectLife(log, index, 1, 100);
    expect(stages.map(({ state, sinceNs }) => [state, sinceNs])).toEqual([
      ['none', 0],
      ['QUEUED', 2 + 100],
      ['READY', 16 * MS],
      ['freed', 16 * MS],
    ]);
    expect([splatRow, isLeaked]).toEqual([-1, false]);
    expect(blame(log, index, { of: 'unit', index: 1 }).life?.stages[1]?.sinceNs).toBe(2);
  });

  it('goes from QUEUED to freed where the bulk path does not unqueue: a splat', () => {
    const { log, index } = indexOf(kvfreeSample('freed while queued'));
    const unit = index.kvfree?.units.channel.indexOf(KVFREE_CHANNEL.bulk) ?? -1;
    const { stages, splatRow } = objectLife(log, index, unit, 0);
    expect(stages.map(({ state }) => state)).toEqual(['none', 'QUEUED', 'freed']);
    expect(log.row(splatRow)).toMatchObject({ kind: KIND.kvfree_debug, a: KVFREE_DEBUG.freeActive, b: unit });
  });

  it('stays QUEUED where the check at free leaks it', () => {
    const { log, index } = indexOf(kvfreeSample('leaked by the check'));
    const unit = index.kvfree?.units.fate.indexOf(UNIT_FATE.leaked) ?? -1;
    expect(unit).toBeGreaterThanOrEqual(0);
    const { stages, isLeaked } = objectLife(log, index, unit, 0);
    expect([stages.at(-1)?.state, isLeaked]).toEqual(['QUEUED', true]);
    expect(blame(log, index, { of: 'unit', index: unit }).title).toMatch(/ leaked after /);
  });
});
