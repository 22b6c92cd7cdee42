/** Rules 4.1 and 4.7 of docs/model/srcu-closed-forms.md: how long an expedited grace period polls. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type ProfileId, resolveRules } from '../profiles/profiles.ts';
import { jiffyLimitOf, phaseLimitOf } from './params.ts';
import { type WindowInput, windowNs, windowPasses } from './window.ts';

/** The window of a kernel with its default limits, phi ns after a tick. */
function inputOf(kernel: ProfileId, hz: number, passNs: number, phiNs: number): WindowInput {
  const rules = resolveRules(kernel, {});
  return {
    delayRule: rules['srcu.delay'],
    oncePerTry: rules['srcu.tryCheck'] === 'once',
    phaseLimit: phaseLimitOf(rules, hz),
    jiffyLimit: jiffyLimitOf(rules, hz),
    passNs,
    firstTickNs: Math.floor(1e9 / hz) - phiNs,
    secondTickNs: Math.floor(2e9 / hz) - phiNs,
  };
}

interface Column {
  readonly passNs: number;
  readonly phases: number;
}

/** min, mean and max over the phases in us, rounded, as the table prints them. */
function cellOf(kernel: ProfileId, hz: number, { passNs, phases }: Column): string {
  const windows = Array.from({ length: phases }, (_, i) =>
    windowNs(inputOf(kernel, hz, passNs, Math.floor((1e9 / hz / phases) * i))),
  );
  const mean = windows.reduce((sum, ns) => sum + ns, 0) / phases;
  const figures = [Math.min(...windows), mean, Math.max(...windows)].map((ns) => Math.round(ns / 1000));
  return [...new Set(figures)].join('-');
}

/** `virtual-1gips` (c = 1.005, r' = 5.22 us), then c = 2, 5, 10, 20; over so many phases the table was taken. */
const COLUMNS: readonly Column[] = [
  { passNs: 1005 + 2 * 5220, phases: 200 },
  ...[2, 5, 10, 20].map((c) => ({ passNs: c * 1000 + 10_000, phases: 400 })),
];

const TABLE: readonly [hz: number, kernel: ProfileId, ...cells: string[]][] = [
  [250, 'v5.19-rc1', '11', '12', '15', '20', '30'],
  [1000, 'v5.19-640a', '11', '12', '15', '20', '30'],
  [
    100,
    'v5.19-patch-v1',
    '1156-1224-2300',
    '1212-1285-2400',
    '1515-1628-3000',
    '2020-2220-4000',
    '3030-3486-6030',
  ],
  [100, 'v6.1', '5734', '6012', '7515', '10020', '10050-13778-15030'],
  [
    250,
    'v5.19-patch-v1',
    '1156-1319-2289',
    '1212-1394-2412',
    '1515-1798-3015',
    '2020-2525-4020',
    '3030-4166-6030',
  ],
  [250, 'v6.12', '4029-5365-5734', '4020-5511-6012', '4020-5979-7515', '4020-6010-8000', '4020-6015-8010'],
  [300, 'v6.6', '3353-4880-5734', '3348-4944-6012', '3345-5011-6675', '3360-5013-6680', '3360-5018-6690'],
  [
    1000,
    'v5.19-patch-v1',
    '1007-1508-2003',
    '1008-1507-2004',
    '1005-1508-2010',
    '1020-1510-2000',
    '1020-1515-2010',
  ],
  [1000, 'v5.19', '1007-1508-2003', '1008-1507-2004', '1005-1508-2010', '1020-1510-2000', '1020-1515-2010'],
];

describe('windows of table 4.7', () => {
  it.each(TABLE)('HZ=%i, %s', (hz, kernel, ...cells) => {
    expect(COLUMNS.map((column) => cellOf(kernel, hz, column))).toEqual(cells);
  });

  it('are endless before 282d', () => {
    expect(windowNs(inputOf('v5.18', 250, 15_000, 0))).toBe(Number.POSITIVE_INFINITY);
  });
});

/**
 * Pass by pass by the rules 2.4 and 3.1 to 3.3, the reader found at every check of SCAN2: the number of the pass that
 * decides to sleep, and the rules that say so.
 */
function naivePasses(input: WindowInput): { passes: number; by: string[] } {
  const { passNs, firstTickNs, secondTickNs, phaseLimit, jiffyLimit } = input;
  let n = 0;
  let count = 0;
  let countedIn = -1;
  for (let passes = 1; ; passes++) {
    const decidedNs = passes * passNs;
    const jiffy = decidedNs >= secondTickNs ? 2 : decidedNs >= firstTickNs ? 1 : 0;
    // all zero-delay answers of the pass count: those of try_check_zero() and the one of process_srcu()
    n += input.oncePerTry ? 2 : 4;
    const by = [];
    if (n > phaseLimit) by.push('phase');
    if (jiffy >= (input.delayRule === 'age-1' ? 1 : 2)) by.push('age');
    if (countedIn === jiffy) {
      count++;
      if (count > jiffyLimit) by.push('jiffy');
    } else {
      count = 1;
      countedIn = jiffy;
    }
    if (by.length > 0) return { passes, by };
  }
}

const input: fc.Arbitrary<WindowInput> = fc
  .record({
    delayRule: fc.constantFrom('age-1', 'age-2'),
    oncePerTry: fc.boolean(),
    phaseLimit: fc.oneof(fc.nat(12), fc.constantFrom(100, 1000, Number.POSITIVE_INFINITY)),
    jiffyLimit: fc.oneof(fc.nat(12), fc.constantFrom(100, 1000, Number.POSITIVE_INFINITY)),
    passNs: fc.integer({ min: 3000, max: 300_000 }),
    periodNs: fc.constantFrom(833_333, 1_000_000, 4_000_000),
    phi: fc.integer({ min: 0, max: 999 }),
  })
  .map(({ periodNs, phi, ...rest }) => {
    const firstTickNs = periodNs - Math.floor((periodNs / 1000) * phi);
    return { ...rest, firstTickNs, secondTickNs: firstTickNs + periodNs } as WindowInput;
  });

describe('k* of 4.1', () => {
  it('is the pass at which the rules decide to sleep', () => {
    fc.assert(
      fc.property(input, (given) => {
        const { passes } = naivePasses(given);
        expect(windowNs(given)).toBe(passes * given.passNs);
      }),
      { numRuns: 3000 },
    );
  });

  it('is bounded by each of kL, kM and kA where the other two do not matter', () => {
    const none = { phaseLimit: Number.POSITIVE_INFINITY, jiffyLimit: Number.POSITIVE_INFINITY };
    fc.assert(
      fc.property(input, (given) => {
        const { byPhase, byJiffy, byAge } = windowPasses(given);
        const age = naivePasses({ ...given, ...none });
        expect(byAge).toBe(age.passes);
        const phase = naivePasses({ ...given, jiffyLimit: none.jiffyLimit });
        if (phase.by.includes('phase')) expect(byPhase).toBe(phase.passes);
        else expect(byPhase).toBeGreaterThan(phase.passes);
        const jiffy = naivePasses({ ...given, phaseLimit: none.phaseLimit });
        if (jiffy.by.includes('jiffy')) expect(byJiffy).toBe(jiffy.passes);
        else expect(byJiffy).toBeGreaterThanOrEqual(jiffy.passes);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    [true, 1, 1],
    [true, 2, 2],
    [true, 3, 2],
    [true, 100, 51],
    [true, 200, 101],
    [true, 1000, 501],
    [false, 3, 1],
    [false, 4, 2],
    [false, 100, 26],
    [false, 200, 51],
  ])('kL, once per try %s, L = %i: %i passes (4.3)', (oncePerTry, phaseLimit, passes) => {
    const given = { ...inputOf('v6.12', 250, 15_000, 0), oncePerTry, phaseLimit };
    expect(windowPasses(given).byPhase).toBe(passes);
  });

  it('is below 2 T + P always (4.1, limit)', () => {
    fc.assert(
      fc.property(input, (given) => {
        expect(windowNs(given)).toBeLessThan(given.secondTickNs + given.passNs);
      }),
    );
  });

  it('does not touch M = 0 in the first pass of a fresh jiffy (4.8)', () => {
    const given = { ...inputOf('v6.12', 250, 15_000, 0), jiffyLimit: 0 };
    expect(windowNs(given)).toBe(2 * 15_000);
  });
});
