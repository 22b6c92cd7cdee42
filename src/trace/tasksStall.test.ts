import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { tasksStalls } from './tasksStall.ts';
import { whyHoldout } from './whyHoldout.ts';

const REPORT = readFileSync('test-data/cases/l17.txt', 'utf8');

describe('the report of case l17', () => {
  const { ages, stalls, hz } = tasksStalls(REPORT);

  it('has the ages of one grace period, from which HZ follows', () => {
    expect(ages.map(({ gp, ageJiffies }) => [gp, ageJiffies])).toEqual([
      [91, 10_661],
      [91, 40_801],
      [91, 131_281],
      [91, 402_071],
    ]);
    expect(hz).toBe(1000);
    // 10, 40, 130 and 400 s after the hold-out phase began (tasks 6.2)
    expect(ages.map(({ ageJiffies }) => Math.floor(ageJiffies / 10_000) * 10)).toEqual([10, 40, 130, 400]);
  });

  it('has two stalls, of a polling kthread on a nohz_full CPU and of another one', () => {
    expect(stalls).toHaveLength(2);
    const [first, second] = stalls.map(({ holdouts }) => holdouts);
    expect(first).toEqual([
      {
        ...{ line: 6, isIdle: false, isNohzFull: true, isHoldout: true, idleCpu: -1, cpu: 61 },
        ...{ nvcsw: { snapshot: 2, now: 2 }, comm: 'napi/eth1-8270', pid: 48_310, state: 'R' },
      },
    ]);
    expect(second).toEqual([
      {
        ...{ line: 15, isIdle: false, isNohzFull: false, isHoldout: true, idleCpu: -1, cpu: 7 },
        ...{ nvcsw: { snapshot: 1, now: 1 }, comm: 'osnoise/7', pid: 2133, state: 'R' },
      },
    ]);
  });

  it('says what would release them', () => {
    for (const holdout of stalls.flatMap(({ holdouts }) => holdouts)) {
      expect(whyHoldout(holdout)).toMatch(
        /^no voluntary context switch .* cond_resched\(\) do not count.*cond_resched_tasks_rcu_qs\(\).*rcu_expedited does not help$/,
      );
    }
  });
});

test('other logs: time stamps, another flavour, no dump, an idle task, lines of others between', () => {
  const log = [
    '[  612.104] rcu_tasks_wait_gp: rcu_tasks_trace grace period number 7 (since boot) is 2530 jiffies old.',
    '[ 1200.001] INFO: rcu_tasks detected stalls on tasks:',
    '[ 1200.002] 00000000c0ffee00: I. nvcsw: 0/0 holdout: 1 idle_cpu: -1/3',
    '[ 1200.002] 00000000c0ffee01: .. nvcsw: 5/6 holdout: 1 idle_cpu: -1/2',
    '[ 1200.003] eth0: link becomes ready',
    '[ 1200.004] task:a b            state:D stack:    0 pid:  12 ppid:     1 flags:0x00004000',
    '[ 1200.005] 00000000c0ffee02: .N nvcsw: 5/5 holdout: 1 idle_cpu: 4/4',
    '[ 1200.005] 00000000c0ffee03: .. nvcsw: 5/5 holdout: 0 idle_cpu: -1/0',
  ].join('\n');
  const { ages, stalls, hz } = tasksStalls(log);
  expect([hz, ages[0]?.flavour]).toEqual([250, 'rcu_tasks_trace']);
  const holdouts = stalls[0]?.holdouts ?? [];
  expect(holdouts.map(({ comm, pid, cpu }) => [comm, pid, cpu])).toEqual([
    [undefined, undefined, 3],
    ['a b', 12, 2],
    [undefined, undefined, 4],
    [undefined, undefined, 0],
  ]);
  expect(holdouts.map((holdout) => whyHoldout(holdout).split(':')[0])).toEqual([
    'it is an idle task',
    'it has switched voluntarily since the grace period began',
    'it is in user mode of a nohz_full CPU',
    'its flag is cleared',
  ]);
});

test('the line about exiting tasks names a state, and says nothing of HZ', () => {
  const { ages, hz } = tasksStalls(
    'tasks_rcu_exit_srcu_stall: rcu_tasks grace period number 9 (since boot) gp_state: RTGS_POST_SCAN_TASKLIST is 2502 jiffies old.',
  );
  expect(ages).toEqual([
    { line: 1, flavour: 'rcu_tasks', gp: 9, ageJiffies: 2502, state: 'RTGS_POST_SCAN_TASKLIST' },
  ]);
  expect(hz).toBeUndefined();
});

test.each([
  [1003, 100],
  [3005, 300],
  [2999, 250],
  [12_500, 1000],
  [40_801, undefined],
  [900, undefined],
])('a first age of %i jiffies is HZ=%s', (ageJiffies, expected) => {
  const text = `rcu_tasks grace period number 1 (since boot) is ${ageJiffies} jiffies old.`;
  expect(tasksStalls(text).hz).toBe(expected);
});

test('a text without any of it gives nothing', () => {
  expect(tasksStalls('INFO: rcu_preempt detected stalls on CPUs/tasks:\n')).toEqual({ ages: [], stalls: [] });
});

test('long junk takes no longer than long text', () => {
  const half = 100_000;
  const hard = [
    'task:'.repeat(half / 5),
    `task:a${' '.repeat(half)}`,
    ' .. nvcsw: 1/1 holdout: 1 idle_cpu: -1/1',
    `task:${'a '.repeat(half)}`,
    'rcu_tasks'.repeat(half / 2),
  ];
  const startedMs = performance.now();
  tasksStalls(hard.join('\n'));
  expect(performance.now() - startedMs).toBeLessThan(2000);
});
