/** Notices of what is accepted: what changes nothing, and what no kernel is. */
import { describe, expect, it } from 'vitest';
import { CALL } from './parseConfig.testkit.ts';
import { parseConfig } from './parseConfig.ts';

const SYNC = { kind: 'updater', api: 'synchronize_rcu', calls: 1 } as const;
const noticesOf = (json: object) => {
  const parsed = parseConfig({ actors: [SYNC], ...json });
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return parsed.notices.map(({ message }) => message);
};

describe('what has no effect', () => {
  it.each<[object, string[]]>([
    [{ params: { 'rcutree.blimit': 20 } }, []],
    [
      { actors: [CALL], params: { 'rcutree.blimit': 20 } },
      ['params.rcutree.blimit: 20: no effect: no actor uses Tree RCU'],
    ],
    // as they are anyway
    [{ actors: [CALL], params: { 'rcutree.blimit': 10, 'rcutree.dump_tree': 'N' } }, []],
    [
      { params: { 'srcutree.exp_holdoff': 0 } },
      ['params.srcutree.exp_holdoff: 0: no effect: no actor uses SRCU'],
    ],
    [{ actors: [CALL, SYNC], params: { 'srcutree.exp_holdoff': 0, 'rcutree.blimit': 20 } }, []],
    [{ actors: [CALL], params: { 'rcupdate.rcu_expedited': 1 } }, []],
    [
      { params: { 'rcupdate.rcu_expedited': 1, 'rcupdate.rcu_normal': 1 } },
      ['params.rcupdate.rcu_expedited: 1: no effect: rcu_normal wins over it'],
    ],
    [
      { params: { 'rcupdate.rcu_expedited': 1, 'rcutree.rcu_normal_wake_from_gp': 1 } },
      [expect.stringMatching(/wake_from_gp: 1: no effect: with rcu_expedited no call waits/)],
    ],
    [
      { params: { 'rcutree.nohz_full_patience_delay': 100 } },
      ['params.rcutree.nohz_full_patience_delay: 100: no effect: there is no nohz_full CPU'],
    ],
    [
      { params: { 'rcutree.dump_tree': 'Y' } },
      ['params.rcutree.dump_tree: 1: no effect: it helps to debug the kernel'],
    ],
    [
      { params: { skew_tick: 1 } },
      ['params.skew_tick: 1: no effect: the ticks of all CPUs are simulated as aligned'],
    ],
    [{ params: { isolcpus: 'nohz,1-3' } }, []],
    [
      { kconfig: { PROVE_RCU: true, RCU_BOOST: true } },
      ['kconfig.RCU_BOOST: true: no effect: priority boosting is not simulated'],
    ],
    [
      { actors: [CALL], kconfig: { PROVE_RCU: true } },
      ['kconfig.PROVE_RCU: true: no effect: no actor uses Tree RCU'],
    ],
    [{ machine: { windowNs: 100 } }, ['machine.windowNs: 100: no effect with preset "typical"']],
    [{ machine: { preset: 'virtual-1gips', windowNs: 100 } }, []],
    [
      { machine: { kfreeRemoteFactor: 2, kvfreeFillNs: 5, pageSize: 65_536 } },
      [
        'machine.kvfreeFillNs: 5: no effect: no actor calls kfree_rcu()',
        'machine.kfreeRemoteFactor: 2: no effect: no actor calls kfree_rcu()',
        'machine.pageSize: 65536: no effect: no actor calls kfree_rcu()',
      ],
    ],
    [{ machine: { kfreeRemoteFactor: 1, kfreeRetention: 1, allocator: 'slub' } }, []],
    [
      {
        actors: [{ ...SYNC, api: 'kvfree_rcu_barrier' }],
        machine: { kvfreeMonitorNs: 5, kfreeRetention: 2 },
      },
      ['machine.kfreeRetention: 2: no effect: no actor calls kfree_rcu()'],
    ],
    [
      {
        actors: [{ kind: 'kfree', loops: 1, allocs: 1 }],
        machine: { kvfreeMonitorNs: 5, kfreeRetention: 2 },
      },
      [],
    ],
    [
      {
        actors: [{ ...CALL, api: 'synchronize_rcu_tasks' }],
        params: { 'srcutree.exp_holdoff': 0, 'rcutree.blimit': 20, 'rcutree.rcu_min_cached_objs': 9 },
      },
      [
        'params.srcutree.exp_holdoff: 0: no effect: no actor uses SRCU',
        'params.rcutree.rcu_min_cached_objs: 9: no effect: no actor calls kfree_rcu()',
      ],
    ],
    ...['none', 'voluntary'].map((preempt): [object, string[]] => [
      { preempt, kconfig: { PREEMPT_RT: true } },
      [
        `preempt: "${preempt}": "full" is all that PREEMPT_RT can be built with; here RCU is preemptible all the same, and tasks in the kernel are not`,
      ],
    ]),
    [{ preempt: 'full', kconfig: { PREEMPT_RT: true } }, []],
    [{ preempt: 'none', kconfig: { PREEMPT_RT: false, PREEMPT_DYNAMIC: true } }, []],
    [{ initial: { rcuGp: { startedTicksAgo: 0 }, gpKthreadCpu: 1 } }, []],
    [
      { actors: [CALL], initial: { rcuGp: 'idle' } },
      ['initial.rcuGp: "idle": no effect: no actor uses Tree RCU'],
    ],
  ])('%j', (json, notices) => {
    expect(noticesOf(json)).toEqual(notices);
  });
});
