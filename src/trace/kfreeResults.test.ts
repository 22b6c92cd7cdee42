import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { kfreeResults } from './kfreeResults.ts';

describe('the results of case l16', () => {
  const { sections, problems } = kfreeResults(readFileSync('test-data/cases/l16.txt', 'utf8'));
  const [old, before, after] = sections;

  it('are 8 lines in three parts', () => {
    expect(problems).toEqual([]);
    expect(sections.map(({ title, results }) => [title, results.length])).toEqual([
      ['variant A (old rcuperf, no footprint field)', 2],
      ['variant B (nocb, before polling API)', 3],
      ["variant B' (after)", 3],
    ]);
  });

  it('old lines have no footprint: unknown, not 0', () => {
    expect(old?.results.map(({ footprintMb }) => footprintMb)).toEqual([undefined, undefined]);
    expect(old?.meanFootprintMb).toBeUndefined();
    expect(old?.batchRatio).toBeCloseTo(4.33, 2);
  });

  it('time per batch and mean footprint', () => {
    expect(before?.results.map(({ msPerBatch }) => msPerBatch)).toEqual([
      expect.closeTo(5.957, 3),
      expect.closeTo(7.555, 3),
      expect.closeTo(8.2, 3),
    ]);
    expect(before?.meanFootprintMb).toBe(3578);
  });

  it('a negative footprint is an artefact and is left out', () => {
    expect(after?.results.map(({ isFootprintArtefact }) => isFootprintArtefact)).toEqual([
      false,
      false,
      true,
    ]);
    expect(after?.meanFootprintMb).toBe(87.5);
  });

  it('compares parts of equal loops: a fortieth of the memory in about the time', () => {
    expect([old?.compared, before?.compared]).toEqual([undefined, undefined]);
    expect(after?.compared?.to).toBe('variant B (nocb, before polling API)');
    expect(1 / (after?.compared?.footprint ?? 0)).toBeCloseTo(40.9, 1);
    expect(after?.compared?.time).toBeCloseTo(0.92, 2);
  });
});

test('lines as in mails and logs, without parts', () => {
  const text = [
    "> [   19.096052] Total time taken by all kfree'ers: 17519684419 ns, loops: 10000, batches: 3378, memory footprint: 319MB",
    "> [  159.017771] Total time taken by all kfree'ers: 92783584881 ns, loops: 200000, batches: 0\r",
    "Total time taken by all kfree'ers: soon",
    'something else',
  ].join('\n');
  const { sections, problems } = kfreeResults(text);
  expect(sections).toHaveLength(1);
  expect(sections[0]?.title).toBe('');
  expect(sections[0]?.results).toEqual([
    {
      ...{ line: 1, totalNs: 17_519_684_419, loops: 10_000, batches: 3378 },
      ...{ msPerBatch: expect.closeTo(5.186, 3), footprintMb: 319, isFootprintArtefact: false },
    },
    { line: 2, totalNs: 92_783_584_881, loops: 200_000, batches: 0, isFootprintArtefact: false },
  ]);
  expect(sections[0]?.batchRatio).toBeUndefined();
  expect(problems).toEqual(["line 3: not what rcuscale prints: Total time taken by all kfree'ers: soon"]);
});

const result = (ns: number, batches: number, loops = 5) =>
  `Total time taken by all kfree'ers: ${ns} ns, loops: ${loops}, batches: ${batches}, memory footprint: 0MB`;

test('what cannot be compared is absent', () => {
  const parts = (...lines: string[]) =>
    kfreeResults(lines.map((each, i) => `# ${i}\n${each}\n`).join('')).sections.map(
      ({ compared }) => compared,
    );
  expect(parts(result(100, 0), result(200, 0))).toEqual([undefined, { to: '0', time: 2 }]);
  expect(parts(result(0, 2), result(200, 1))).toEqual([undefined, { to: '0', batches: 0.5 }]);
  expect(parts(result(0, 0), result(0, 0))).toEqual([undefined, undefined]);
  const loops = parts(result(1, 1), result(8, 1, 6), `${result(1, 1)}\n${result(1, 1, 6)}`, result(3, 1));
  expect(loops).toEqual([undefined, undefined, undefined, { to: '0', time: 3, batches: 1 }]);
});

test('as many lines as there are', () => {
  const [section] = kfreeResults(`${result(1, 2)}\n`.repeat(130_000) + result(1, 6)).sections;
  expect([section?.results.length, section?.batchRatio]).toEqual([130_001, 3]);
});

test('a text without any gives nothing', () => {
  expect(kfreeResults('')).toEqual({ sections: [], problems: [] });
});
