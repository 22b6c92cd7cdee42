import { describe, expect, it } from 'vitest';
import { MACHINE_ENTRY_IDS, presetMachine } from '../engine/machine/presets.ts';
import { bootArguments } from './bootArguments.ts';
import { isCostEntry } from './machineFields.ts';
import { CALL, configOf, messagesOf } from './parseConfig.testkit.ts';
import { parseConfig } from './parseConfig.ts';

describe('boot parameters', () => {
  const params = {
    rcu_nocbs: '2-31:1/2',
    rcu_nocb_poll: true,
    nohz_full: '1,3-N',
    isolcpus: 'nohz,domain,1-3',
    skew_tick: '1',
  };

  it('are kept in the syntax of the kernel, and a notice says that they change nothing', () => {
    const parsed = parseConfig({
      cpus: 32,
      params: { ...params, 'skew-tick': 1, skew_tick: undefined },
      actors: [CALL],
    });
    expect(parsed.ok).toBe(false);
    const good = parseConfig({ cpus: 32, params, actors: [CALL] });
    if (!good.ok) throw new Error(good.problems[0]?.message);
    expect(good.config.params).toMatchObject({ ...params, rcu_nocb_poll: 1, skew_tick: 1 });
    expect(good.notices.map(({ message }) => message)).toEqual([
      'params.rcu_nocbs: "2-31:1/2": no effect: no actor uses Tree RCU',
      'params.rcu_nocb_poll: 1: no effect: no actor uses Tree RCU',
      'params.nohz_full: "1,3-N": no effect: no actor uses Tree RCU',
      'params.isolcpus: "nohz,domain,1-3": no effect: no actor uses Tree RCU',
      'params.skew_tick: 1: no effect: no actor uses Tree RCU',
    ]);
    expect(configOf(JSON.parse(JSON.stringify(good.config)))).toEqual(good.config);
    expect(bootArguments(good.config)).toBe(
      'rcu_nocbs=2-31:1/2 rcu_nocb_poll nohz_full=1,3-N isolcpus=nohz,domain,1-3 skew_tick=1',
    );
  });

  it.each<[object, string]>([
    [{ rcu_nocbs: '0-7' }, '"0-7": CPUs from 0 to 3 (cpus is 4); the kernel makes it 0-3'],
    [{ rcu_nocbs: '8-9' }, '"8-9": CPUs from 0 to 3 (cpus is 4)'],
    [
      { nohz_full: 'all' },
      '"all": the boot CPU, 0, has to do the work of the others; the kernel makes it 1-3',
    ],
    [{ isolcpus: 'domain,0-3' }, 'the kernel makes it domain,1-3'],
    [{ isolcpus: 'domains,1-3' }, '"domains" is no CPU and no range of CPUs'],
    [{ nohz_full: '' }, '"": it names no CPU; a CPU list as the kernel reads it'],
    [{ rcu_nocbs: '3-1' }, '"3-1" is no range of CPUs'],
    [{ rcu_nocbs: 3 }, 'rcu_nocbs: 3: a CPU list as the kernel reads it'],
    [{ rcu_nocb_poll: false }, 'rcu_nocb_poll: false: true, 1 or empty text; the kernel reads no value'],
    [{ skew_tick: 2 }, 'skew_tick: 2: 0 or 1'],
    [{ 'srcutree.exp_holdoff': true }, 'exp_holdoff: true: a whole number'],
  ])('refuses %j', (wrong, message) => {
    expect(messagesOf({ params: wrong, actors: [CALL] })).toEqual([expect.stringContaining(message)]);
  });
});

describe('costs that are ranges', () => {
  const machineOf = (machine: object) => configOf({ machine, actors: [CALL] }).machine;

  it('takes [lo, hi] for every entry in ns, and one value where both are the same', () => {
    const plain = presetMachine('plain');
    for (const entry of MACHINE_ENTRY_IDS) {
      if (!isCostEntry(entry) || entry === 'passFirstCheckNs') continue;
      const least = entry === 'passLoopNs' ? plain.passFirstCheckNs : 0;
      const machine = machineOf({ preset: 'plain', [entry]: [least, '9us'] });
      expect(machine[entry]).toEqual([least, 9000]);
    }
    expect(machineOf({ switchNs: ['900ns', '2us'] }).switchNs).toEqual([900, 2000]);
    expect(machineOf({ switchNs: [900, '900ns'] }).switchNs).toBe(900);
    expect(machineOf({ passFirstCheckNs: [0, 5000] }).passFirstCheckNs).toEqual([0, 5000]);
  });

  it.each<[object, RegExp]>([
    [{ switchNs: [2, 1] }, /^machine\.switchNs: \[2,1\]: .*\[lo, hi\] of two, lo <= hi/],
    [{ switchNs: [1] }, /^machine\.switchNs: \[1\]: /],
    [{ switchNs: [1, 2, 3] }, /^machine\.switchNs: \[1,2,3\]: /],
    [{ switchNs: [0.5, 2] }, /^machine\.switchNs: \[0\.5,2\]: /],
    [{ switchNs: [0, 1e15 + 1] }, /^machine\.switchNs: .*10\^15/],
    [{ switchNs: '1us..2us' }, /^machine\.switchNs: "1us\.\.2us": /],
    [{ udelayPerUsNs: [991.8, 1000] }, /^machine\.udelayPerUsNs: .*whole ones/],
    [{ udelayPerUsNs: [0, 1_000_001] }, /^machine\.udelayPerUsNs: .*0 to 1000000/],
    [{ timerSelfExpire: [0, 1] }, /^machine\.timerSelfExpire: .*a number from 0 to 1/],
    [{ preset: 'plain', passNs: [1, 2] }, /^machine\.passNs: \[1,2\]: /],
    [{ passFirstCheckNs: [0, 5001] }, /^machine\.passFirstCheckNs: \[0,5001\]: at most passLoopNs \(5000\)/],
    [{ passLoopNs: [999, 5000] }, /^machine\.passFirstCheckNs: 1000: at most passLoopNs \(\[999,5000\]\)/],
  ])('refuses %j', (machine, message) => {
    expect(messagesOf({ machine, actors: [CALL] })).toEqual([expect.stringMatching(message)]);
  });
});
