import { describe, expect, it } from 'vitest';
import { SRCU_PARAMS } from '../engine/srcu/params.ts';
import { bootArguments } from './bootArguments.ts';
import { describeParam } from './describeParam.ts';
import { parseConfig } from './parseConfig.ts';

function configOf(json: object) {
  const parsed = parseConfig({ actors: [{ kind: 'updater', api: 'call_srcu', calls: 1 }], ...json });
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.config;
}
const PLAIN = { machine: { preset: 'plain' } };
const meaning = (name: string, json: object) => describeParam(name, configOf({ ...PLAIN, ...json }))?.meaning;

describe('what a parameter comes to', () => {
  it('phase limit: the range of polling windows, and what ends them', () => {
    const name = 'srcutree.srcu_max_nodelay_phase';
    expect(meaning(name, { params: { [name]: 101 } })).toBe(
      'polls for 765 us before the first sleep; this limit ends it',
    );
    expect(meaning(name, { hz: 1000 })).toMatch(
      /^polls for 1\.005 ms to 2\.\d+ ms .*; the age of the grace period/,
    );
    expect(meaning(name, { kernel: 'v5.18' })).toBe(
      'kernel v5.18 does not have it (v5.19-patch-v1 and later, and v5.19-fix4)',
    );
  });

  it('per-jiffy limit: passes and time, and whether a jiffy is long enough for it', () => {
    const name = 'srcutree.srcu_max_nodelay';
    expect(meaning(name, {})).toBe(
      '1001 passes of 15 us are 15.02 ms: more than a jiffy of 4 ms, so it never bites',
    );
    expect(meaning(name, { params: { [name]: 99 } })).toBe(
      '100 passes of 15 us are 1.5 ms of a jiffy of 4 ms',
    );
  });

  it('the others', () => {
    expect(
      meaning('srcutree.srcu_retry_check_delay', { params: { 'srcutree.srcu_retry_check_delay': 20 } }),
    ).toBe('a pass takes 45 us: two busy-waits of 20 us, and 5 us of work');
    expect(meaning('srcutree.exp_holdoff', { params: { 'srcutree.exp_holdoff': 0 } })).toMatch(
      /never expedited/,
    );
    expect(meaning('srcutree.exp_holdoff', {})).toMatch(/within 25 us/);
    expect(meaning('srcutree.convert_to_big', { cpus: 128 })).toMatch(
      /^reads 1 after boot with 128 CPUs; .* big/,
    );
    expect(meaning('srcutree.convert_to_big', {})).toMatch(/^reads 16 after boot with 4 CPUs; .* small/);
    const params = { 'experiment.second_retry_delay': 800 };
    expect(meaning('experiment.second_retry_delay', { kernel: 'v5.19-fix4', params })).toBe(
      'a pass takes 810 us: busy-waits of 5 us and 800 us, and 5 us of work',
    );
  });

  it('has a default and releases, and a sentence for every parameter of every kernel', () => {
    expect(describeParam('srcutree.srcu_max_nodelay_phase', configOf({ hz: 1000 }))).toMatchObject({
      defaultValue: 400,
    });
    for (const kernel of ['v4.17', 'v5.18', 'v5.19-fix4', 'v6.12']) {
      for (const { name } of SRCU_PARAMS) {
        expect(describeParam(name, configOf({ kernel }))?.meaning.length).toBeGreaterThan(10);
      }
    }
    expect(describeParam('rcutree.blimit', configOf({}))?.meaning).toBe('no effect: no actor uses Tree RCU');
    expect(describeParam('root', configOf({}))).toBeUndefined();
  });
});

describe('boot arguments', () => {
  it("are what differs from the kernel's defaults", () => {
    expect(bootArguments(configOf({}))).toBe('');
    const params = {
      'srcutree.srcu_max_nodelay_phase': 400,
      'srcutree.exp_holdoff': 25_000,
      'srcutree.srcu_max_nodelay': 7,
    };
    expect(bootArguments(configOf({ params }))).toBe(
      'srcutree.srcu_max_nodelay_phase=400 srcutree.srcu_max_nodelay=7',
    );
    expect(bootArguments(configOf({ params, hz: 1000 }))).toBe('srcutree.srcu_max_nodelay=7');
  });
});
