import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { cli, json } from './cli.testkit.ts';

const file = (name: string) => `test-data/cases/${name}.txt`;

describe('import', () => {
  it('says how full blocks were', async () => {
    const { blocks, ...rest } = await json(['import', file('f05'), '--json']);
    expect(rest).toEqual({});
    expect(blocks.capacity).toBe(510);
    expect(blocks.sections.map(({ all }: { all: { n: number } }) => all.n)).toEqual([15, 12]);
    const { out, err } = await cli(['import', file('f05')]);
    expect(err).toBe('');
    expect(out).toMatch(/510 pointers each \(the least that fits; --kernel says it\)/);
    expect(out).toMatch(/all +15 +20\.53 +5 +98 +4\.0 % +10 +0 /);
    expect(out).toMatch(/all +12 +302\.5 +260 +510 +59\.3 % +0 +4 /);
  });

  it('with a kernel says what a block holds there and how long objects wait', async () => {
    const { out } = await cli(['import', file('f05'), '--kernel', 'v6.1', '--hz', '1000']);
    expect(out).toMatch(/510 pointers each\n/);
    expect(out).toMatch(/v6\.1, HZ=1000: An object sits .* 5 s to 5\.512 s .* 510 objects .*1 ms to 2 ms/);
    const { life } = await json(['import', file('f05'), '--json', '--kernel', 'v5.10']);
    expect(life).toMatchObject({ kernel: 'v5.10', hz: 250, drain: { jiffies: 5, mostNs: 24_000_000 } });
  });

  it('says so where a kernel cannot have written it', async () => {
    const { err, out } = await cli(['import', file('f05'), '--kernel', 'v6.12']);
    expect(err).toBe('notice: v6.12 has blocks of 507 pointers, but 510 fit what was seen\n');
    expect(out).toMatch(/^blocks of kfree_rcu\(\), 510 pointers/);
    const early = await cli(['import', file('f05'), '--kernel', 'v5.4']);
    expect(early.err).toBe('notice: v5.4 has no blocks, but 510 fit what was seen\n');
  });

  it('leaves out a block that no kernel has, and says so', async () => {
    const line = (records: number) =>
      `k-1 [000] 1.0: rcu_invoke_kfree_bulk_callback: rcu_preempt bulk=00000000ab nr_records=${records}`;
    const { blocks } = await json(['import', '-', '--json'], `${line(9)}\n${line(8190)}\n`);
    expect(blocks).toMatchObject({ capacity: 8190, sections: [{ all: { n: 2 } }] });
    const { err, out } = await cli(['import', '-'], `${line(9)}\n${line(99_999)}\n`);
    expect(err).toBe('notice: line 2: nr_records=99999: a block holds 1 to 8190 pointers\n');
    expect(out).toMatch(/^all +1 +9 /m);
    const many = await cli(['import', '-'], `${line(9)}\n${line(0)}\n${line(0)}\n${line(0)}\n`);
    expect(many.err).toBe('notice: line 2: nr_records=0: a block holds 1 to 8190 pointers (and 2 more)\n');
  });

  it('says what is wrong with every line also where nothing is left', async () => {
    const bulk = (rest: string) => `k-1 [000] 1.0: rcu_invoke_kfree_bulk_callback: rcu_preempt ${rest}\n`;
    const text = `${bulk('bulk=0x1 nr_records=0')}${bulk('nr=1')}Total time taken by all kfree'ers: -5 ns\n`;
    const { status, out, errors } = await cli(['import', '-'], text);
    expect([status, out]).toEqual([2, '']);
    expect(errors).toEqual([
      'line 1: nr_records=0: a block holds 1 to 8190 pointers',
      'line 2: not what rcu_invoke_kfree_bulk_callback prints: rcu_preempt nr=1',
      "line 3: not what rcuscale prints: Total time taken by all kfree'ers: -5 ns",
      expect.stringMatching(/^-: nothing that import reads/),
    ]);
  });

  it('leaves out of a comparison what there is nothing of', async () => {
    const line = (ns: number) =>
      `Total time taken by all kfree'ers: ${ns} ns, loops: 5, batches: 0, memory footprint: 1MB\n`;
    const { out } = await cli(['import', '-'], `# a\n${line(100)}# b\n${line(200)}`);
    expect(out).toContain('against "a": time 2, footprint 1.00\n');
  });

  it('prints as many rows as there are', async () => {
    const text = "Total time taken by all kfree'ers: 100 ns, loops: 1, batches: 2\n".repeat(130_000);
    const { status, out } = await cli(['import', '-'], text);
    expect([status, out.split('\n').length]).toEqual([0, 130_000 + 5]);
  });

  it('reads results of the kfree test', async () => {
    const { kfree } = await json(['import', '-', '--json'], readFileSync(file('l16'), 'utf8'));
    expect(kfree).toHaveLength(3);
    const { out } = await cli(['import', file('l16')]);
    expect(out).toMatch(/14\.16 s +20000 +1590 +8\.903 +unknown/);
    expect(out).toMatch(/6\.601 s +10000 +1108 +5\.957 +5061 MB/);
    expect(out).toMatch(/-3 MB \(an artefact: memory came free meanwhile\)/);
    expect(out).toMatch(
      /against "variant B \(nocb, before polling API\)": time 0\.92, batches 1\.45, footprint 0\.0245/,
    );
  });

  it('reads stalls of RCU Tasks and says what would end them', async () => {
    const { tasks } = await json(['import', file('l17'), '--json']);
    expect(tasks).toMatchObject({
      hz: 1000,
      stalls: [{ holdouts: [{ cpu: 61 }] }, { holdouts: [{ cpu: 7 }] }],
    });
    const { out } = await cli(['import', file('l17')]);
    expect(out).toMatch(/grace period 91 is 402071 jiffies = 402\.1 s old/);
    expect(out).toMatch(/CPU 61, nohz_full: napi\/eth1-8270 \(pid 48310, R\), nvcsw 2, now 2: no voluntary/);
    expect(out).toMatch(/CPU 7: osnoise\/7 /);
  });

  it('reads a file that holds everything, and names what it does not understand', async () => {
    const all = ['f05', 'l16', 'l17'].map((name) => readFileSync(file(name), 'utf8')).join('\n');
    const { out, err } = await cli(['import', '-'], `${all}\nTotal time taken by all kfree'ers: 1\n`);
    for (const part of [/^blocks of/m, /^results of/m, /^rcu_tasks: grace period 91/m])
      expect(out).toMatch(part);
    expect(err).toMatch(/lines of the trace are not understood: line \d+: not a trace event/);
    expect(err).toMatch(/notice: line \d+: not what rcuscale prints/);
  });

  it.each<[string, readonly string[], RegExp]>([
    ['no file', ['import'], /^what to import is missing/],
    ['two files', ['import', 'a', 'b'], /^b: import takes one file/],
    ['no such file', ['import', '/nowhere.txt'], /^\/nowhere\.txt: cannot be read/],
    [
      'another trace',
      ['import', 'test-data/traces/gp-idle.txt'],
      /^test-data\/traces\/gp-idle\.txt: nothing that import reads, which is: /,
    ],
    ['hz alone', ['import', file('f05'), '--hz', '250'], /^--hz: it goes with --kernel/],
    ['unknown kernel', ['import', file('f05'), '--kernel', 'v9'], /^--kernel: v9: v4\.17, /],
  ])('bad input: %s', async (_what, words, message) => {
    const { status, out, errors } = await cli(words);
    expect([status, out]).toEqual([2, '']);
    expect(errors).toEqual([expect.stringMatching(message)]);
  });
});
