import fc from 'fast-check';
import { strToU8, zlibSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import type { ConfigInput } from '../configInput.ts';
import { parseConfig } from '../parseConfig.ts';
import { decodeLink } from './decodeLink.ts';
import { encodeLink } from './encodeLink.ts';
import { inputs, smallScenarios, views } from './link.testkit.ts';
import { MAX_HASH_CHARS } from './linkHash.ts';
import { encodeWorkload } from './workloadCode.ts';

const decode = (link: string) => decodeLink(link, smallScenarios, 'pair');
const messages = (link: string) => decode(link).notices.map((notice) => notice.message);
function encode(input: ConfigInput, view = {}): string {
  const result = encodeLink(input, view, smallScenarios);
  if (!result.ok) throw new Error(result.problem.message);
  return result.hash;
}
function configOf(input: ConfigInput) {
  const parsed = parseConfig(input, smallScenarios);
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.config;
}

describe('encoding', () => {
  it('writes what differs from the scenario, with units, and nothing else', () => {
    const input: ConfigInput = {
      scenario: 'storm',
      kernel: 'v5.19-patch-v1',
      hz: 250,
      seed: 42,
      rules: { 'srcu.cbdelay': 'v5.19-640a' },
      params: { 'srcutree.srcu_max_nodelay_phase': 100, 'srcutree.srcu_max_nodelay': 100 },
      machine: { creditSliceNs: 3_000_000 },
      stop: { afterNs: 40_000_000 },
    };
    const view = { t: { fromNs: 12_400_000, toNs: 18_000_000 }, sel: { of: 'gp', index: 7 } };
    expect(encode(input, view)).toBe(
      'v=1&sc=storm&k=v5.19-patch-v1&machine.creditSliceNs=3ms&seed=42&srcutree.srcu_max_nodelay_phase=100' +
        '&stop=40ms&sel=gp:7&t=12.4ms..18ms',
    );
  });

  it('writes single keys of actors, and a workload when their structure differs', () => {
    const [reader, updater] = smallScenarios.find('pair')?.actors ?? [];
    const changed = { ...reader, hold: { exp: '1ms' }, start: { ticks: 3, plus: 7 }, idle: '5us' };
    const parsed = parseConfig({ scenario: 'pair', actors: [changed, updater] }, smallScenarios);
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
    expect(encode(parsed.input)).toBe('v=1&sc=pair&a0.hold=exp:1ms&a0.idle=5us&a0.start=3ticks+7ns');
    expect(encode({ scenario: 'pair', actors: [updater] } as ConfigInput)).toMatch(
      /^v=1&sc=pair&w=1\.[A-Za-z0-9_-]+$/,
    );
  });

  it('writes passNs as one key', () => {
    expect(encode({ scenario: 'storm', machine: { passNs: 7000 } })).toBe('v=1&sc=storm&machine.passNs=7us');
  });

  it('writes costs that are ranges as from..to, never as passNs', () => {
    const machine = { passLoopNs: [9_100, 12_000], cbWorkNs: [9_100, 12_000], udelayPerUsNs: [900, 1000] };
    const hash = encode({ scenario: 'storm', machine });
    expect(hash).toBe(
      'v=1&sc=storm&machine.cbWorkNs=9.1us..12us&machine.passLoopNs=9.1us..12us&machine.udelayPerUsNs=900..1000',
    );
    expect(configOf(decode(hash).input).machine).toMatchObject(machine);
    expect(configOf(decode('sc=pair&machine.switchNs=1..3us').input).machine.switchNs).toEqual([1000, 3000]);
  });

  it('says when a workload is too large', () => {
    const list = Array.from({ length: 9000 }, (_, i) => (i * 7919) % 1_000_003);
    const actors = [{ kind: 'reader', hold: { list } }] as unknown as NonNullable<ConfigInput['actors']>;
    const result = encodeLink({ actors, stop: { afterNs: 1 } }, {}, smallScenarios);
    expect(result).toMatchObject({
      ok: false,
      problem: { message: expect.stringContaining('at most 8192') },
    });
  });

  it('is undone by decoding: the same run, the same view', () => {
    fc.assert(
      fc.property(inputs, views, (input, view) => {
        const parsed = parseConfig(input, smallScenarios);
        if (!parsed.ok) throw new Error('the test makes valid configurations');
        const decoded = decode(`#${encode(parsed.input, view)}`);
        expect(decoded.notices).toEqual([]);
        expect(decoded.view).toEqual(view);
        expect(configOf(decoded.input)).toEqual(parsed.config);
        expect(encode(decoded.input, view)).toBe(encode(parsed.input, view));
      }),
      { numRuns: 200 },
    );
  });
});

describe('decoding', () => {
  it('reads a hash with and without #, and a whole URL', () => {
    for (const start of ['', '#', 'https://example.org/x/?y=1#']) {
      expect(decode(`${start}v=1&sc=storm&hz=300`)).toMatchObject({
        input: { scenario: 'storm', hz: 300 },
        notices: [],
      });
    }
  });

  it('applies the rest when something is unknown or invalid', () => {
    const link = '#v=1&sc=storm&hz=5&foo=1&cpus=16&srcutree.srcu_max_nodelay=7&a1.cpu=1&theme=pink&lock=1';
    const { input, view, notices } = decode(link);
    expect(input).toEqual({ scenario: 'storm', cpus: 16 });
    expect(view).toEqual({ lock: true });
    expect(notices.map(({ message }) => message.split(': ').slice(0, 2).join(': ')).sort()).toEqual([
      'a1.cpu: "1"',
      'foo: "1"',
      'hz: "5"',
      'srcutree.srcu_max_nodelay: "7"',
      'theme: "pink"',
    ]);
    expect(notices.find(({ path }) => path === 'srcutree.srcu_max_nodelay')).toMatchObject({
      isAbsent: true,
      message: expect.stringContaining('v5.19-patch-v1 and later'),
    });
  });

  it('takes a value that the kernel would cut as the kernel does, with a notice', () => {
    const { input, notices } = decode('sc=pair&rcu_nocbs=0-15&nohz_full=1-9&cpus=8');
    expect(input.params).toEqual({ rcu_nocbs: '0-7', nohz_full: '1-7' });
    expect(notices.map(({ message }) => message)).toEqual([
      'rcu_nocbs: "0-15": CPUs from 0 to 7 (cpus is 8); the kernel makes it 0-7',
      'nohz_full: "1-9": CPUs from 0 to 7 (cpus is 8); the kernel makes it 1-7',
    ]);
    expect(decode('sc=pair&rcu_nocbs=5-9&cpus=4').input.params).toBeUndefined();
  });

  it.each([
    ['v=2&sc=storm', /^v: "2": this program reads versions up to 1/],
    ['sc=nothing', /^sc: "nothing": unknown scenario; there are storm, pair/],
    ['sc=storm&sc=pair', /^sc: "storm": given twice; the last one counts, "pair"/],
    ['sc=storm&junk', /^link: "junk": ignored: key=value/],
    ['sc=storm&hz=%E0%A4', /^link: "hz=%E0%A4": ignored: it has a damaged %-escape/],
    ['sc=storm&machine=typical&machine.passNs=3us', /^machine\.passNs: "3us": with preset "plain" only/],
    ['sc=storm&a0.gapMode=sleep', /^a0\.gapMode: "sleep": machine\.requester: "credit": with api/],
    ['sc=storm&rcutree.bogus=5', /^rcutree\.bogus: "5": not known here/],
    ['sc=pair&initial.rcuGp=soon', /^initial\.rcuGp: "soon": idle, startedTicksAgo:0 to 1000, or/],
    ['sc=pair&rcutree.use_softirq=maybe', /^rcutree\.use_softirq: "maybe": Y or N/],
    ['sc=pair&machine.switchNs=2us..1us', /^machine\.switchNs: "2us\.\.1us": .*least first/],
    ['sc=pair&machine.switchNs=soon', /^machine\.switchNs: "soon": a duration .* 0\.\.3ms/],
    ['sc=pair&machine.udelayPerUsNs=1us', /^machine\.udelayPerUsNs: "1us": a number .* 900\.\.1000/],
    ['sc=storm&machine.foo=5', /^machine\.foo: "5": unknown key/],
    ['sc=pair&rcu_nocbs=5-9', /^rcu_nocbs: "5-9": CPUs from 0 to 3/],
    ['sc=pair&skew_tick=2', /^skew_tick: "2": 0 or 1/],
    ['sc=pair&stop=x', /^stop: "x": done, a duration .*\(40ms\), or both: done,40ms/],
    ['sc=pair&stop=0', /^stop: "0": done, a duration from 1 to/],
    ['sc=pair&a0.hold=3x', /^a0\.hold: "3x": a duration \(1\.5ms\), 0\.\.3ms \(least first\), exp:1ms/],
    ['sc=pair&a0.hold=3..1ms', /^a0\.hold: "3\.\.1ms": .*least first/],
    ['w=2.abc', /^w: "2\.abc": a workload that starts with "1\."/],
    ['w=1.????', /^w: "1\.\?\?\?\?": after "1\." base64url only/],
    ['w=1.AAAA', /^w: "1\.AAAA": damaged/],
  ])('%s', (link, message) => {
    const found = messages(link);
    expect(found).toHaveLength(1);
    expect(found[0]).toMatch(message);
  });

  it.each(['a0.hold', 'a0.start', 'a0.stagger', 'stop', 'machine.switchNs', 'machine.kfreeFreeNs'])(
    'names the longest duration where %s is longer',
    (key) => {
      for (const text of ['9000000s', '9007199254740992', '0..2000000s', '100ticks+2000000s']) {
        expect(messages(`sc=pair&${key}=${text}`)).toEqual([expect.stringContaining('10^15')]);
      }
    },
  );

  it.each([
    'a0.hold=9007199254740992',
    'a0.hold=lcg:9007199254740992/0/0..3ms',
    'a0.hold=list:9007199254740992/1ms',
    'a0.start=9999999999ticks',
    'a0.stagger=9007199254740992',
    'initial.rcuGp=startedTicksAgo:9007199254740992',
    'initial.workerLagNs=9007199254740992',
    'machine.jiffyRace=2',
    'machine.jiffyRace=cpus:9999',
    'machine.kfreeFreeNs=32:9007199254740992',
    'machine.udelayPerUsNs=9007199254740992',
  ])('says how links write it, not JSON, where a number is too large: %s', (text) => {
    const [message = '', ...more] = messages(`sc=pair&${text}`);
    const why = message.replace(/^[^"]*"[^"]*": /, '').replace(/; ignored, .*$/, '');
    expect([why, more]).toEqual([expect.stringMatching(/^[^"{}[\]]+$/), []]);
  });

  it('refuses a hash that is too long', () => {
    expect(messages(`sc=storm&x=${'y'.repeat(MAX_HASH_CHARS)}`)).toEqual([
      expect.stringMatching(/^link: .*too long: 8203 characters, at most 8192/),
    ]);
  });

  it('takes what cannot stand alone as the fallback scenario', () => {
    expect(decode('').input).toEqual({ scenario: 'pair' });
    expect(decode('hz=300').input).toEqual({ scenario: 'pair', hz: 300 });
    expect(decode('sc=nothing&hz=300').input).toEqual({ scenario: 'pair', hz: 300 });
  });

  it('says what stands in for a scenario that there is not', () => {
    expect(messages('sc=nothing&hz=300')).toEqual([
      'sc: "nothing": unknown scenario; there are storm, pair; pair instead',
    ]);
    expect(messages('w=1.AAAA')[0]).toMatch(/; pair instead$/);
    expect(messages('sc=nothing&w=1.AAAA')).toHaveLength(2);
  });

  it('takes the default for a variant that a scenario does not have, and says so', () => {
    const withVariants = {
      ...smallScenarios,
      find: (name: string) => smallScenarios.find(name.replace(/:(long|short)$/, '')),
      variantsOf: (id: string) => (id === 'storm' ? ['long', 'short'] : undefined),
    };
    const link = decodeLink('#v=1&sc=storm:x&hz=1000', withVariants, 'pair');
    expect(link.input).toEqual({ scenario: 'storm:long', hz: 1000 });
    expect(link.notices.map(({ message }) => message)).toEqual([
      'sc: "storm:x": unknown variant; storm has long, short; storm:long instead',
    ]);
    expect(decodeLink('sc=storm:short', withVariants, 'pair').notices).toEqual([]);
  });

  it.each([
    ['sc=pair&hz=0', 'hz: "0": a whole number from 24 to 1200; ignored, 250 stays'],
    ['sc=storm&cpus=1e9', 'cpus: "1e9": a whole number from 1 to 4096; ignored, 8 stays'],
    ['sc=pair&preempt=rt', 'preempt: "rt": full, voluntary or none; ignored, full stays'],
    ['hz=0&k=v5.18&a0.times=x', 'a0.times: "x": a whole number from 1 to 2^53-1; ignored'],
    ['sc=pair&initial.constructor=1', /^initial\.constructor: "1": unknown key; .*; ignored$/],
    ['sc=pair&a0.hold=x', /; ignored, 0\.\.3ms stays$/],
    ['sc=pair&initial.workerLagNs=x', /; ignored, 50us\/1ms stays$/],
    ['sc=storm&srcutree.srcu_max_nodelay_phase=x', /; ignored, 200 stays$/],
    ['sc=storm&rules.srcu.cbdelay=x', /; ignored, v5\.19-640a stays$/],
  ])('says what stays: %s', (link, message) => {
    const found = messages(link).at(-1);
    if (typeof message === 'string') expect(found).toBe(message);
    else expect(found).toMatch(message);
  });

  it('refuses a workload that inflates to more than 64 KiB', () => {
    const bomb = encodeWorkload([' '.repeat(70_000)]);
    expect(bomb.length).toBeLessThan(MAX_HASH_CHARS);
    expect(messages(`w=${bomb}`)).toEqual([expect.stringContaining('at most 65536 bytes after inflating')]);
    const wrapped = Buffer.from(zlibSync(strToU8('[]'))).toString('base64url');
    expect(messages(`w=1.${wrapped}`)).toHaveLength(1);
  });
});
