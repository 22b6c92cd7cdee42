/** Configurations of kfree_rcu(): actors, calls, machine, parameters, and what says that it has no effect. */
import { describe, expect, it } from 'vitest';
import { presetMachine } from '../engine/machine/presets.ts';
import { describeParam } from './describeParam.ts';
import { decodeLink } from './link/decodeLink.ts';
import { encodeLink } from './link/encodeLink.ts';
import { smallScenarios } from './link/link.testkit.ts';
import { CALL, configOf, messagesOf } from './parseConfig.testkit.ts';
import { parseConfig } from './parseConfig.ts';
import { parseKernelCommandLine } from './parseKernelCommandLine.ts';

const KFREE = { kind: 'kfree', loops: 10, allocs: 8000 } as const;
const OBJS = 'rcutree.rcu_min_cached_objs';
const DELAY = 'rcutree.rcu_delay_page_cache_fill_msec';

/** Messages of what was accepted and changes nothing. */
function noticesOf(json: object): string[] {
  const parsed = parseConfig(json);
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.notices.map(({ message }) => message);
}

describe('kfree actors', () => {
  it('have the defaults of docs/configuration.md, and end by themselves', () => {
    expect(configOf({ actors: [KFREE] })).toMatchObject({
      stop: { whenDone: true },
      actors: [
        {
          kind: 'kfree',
          cpu: 0,
          count: 1,
          start: 0,
          stagger: 0,
          loops: 10,
          allocs: 8000,
          sizes: [32],
          form: 'double',
          resched: true,
          nice: 19,
          sampleNs: 0,
        },
      ],
    });
  });

  it('are read as they are given, and can be read again', () => {
    const given = { ...KFREE, count: 4, sizes: [32, 8192], form: 'mixed', resched: false, nice: -20 };
    const config = configOf({ actors: [{ ...given, sampleNs: '1ms', start: { ticks: 2 } }] });
    expect(config.actors[0]).toMatchObject({ ...given, sampleNs: 1_000_000, start: { ticks: 2, plus: 0 } });
    expect(configOf(JSON.parse(JSON.stringify(config)))).toEqual(config);
  });

  it.each<[string, object, RegExp]>([
    ['no loops', { loops: undefined }, /^actors\[0\]\.loops: missing: a whole number from 1 to 2\^53-1$/],
    ['no allocs', { allocs: 0 }, /^actors\[0\]\.allocs: 0: a whole number from 1/],
    [
      'no size',
      { sizes: [] },
      /^actors\[0\]\.sizes: \[\]: a list of 1 to 64 sizes, whole bytes from 1 to 8192$/,
    ],
    ['a size', { sizes: 32 }, /^actors\[0\]\.sizes: 32: a list/],
    ['size 0', { sizes: [32, 0] }, /^actors\[0\]\.sizes: \[32,0\]: a list/],
    ['large size', { sizes: [8193] }, /^actors\[0\]\.sizes: \[8193\]: a list/],
    ['many sizes', { sizes: new Array(65).fill(8) }, /^actors\[0\]\.sizes: .*1 to 64 sizes/],
    ['form', { form: 'triple' }, /^actors\[0\]\.form: "triple": double, single or mixed$/],
    ['nice', { nice: 20 }, /^actors\[0\]\.nice: 20: a whole number from -20 to 19$/],
    ['resched', { resched: 1 }, /^actors\[0\]\.resched: 1: true or false$/],
    ['sampling', { sampleNs: -1 }, /^actors\[0\]\.sampleNs: -1: a duration/],
    ['key', { mult: 1 }, /^actors\[0\]\.mult: 1: unknown key; allowed: kind, cpu, .*sizes, form/],
    [
      'objects',
      { loops: 2 ** 50, allocs: 4, count: 4 },
      /^actors\[0\]\.loops: \d+: at most 562949953421311 with these allocs and count/,
    ],
    ['threads', { count: 65_535 }, /^actors: "65537 threads": at most \d+ threads/],
  ])('refuse %s', (_what, part, message) => {
    expect(messagesOf({ actors: [{ ...KFREE, ...part }] })).toEqual([expect.stringMatching(message)]);
  });

  it.each(['single', 'mixed'])('have form "%s" from 5.10 on', (form) => {
    const json = { actors: [{ ...KFREE, form }] };
    expect(messagesOf({ ...json, kernel: 'v5.7' })).toEqual([
      `actors[0].form: "${form}": "double": kernel v5.7 does not have the one-argument form (v5.10 and later)`,
    ]);
    expect(messagesOf({ ...json, kernel: 'v5.10' })).toEqual([]);
    expect(messagesOf({ ...json, kernel: 'v5.7', rules: { 'kvfree.oneArg': 'v6.12' } })).toEqual([]);
  });
});

describe('kvfree_rcu_barrier', () => {
  it('is a call of 6.12, or of its rule, and belongs to Tree RCU', () => {
    const call = { ...CALL, api: 'kvfree_rcu_barrier' };
    expect(messagesOf({ kernel: 'v6.10', actors: [call] })).toEqual([
      'actors[0].api: "kvfree_rcu_barrier": kernel v6.10 does not have it (v6.12 and later)',
    ]);
    const json = { kernel: 'v6.10', rules: { 'kvfree.barrier': 'v6.12' }, actors: [call] };
    expect(configOf(json).actors[0]).toMatchObject({ domain: 'rcu' });
    expect(messagesOf({ actors: [{ ...call, domain: 'srcu' }] })).toEqual([
      'actors[0].domain: "srcu": "rcu" with api kvfree_rcu_barrier',
    ]);
  });
});

describe('its machine', () => {
  const machineOf = (machine: object) => configOf({ machine, actors: [KFREE] }).machine;

  it('is that of the preset, entry by entry', () => {
    const plain = { kfreeAllocQueueNs: 1, kfreeFreeNs: 0, memoryBytes: 4 * 2 ** 30, pageSize: 4096 };
    expect(presetMachine('plain')).toMatchObject({ ...plain, allocator: 'slub', kfreeStuckCpus: 0 });
    const given = { kfreeFreeNs: { '256': '1us', '32': 40 }, kfreeRemoteFactor: 1.25, memoryBytes: 5e9 };
    expect(machineOf(given)).toEqual({
      ...presetMachine('typical'),
      ...given,
      kfreeFreeNs: { '32': 40, '256': 1000 },
    });
  });

  it.each<[object, RegExp]>([
    [
      { kfreeFreeNs: {} },
      /^machine\.kfreeFreeNs: {}: a duration: .*, or a map of 1 to 64 sizes from 1 to 8192 bytes/,
    ],
    [{ kfreeFreeNs: { '32': -1 } }, /^machine\.kfreeFreeNs: /],
    [{ kfreeFreeNs: { '0': 1 } }, /^machine\.kfreeFreeNs: /],
    [{ kfreeFreeNs: { '8193': 1 } }, /^machine\.kfreeFreeNs: /],
    [{ kfreeFreeNs: { '1e2': 1 } }, /^machine\.kfreeFreeNs: /],
    [{ kfreeFreeNs: [1, 2] }, /^machine\.kfreeFreeNs: \[1,2\]: /],
    [{ kfreeRemoteFactor: 0.9 }, /^machine\.kfreeRemoteFactor: 0\.9: a number from 1 to 1000$/],
    [{ kfreeRetention: '2' }, /^machine\.kfreeRetention: "2": a number from 1 to 1000$/],
    [{ kfreeStuckCpus: 1.5 }, /^machine\.kfreeStuckCpus: 1\.5: a whole number from 0 to 4096$/],
    [{ memoryBytes: 0 }, /^machine\.memoryBytes: 0: a whole number from 1 to 2\^53-1$/],
    [{ memoryBytes: '4GiB' }, /^machine\.memoryBytes: "4GiB": a whole number/],
    [{ pageSize: 8192 }, /^machine\.pageSize: 8192: 4096, 16384 or 65536$/],
    [{ allocator: 'slob' }, /^machine\.allocator: "slob": slub or slab$/],
    [{ kfreePageNs: { '32': 1 } }, /^machine\.kfreePageNs: .*\[lo, hi\]/],
  ])('refuses %j', (machine, message) => {
    expect(messagesOf({ machine, actors: [KFREE] })).toEqual([expect.stringMatching(message)]);
  });
});

describe('its parameters', () => {
  const paramsOf = (json: object) => {
    const { params } = configOf({ actors: [KFREE], ...json });
    return [params[OBJS], params[DELAY]];
  };

  it('are those of the kernel and of the rules in force', () => {
    expect(paramsOf({})).toEqual([5, 5000]);
    expect(paramsOf({ kernel: 'v5.10' })).toEqual([5, undefined]);
    expect(paramsOf({ kernel: 'v5.7' })).toEqual([undefined, undefined]);
    expect(paramsOf({ kernel: 'v5.7', rules: { 'kvfree.cache': 'v6.1' } })).toEqual([5, 5000]);
    expect(messagesOf({ kernel: 'v5.10', params: { [DELAY]: 1 }, actors: [KFREE] })).toEqual([
      `params.${DELAY}: 1: kernel v5.10 does not have it (v5.18 and later)`,
    ]);
  });

  it('are cut as the kernel cuts them: an error in JSON, a notice in a link', () => {
    expect(messagesOf({ params: { [DELAY]: 100_001 }, actors: [KFREE] })).toEqual([
      `params.${DELAY}: 100001: a whole number from 0 to 100000 (ms); the kernel makes it 100000`,
    ]);
    const { input, notices } = decodeLink(`sc=pair&${DELAY}=100001`, smallScenarios, 'pair');
    expect(input.params).toEqual({ [DELAY]: 100_000 });
    expect(notices.map(({ message }) => message)).toEqual([
      `${DELAY}: "100001": a whole number from 0 to 100000 (ms); the kernel makes it 100000`,
    ]);
    const parsed = parseKernelCommandLine(`${OBJS}=0`, configOf({ actors: [KFREE] }));
    expect(parsed).toMatchObject({ words: [{ name: OBJS }] });
  });

  it('come to something', () => {
    const meaning = (name: string, json: object) =>
      describeParam(name, configOf({ actors: [KFREE], ...json }))?.meaning;
    expect(meaning(OBJS, {})).toBe('5 pages kept per CPU for blocks: 80 KiB in all');
    expect(meaning(OBJS, { cpus: 64, machine: { pageSize: 65536 } })).toMatch(/: 20 MiB in all$/);
    expect(meaning(OBJS, { params: { [OBJS]: 0 } })).toBe('no page is kept for blocks');
    expect(meaning(DELAY, {})).toMatch(/^after memory was short no page is kept for 5 s/);
  });

  it('and its option have no effect without it', () => {
    const json = { params: { [OBJS]: 50 }, kconfig: { DEBUG_OBJECTS_RCU_HEAD: true } };
    expect(noticesOf({ ...json, actors: [KFREE] })).toEqual([]);
    expect(noticesOf({ ...json, actors: [{ ...CALL, api: 'synchronize_rcu' }] })).toEqual([
      `params.${OBJS}: 50: no effect: no actor calls kfree_rcu()`,
      'kconfig.DEBUG_OBJECTS_RCU_HEAD: true: no effect: no actor calls kfree_rcu()',
    ]);
    expect(noticesOf({ ...json, actors: [CALL] })).toHaveLength(2);
  });
});

describe('in a link', () => {
  const scenarios = {
    ...smallScenarios,
    find: (name: string) => (name === 'flood' ? { actors: [KFREE] } : undefined),
  };

  it('is written with the text forms of its keys', () => {
    const input = {
      scenario: 'flood',
      kernel: 'kvfree-polled-2022-11-02',
      rules: { 'kvfree.wait': 'per-block' },
      machine: {
        kfreeAllocQueueNs: { '32': 238, '256': 280 },
        kfreeRemoteFactor: 1.25,
        kfreeStuckCpus: 2,
        pageSize: 65536,
        allocator: 'slab',
      },
      actors: [
        { ...KFREE, sizes: [32, 64, 96, 128], form: 'single', resched: false, nice: -5, sampleNs: 1e6 },
      ],
    } as const;
    const encoded = encodeLink(input, {}, scenarios);
    if (!encoded.ok) throw new Error(encoded.problem.message);
    expect(encoded.hash.split('&')).toEqual([
      'v=1',
      'sc=flood',
      'k=kvfree-polled-2022-11-02',
      'a0.form=single',
      'a0.nice=-5',
      'a0.resched=false',
      'a0.sampleNs=1ms',
      'a0.sizes=32/64/96/128',
      'machine.allocator=slab',
      'machine.kfreeAllocQueueNs=32:238ns/256:280ns',
      'machine.kfreeRemoteFactor=1.25',
      'machine.kfreeStuckCpus=2',
      'machine.pageSize=65536',
      'rules.kvfree.wait=per-block',
    ]);
    const decoded = decodeLink(encoded.hash, scenarios, 'flood');
    expect(decoded.notices).toEqual([]);
    expect(parseConfig(decoded.input, scenarios)).toMatchObject({
      ok: true,
      config: { machine: input.machine, actors: input.actors, rules: input.rules },
    });
  });

  it.each([
    ['a0.sizes=32,64', '1 to 64 sizes from 1 to 8192 bytes, cycled: 32 or 32/64/96/128'],
    ['a0.sizes=', '1 to 64 sizes from 1 to 8192 bytes, cycled: 32 or 32/64/96/128'],
    ['a0.sizes=0', '1 to 64 sizes from 1 to 8192 bytes, cycled: 32 or 32/64/96/128'],
    ['a0.nice=x', 'a whole number from -20 to 19'],
    ['a0.constructor=x', 'unknown key; allowed: kind, cpu'],
    [
      'machine.kfreeFreeNs=32:1ns/32:2ns',
      'a duration (238ns), or one for each of 1 to 64 sizes from 1 to 8192 bytes',
    ],
    [
      'machine.kfreeFreeNs=32:1ns:2',
      'a duration (238ns), or one for each of 1 to 64 sizes from 1 to 8192 bytes',
    ],
    ['machine.kfreeFreeNs=x', 'a duration (238ns), or one for each'],
    ['machine.kfreeFreeNs=9999:1ns', 'for each of 1 to 64 sizes from 1 to 8192 bytes'],
    ['machine.kfreeStuckCpus=-1', 'a whole number from 0 to 4096'],
    ['machine.memoryBytes=1GB', 'a whole number from 1'],
  ])('junk is a notice: %s', (text, message) => {
    const { input, notices } = decodeLink(`sc=flood&${text}`, scenarios, 'flood');
    expect(notices.map((notice) => notice.message)).toEqual([expect.stringContaining(message)]);
    expect(parseConfig(input, scenarios)).toMatchObject({ ok: true });
  });
});
