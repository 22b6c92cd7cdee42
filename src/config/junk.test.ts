/** Whatever is handed in: no exception, and always something to say. 10 000 cases. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { KVFREE_PARAMS } from '../engine/profiles/kvfreeParams.ts';
import { PROFILES } from '../engine/profiles/profiles.ts';
import { TASKS_PARAMS } from '../engine/profiles/tasksParams.ts';
import { SRCU_PARAMS } from '../engine/srcu/params.ts';
import { RCU_PARAMS } from '../engine/tree/params.ts';
import { BOOT_PARAMS } from './bootParams.ts';
import { INERT_PARAMS } from './inertParams.ts';
import { decodeLink } from './link/decodeLink.ts';
import { smallScenarios } from './link/link.testkit.ts';
import { MACHINE_FIELDS } from './machineFields.ts';
import { parseConfig } from './parseConfig.ts';
import { parseKernelCommandLine } from './parseKernelCommandLine.ts';

const VALID = {
  v: 1,
  scenario: 'storm',
  kernel: 'v6.12',
  rules: { 'srcu.delay': 'v5.18', 'tree.earlyReport': 'next' },
  hz: 250,
  startJiffies: 0,
  cpus: 4,
  preempt: 'full',
  seed: 1,
  params: { 'srcutree.exp_holdoff': 5, 'rcutree.use_softirq': 'Y', 'rcutree.qovld': -1, rcu_nocbs: '1' },
  machine: { preset: 'plain', passNs: 5, jiffyRace: 'none', kfreeFreeNs: { '32': 5 }, pageSize: 4096 },
  initial: { workerLagNs: [1, 2], migratorCpu: 0, rcuGp: { startedTicksAgo: 0 }, tasksUrgent: 1 },
  kconfig: { PREEMPT_RT: true },
  actors: [
    { kind: 'reader', hold: { uniform: [0, 5] }, start: { ticks: 1, plus: 5 } },
    { kind: 'kfree', loops: 1, allocs: 1, sizes: [32, 64], form: 'single', nice: 0, sampleNs: '1ms' },
    { kind: 'holdout', spin: 5, sleep: { exp: 3 } },
    { kind: 'exiter', gap: 5, exit: 1, tail: 0 },
    { kind: 'updater', api: 'call_srcu', calls: 1, gap: { lcg: { seed: 1, stream: 0, lo: 0, hi: 3 } } },
  ],
  stop: { whenDone: true, afterNs: '1ms' },
};
const WORDS = [
  '',
  '1ms',
  '-1',
  '5us',
  '1e999',
  'srcu',
  'kfree',
  '__proto__',
  'constructor',
  'toString',
  '\u0000',
  '\ud800',
];
const junkValue = fc.oneof(
  { weight: 3, arbitrary: fc.anything({ withNullPrototype: true, withBigInt: true, maxDepth: 3 }) },
  fc.constantFrom<unknown>(
    ...WORDS,
    Number.NaN,
    Number.POSITIVE_INFINITY,
    -1,
    0.5,
    2 ** 53,
    null,
    undefined,
    [],
    {},
  ),
);

/** Every place in `value`, as a list of keys. */
function placesIn(value: unknown, at: readonly string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [[...at]];
  return [[...at], ...Object.entries(value).flatMap(([key, child]) => placesIn(child, [...at, key]))];
}
function withJunk(value: unknown, [key, ...rest]: readonly string[], junk: unknown): unknown {
  if (key === undefined) return junk;
  if (Array.isArray(value))
    return value.map((entry, i) => (String(i) === key ? withJunk(entry, rest, junk) : entry));
  return {
    ...(value as object),
    [key]: withJunk((value as Record<string, unknown> | undefined)?.[key], rest, junk),
  };
}

const places = placesIn(VALID);
const mutations = fc
  .array(fc.tuple(fc.nat(places.length - 1), junkValue, fc.constantFrom('', ...WORDS)), {
    minLength: 1,
    maxLength: 3,
  })
  .map((list) =>
    list.reduce<unknown>((json, [place, junk, key]) => {
      const path = places[place] as string[];
      return withJunk(json, key === '' ? path : [...path, key], junk);
    }, VALID),
  );

function checkMessages(problems: readonly { readonly message: string }[]): void {
  for (const { message } of problems) {
    expect(message.length).toBeGreaterThan(5);
    expect(message.length).toBeLessThan(2000);
    expect(message).not.toMatch(/\n|\[object/);
  }
}

describe('junk', () => {
  it.each([
    ['anything', fc.anything({ withBigInt: true, withDate: true, withMap: true }), 2000],
    ['a configuration with junk in it', mutations, 2500],
  ])('JSON: %s', (_what, arbitrary, numRuns) => {
    fc.assert(
      fc.property(arbitrary as fc.Arbitrary<unknown>, (json) => {
        const parsed = parseConfig(json, smallScenarios);
        if (parsed.ok) return;
        expect(parsed.problems.length).toBeGreaterThan(0);
        checkMessages(parsed.problems);
      }),
      { numRuns },
    );
  });

  const keys = [
    ...[
      'v',
      'sc',
      'k',
      'hz',
      'cpus',
      'preempt',
      'seed',
      'jiffies',
      'stop',
      'machine',
      'w',
      'd',
      't',
      'cur',
      'sel',
    ],
    ...[
      'panel',
      'lock',
      'paused',
      'theme',
      'a0.hold',
      'a0.start',
      'a1.calls',
      'a9.cpu',
      'a0.__proto__',
      '__proto__',
    ],
    ...['rules.sched', 'initial.workerLagNs', 'kconfig.PREEMPT_RT', 'machine.__proto__', 'params', 'actors'],
    ...BOOT_PARAMS.map((param) => param.name),
    ...[...MACHINE_FIELDS.keys()].map((name) => `machine.${name}`),
    ...[...SRCU_PARAMS, ...RCU_PARAMS, ...KVFREE_PARAMS, ...TASKS_PARAMS, ...INERT_PARAMS].map(
      (param) => param.name,
    ),
    ...['initial.rcuGp', 'initial.gpKthreadCpu', 'a0.domain', 'a1.api', 'a1.cookie'],
    ...['initial.tasksUrgent', 'a0.loops', 'a0.sizes', 'a0.nice', 'a0.resched', 'a0.sampleNs', 'a1.sleep'],
  ];
  const texts = fc.oneof(
    fc.string({ maxLength: 30, unit: 'binary' }),
    fc.constantFrom(
      ...WORDS,
      '0..3ms',
      'list:/',
      'lcg:1/2',
      'cpus:',
      '1.',
      '1.AAAA',
      'gp:',
      '..',
      '3ticks+',
      '%',
      '%ff',
      'storm',
      'pair',
      '0-99',
      'all',
      'nohz,0-N:1/2',
      'domain,',
      'rcu',
      'synchronize_rcu',
      'startedTicksAgo:3',
      '32/64',
      '32:5ns/64:1us',
      '32:/:5',
      'kvfree_rcu_barrier',
      'tasks-trace',
      'maybe',
    ),
    fc.constantFrom(...PROFILES.map((profile) => profile.id)),
  );
  const hashes = fc.oneof(
    fc.string({ maxLength: 200, unit: 'binary' }),
    fc
      .array(fc.tuple(fc.constantFrom(...keys), texts), { maxLength: 8 })
      .map((pairs) => `#${pairs.map(([key, text]) => `${key}=${text}`).join('&')}`),
  );

  it('links: what they come to is always a valid configuration', () => {
    fc.assert(
      fc.property(hashes, (hash) => {
        const { input, notices } = decodeLink(hash, smallScenarios, 'pair');
        expect(parseConfig(input, smallScenarios).ok).toBe(true);
        checkMessages(notices);
      }),
      { numRuns: 2500 },
    );
  });

  const parameters = fc.constantFrom(
    ...[...SRCU_PARAMS, ...RCU_PARAMS, ...INERT_PARAMS].map((param) => param.name),
    ...BOOT_PARAMS.map((param) => param.name),
    'nr_cpus',
    'preempt',
    'rcutree.jiffies_to_sched_qs',
    'rcutree.bogus',
    'quiet',
    '--',
    '"',
    'GRUB_CMDLINE_LINUX',
    'srcutree.__proto__',
    'root',
  );
  const commandLines = fc.oneof(
    fc.string({ maxLength: 200, unit: 'binary' }),
    fc
      .array(fc.tuple(parameters, fc.constantFrom('=', '="', ' ', "='", ''), texts), { maxLength: 8 })
      .map((words) => words.map((word) => word.join('')).join(' ')),
  );

  it('command lines: what they set is always allowed', () => {
    fc.assert(
      fc.property(commandLines, fc.constantFrom(...PROFILES.map(({ id }) => id)), (text, kernel) => {
        const { input, words, notices } = parseKernelCommandLine(text, { kernel, cpus: 4 });
        const actors = [{ kind: 'updater', api: 'call_srcu', calls: 1 }];
        expect(parseConfig({ ...input, kernel, actors }, smallScenarios)).toMatchObject({ ok: true });
        checkMessages(notices);
        for (const { fate, why } of words) expect(fate === 'set' || why !== undefined).toBe(true);
      }),
      { numRuns: 3000 },
    );
  });
});
