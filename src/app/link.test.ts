import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_SCENARIO, scenarioSource } from '../scenarios/registry.ts';
import { linkTo, missingOf, openLink } from './link.ts';
import { setUp } from './setup.ts';

describe('links', () => {
  it('no link opens the default scenario without a word', () => {
    expect(openLink('')).toEqual({
      choice: { scenario: DEFAULT_SCENARIO, overrides: {} },
      view: { window: undefined, selection: undefined, isLocked: false },
      isPlaying: false,
      digest: undefined,
      notice: undefined,
    });
  });

  it('a link that names no scenario is about the boot storm, as when such links were shipped', () => {
    expect(openLink('#hz=300').choice).toEqual({ scenario: 'boot-storm:row-200', overrides: { hz: 300 } });
    expect(openLink('#').choice.scenario).toBe(DEFAULT_SCENARIO);
  });

  it('a scenario without a variant is the one that it stands for', () => {
    expect(openLink('#v=1&sc=boot-storm').choice.scenario).toBe('boot-storm:row-200');
  });

  it('a variant that is not there is the default of its scenario', () => {
    const { choice, notice } = openLink('#v=1&sc=one-reader:hold-9ms&hz=1000');
    expect(choice).toEqual({ scenario: 'one-reader:hold-12ms', overrides: { hz: 1000 } });
    expect(notice?.details).toEqual([
      expect.stringMatching(/unknown variant; .*; one-reader:hold-12ms instead$/),
    ]);
    expect(openLink('#v=1&sc=nowhere').notice?.details[0]).toMatch(/; boot-storm:row-200 instead$/);
  });

  it('what is written is what is opened', () => {
    const choice = {
      scenario: 'boot-storm:row-100',
      overrides: { hz: 1000, params: { 'srcutree.srcu_max_nodelay_phase': 300 } },
    };
    const view = {
      t: { fromNs: 12_400_000, toNs: 18_000_000 },
      cur: { timeNs: 13_000_000, row: 411, poll: { pass: 3, check: 1 } },
      sel: { of: 'gp', index: 7 },
      lock: true,
      d: '9f3ac1d2',
    } as const;
    const link = linkTo(choice, view);
    const opened = openLink(link.ok ? `#${link.hash}` : '');
    expect(opened.choice).toEqual(choice);
    expect(opened.digest).toBe('9f3ac1d2');
    expect(opened.view).toMatchObject({
      window: view.t,
      cursor: { timeNs: 13_000_000, row: 411, poll: { row: 411, pass: 3, check: 1 } },
      selection: view.sel,
      isLocked: true,
    });
    expect(opened.notice).toBeUndefined();
  });

  it('junk keys are listed and the rest applies', () => {
    const { choice, notice } = openLink('#v=1&sc=boot-storm:row-200&hz=banana&colour=red&cpus=2');
    expect(choice.overrides).toEqual({ cpus: 2 });
    expect(notice?.details).toHaveLength(2);
  });

  it('a panel that nobody has is listed', () => {
    expect(openLink('#v=1&panel=timeline,-why').notice).toBeUndefined();
    expect(openLink('#v=1&panel=zz,-yy').notice?.details.map((line) => line.split(';')[0])).toEqual([
      'panel: "zz": there is no such panel',
      'panel: "yy": there is no such panel',
    ]);
  });

  it('any hash opens something that can be run', () => {
    const key = fc.constantFrom(
      'v',
      'sc',
      'k',
      'hz',
      'cpus',
      'w',
      'd',
      't',
      'cur',
      'sel',
      'a0.gap',
      'machine',
      'x',
    );
    const pair = fc.tuple(key, fc.string({ maxLength: 30 })).map(([name, value]) => `${name}=${value}`);
    const hash = fc.oneof(
      fc.string({ maxLength: 200, unit: 'binary' }),
      fc.array(pair, { maxLength: 6 }).map((pairs) => pairs.join('&')),
    );
    fc.assert(
      fc.property(hash, (text) => {
        const { choice } = openLink(`#${text}`);
        expect(setUp(choice, scenarioSource, undefined).problems).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('says what of the view the run does not have', () => {
    const run = { endNs: 20_010_000, gps: 1, calls: 0, units: 3, rows: 28 };
    const missing = (hash: string) => missingOf(openLink(hash).view, run);
    expect(missing('#v=1&sc=one-reader&t=5s..6s&sel=gp:7')).toEqual([
      't: 5s: the run ends at 20.01ms',
      'sel: gp:7: the run has gp:0 to gp:0',
    ]);
    expect(missing('#v=1&sc=one-reader&cur=21ms&sel=call:0')).toEqual([
      'cur: 21ms: the run ends at 20.01ms',
      'sel: call:0: the run has no call',
    ]);
    expect(missing('#v=1&sc=one-reader&sel=unit:3')).toEqual(['sel: unit:3: the run has unit:0 to unit:2']);
    expect(missing('#v=1&sc=one-reader&t=0..40ms&cur=20.01ms&sel=row:27')).toEqual([]);
    expect(missing('')).toEqual([]);
  });
});
