/** Whom a classic grace period waits for, and every way off its list (spec tasks 2.1, 3 step 4, 4.2, 6). */
import { describe, expect, it } from 'vitest';
import type { Actor, SimConfig } from '../config.ts';
import {
  KIND,
  RTGS,
  TASKS_EXIT,
  TASKS_FLAVOR,
  TASKS_HOLDOUT,
  TASKS_STALL,
  TASKS_WHY,
} from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import type { EventRow } from '../core/rows.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import { type ConfigParts, load, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';
import type { Run } from '../run.ts';
import { courseOf, exiter, holdoutFor, MS, removedBy, statesOf, tasksCall } from './tasks.testkit.ts';

const CLASSIC = TASKS_FLAVOR.classic;
const SECOND = 1000 * MS;

function run(actors: readonly Actor[], parts: Partial<ConfigParts> = {}): Run {
  const all = [tasksCall('synchronize_rcu_tasks', { start: 5 * MS }), ...actors];
  return runToEnd(simConfig({ stop: { whenDone: true, afterNs: 8 * SECOND }, ...parts, actors: all }));
}
function trackOf({ info }: Run, name: string): number {
  return info.tracks.find((track) => track.name === name)?.id ?? -1;
}
/** Why this task was taken off, undefined: it never was. */
function why(done: Run, name: string): number | undefined {
  return removedBy(done.log).get(trackOf(done, name));
}
function holdoutRows(log: EventLog, what: number): EventRow[] {
  return rowsOf(log, KIND.rcu_tasks_holdout).filter(({ a }) => a === what);
}
const shared: Partial<ConfigParts> = { preset: 'virtual-1gips' };

describe('the loop', () => {
  it('takes its course', () => {
    const { log } = run([holdoutFor(150 * MS)]);
    const { PRE_WAIT_GP, SCAN_TASKLIST, POST_SCAN_TASKLIST, WAIT_SCAN_HOLDOUTS, SCAN_HOLDOUTS } = RTGS;
    const scan = [WAIT_SCAN_HOLDOUTS, SCAN_HOLDOUTS];
    expect(courseOf(log, CLASSIC)).toEqual([
      ...[RTGS.WAIT_GP, PRE_WAIT_GP, SCAN_TASKLIST, POST_SCAN_TASKLIST, ...scan, ...scan],
      ...[RTGS.POST_GP, RTGS.INVOKE_CBS],
    ]);
  });

  it('says after each scan how many are left and when the next one comes', () => {
    const { log } = run([holdoutFor(300 * MS), holdoutFor(100 * MS, { cpu: 2 })]);
    const scans = rowsOf(log, KIND.rcu_tasks_scan).map(({ a, c, d }) => [a, c, d]);
    expect(scans).toEqual([
      [2, 1, 26],
      [1, 1, 27],
      [1, 0, 0],
    ]);
  });

  it('a scan takes tasksScanTaskNs a task', () => {
    const { log } = run([holdoutFor(150 * MS)], { machine: { tasksScanTaskNs: 1000 } });
    const [scan] = statesOf(log, CLASSIC, RTGS.SCAN_TASKLIST);
    const [after] = statesOf(log, CLASSIC, RTGS.POST_SCAN_TASKLIST);
    // rcu_preempt, the kthread, an updater, a holdout
    expect((after?.timeNs ?? 0) - (scan?.timeNs ?? 0)).toBe(4000);
  });
});

describe('4.2: off the list', () => {
  it('by a voluntary switch, though it runs again at the scan', () => {
    const busy: Actor = { ...holdoutFor(0), spin: { list: [80 * MS, 3000 * MS] }, sleep: MS };
    const done = run([busy]);
    expect(why(done, 'holdout/0')).toBe(TASKS_WHY.voluntarySwitch);
    expect(rowsOf(done.log, KIND.rcu_tasks_scan)).toHaveLength(1);
  });

  it('because it is not runnable', () => {
    expect(why(run([holdoutFor(80 * MS)]), 'holdout/0')).toBe(TASKS_WHY.notRunnable);
  });

  it.each<[string, Partial<ConfigParts>]>([
    ['plain', {}],
    ['shared CPUs', shared],
  ])('by the next tick in user mode, without a switch (%s)', (_, parts) => {
    const done = run([load({ cpu: 1, mode: 'user', spin: 3600 * SECOND })], parts);
    expect(why(done, 'load/0')).toBe(TASKS_WHY.userTick);
    const [added] = holdoutRows(done.log, TASKS_HOLDOUT.added).filter(({ d }) => d === 1);
    const [released] = holdoutRows(done.log, TASKS_HOLDOUT.released);
    expect((released?.timeNs ?? 0) - (added?.timeNs ?? 0)).toBeGreaterThan(0);
    expect((released?.timeNs ?? 0) - (added?.timeNs ?? 0)).toBeLessThanOrEqual(4 * MS);
  });

  it('in user mode on a nohz_full CPU, where no tick comes', () => {
    const done = run([load({ cpu: 1, mode: 'user', spin: 3600 * SECOND })], { params: { nohz_full: '1' } });
    expect(why(done, 'load/0')).toBe(TASKS_WHY.nohzFull);
    expect(holdoutRows(done.log, TASKS_HOLDOUT.released)).toEqual([]);
  });

  it.each<[string, Partial<ConfigParts>]>([
    ['plain', {}],
    ['shared CPUs', shared],
    ['shared CPUs, not preemptible', { ...shared, preempt: 'none' }],
  ])('not by cond_resched(), nor by preemption (%s)', (_, parts) => {
    const rival = load({ cpu: 1, spin: 5 * MS, idle: 5 * MS });
    const done = run([load({ cpu: 1, spin: MS }), rival], parts);
    expect(why(done, 'load/0')).toBeUndefined();
    if (done.info.contended) expect(why(done, 'load/1')).toBeDefined();
    expect(statesOf(done.log, CLASSIC, RTGS.POST_GP)).toEqual([]);
  });

  it('by cond_resched_tasks_rcu_qs() of a kthread that invokes callbacks for long', () => {
    // rcuop of CPU 3 has work for a second and does not sleep
    const flood = updater({ api: 'call_rcu', domain: 'rcu', cpu: 3, batch: 400, calls: 1, start: 0 });
    const late = tasksCall('synchronize_rcu_tasks', { start: 60 * MS });
    const done = runToEnd(
      simConfig({
        ...shared,
        machine: { rcuCbNs: 3 * MS },
        params: { rcu_nocbs: '3' },
        actors: [late, flood, holdoutFor(300 * MS)],
      }),
    );
    const rcuop = trackOf(done, 'rcuop/3');
    const released = holdoutRows(done.log, TASKS_HOLDOUT.released).filter(({ track }) => track === rcuop);
    expect(released.map(({ c }) => c)).toEqual([TASKS_WHY.condResched]);
    expect(removedBy(done.log).get(rcuop)).toBe(TASKS_WHY.condResched);
  });

  it('nobody joins the list later, and nobody is on it twice', () => {
    const done = run([holdoutFor(250 * MS), { ...holdoutFor(SECOND), cpu: 3, start: 100 * MS }]);
    const added = holdoutRows(done.log, TASKS_HOLDOUT.added).map(({ track }) => track);
    expect(added).toEqual([trackOf(done, 'holdout/0')]);
  });
});

describe('tasks that exit', () => {
  /** Exits from before the scan of the task list until long after it. */
  const slow = exiter({ gap: 10 * MS, exit: 300 * MS, tail: 20 * MS });
  const kernel = (exit: 'v6.1' | 'v6.12'): Partial<ConfigParts> => ({ rules: { 'tasks.exit': exit } });

  function times(
    log: EventLog,
  ): Record<'finish' | 'gone' | 'postScan' | 'loop' | 'end' | 'callbacks', number> {
    const exit = (what: number) => rowsOf(log, KIND.rcu_tasks_exit).find(({ a }) => a === what)?.timeNs ?? -1;
    const state = (what: number) => statesOf(log, CLASSIC, what)[0]?.timeNs ?? -1;
    return {
      finish: exit(TASKS_EXIT.finish),
      gone: exit(TASKS_EXIT.gone),
      postScan: state(RTGS.POST_SCAN_TASKLIST),
      loop: state(RTGS.WAIT_SCAN_HOLDOUTS),
      end: state(RTGS.POST_GP),
      callbacks: state(RTGS.INVOKE_CBS),
    };
  }

  it('are waited for with synchronize_srcu() up to 6.8', () => {
    const done = run([slow], kernel('v6.1'));
    const { postScan, finish, end } = times(done.log);
    expect(holdoutRows(done.log, TASKS_HOLDOUT.added)).toEqual([]);
    expect(postScan).toBeLessThan(finish);
    expect(end).toBeGreaterThan(finish);
    expect(rowsOf(done.log, KIND.srcu_gp_end)).toHaveLength(1);
    const [lock] = rowsOf(done.log, KIND.srcu_lock);
    expect([lock?.track, lock?.timeNs]).toEqual([trackOf(done, 'exiter/0'), 10 * MS]);
  });

  it('an idle domain costs microseconds: it is expedited', () => {
    const { log } = run([exiter({ gap: 5 * SECOND })], kernel('v6.1'));
    const { postScan, end } = times(log);
    // two passes of plain
    expect(end - postScan).toBe(10_000);
  });

  it('are holdouts from 6.9 on, and leave by their last schedule', () => {
    const done = run([{ ...slow, gap: { list: [10 * MS, 3 * SECOND] } }], kernel('v6.12'));
    const { postScan, gone, end } = times(done.log);
    expect(rowsOf(done.log, KIND.srcu_lock)).toEqual([]);
    const [added] = holdoutRows(done.log, TASKS_HOLDOUT.added);
    expect([added?.track, added?.timeNs]).toEqual([trackOf(done, 'exiter/0'), postScan]);
    expect(end).toBeGreaterThan(gone);
    expect(why(done, 'exiter/0')).toBe(TASKS_WHY.notRunnable);
  });

  it('the last stretch, off every list, is what the second synchronize_rcu() waits for', () => {
    const tail = exiter({ gap: 10 * MS, exit: MS, tail: 100 * MS });
    // not preemptible: its CPU has no quiescent state before its last schedule
    for (const exit of ['v6.1', 'v6.12'] as const) {
      const { log } = run([tail, holdoutFor(20 * MS)], { ...shared, ...kernel(exit) });
      const { gone, callbacks } = times(log);
      expect(callbacks).toBeGreaterThan(gone);
    }
  });

  it('is on the task list again as the next one', () => {
    const done = run([exiter({ gap: MS, exit: 2 * MS, tail: MS })], { stop: { afterNs: 50 * MS } });
    const rows = rowsOf(done.log, KIND.rcu_tasks_exit);
    expect(rows.slice(0, 4).map(({ a, timeNs }) => [a, timeNs / MS])).toEqual([
      [TASKS_EXIT.start, 1],
      [TASKS_EXIT.finish, 3],
      [TASKS_EXIT.gone, 4],
      [TASKS_EXIT.start, 5],
    ]);
  });
});

describe('6: messages', () => {
  const stuck = holdoutFor(3600 * SECOND);
  const messages = ({ log }: Run, what: number) =>
    rowsOf(log, KIND.rcu_tasks_stall).filter(({ a }) => a === what);
  const upTo = (seconds: number, parts: Partial<ConfigParts> = {}): Run =>
    run([stuck], { hz: 100, stop: { afterNs: seconds * SECOND }, ...parts });
  const age = (rows: readonly EventRow[]): number[] => rows.map(({ c }) => Math.round(c / 100));

  it('info lines come 10, 40, 130 and 400 s after the hold-out phase began, at the next scan', () => {
    // as in a real log with HZ=1000: 10.7, 40.8, 131.3 and 402.1 s
    expect(age(messages(upTo(420), TASKS_STALL.info))).toEqual([10, 40, 131, 402]);
  });

  it('there are none before 5.18', () => {
    expect(messages(upTo(60, { kernel: 'v5.10' }), TASKS_STALL.info)).toEqual([]);
  });

  it('a stall names who is left, every rcu_task_stall_timeout, and ends the info lines', () => {
    const params = { 'rcupdate.rcu_task_stall_timeout': 2000 };
    const done = upTo(65, { params });
    expect(age(messages(done, TASKS_STALL.stall))).toEqual([20, 40, 61]);
    expect(age(messages(done, TASKS_STALL.info))).toEqual([10]);
    const named = messages(done, TASKS_STALL.holdout);
    expect(new Set(named.map(({ track }) => track))).toEqual(new Set([trackOf(done, 'holdout/0')]));
    expect(named.map(({ c, d }) => [c, d])).toEqual([
      [0, 0],
      [0, 0],
      [0, 0],
    ]);
  });

  it('rcu_task_stall_info_mult stretches them', () => {
    const params = { 'rcupdate.rcu_task_stall_info': 500, 'rcupdate.rcu_task_stall_info_mult': 1 };
    const first = age(messages(upTo(22, { params }), TASKS_STALL.info));
    expect(first).toEqual([5, 10, 15, 21]);
  });

  it('6.6 repeats a message while tasks that exit are waited for', () => {
    const late = exiter({ gap: 10 * MS, exit: 35 * SECOND });
    const parts: Partial<ConfigParts> = { hz: 100, stop: { afterNs: 34 * SECOND } };
    expect(age(messages(run([late], { ...parts, kernel: 'v6.6' }), TASKS_STALL.exit))).toEqual([10, 20, 31]);
    expect(messages(run([late], { ...parts, kernel: 'v6.1' }), TASKS_STALL.exit)).toEqual([]);
  });
});

describe('PREEMPT_RT', () => {
  const sleepOf = (parts: Partial<ConfigParts>): number => {
    const config: Partial<SimConfig> = { kconfig: { PREEMPT_RT: true } };
    const { log } = run([holdoutFor(150 * MS)], { ...config, ...parts });
    const [from] = statesOf(log, CLASSIC, RTGS.WAIT_SCAN_HOLDOUTS);
    const [to] = statesOf(log, CLASSIC, RTGS.SCAN_HOLDOUTS);
    return ((to?.timeNs ?? 0) - (from?.timeNs ?? 0)) / MS;
  };

  it('sleeps on an hrtimer: to the end of its slack on a CPU whose tick has stopped', () => {
    expect(sleepOf({ machine: { idleTick: 'immediate' } })).toBe(600);
  });

  it('to the next tick on one whose tick runs', () => {
    // the kthread shares its CPU with a load (plain)
    const busy = load({ cpu: 0, mode: 'user', spin: 3600 * SECOND });
    const { log } = run([holdoutFor(150 * MS), busy], { kconfig: { PREEMPT_RT: true } });
    const [from] = statesOf(log, CLASSIC, RTGS.WAIT_SCAN_HOLDOUTS);
    const [to] = statesOf(log, CLASSIC, RTGS.SCAN_HOLDOUTS);
    expect((to?.timeNs ?? 0) - (from?.timeNs ?? 0)).toBe(100 * MS);
  });

  it('on the wheel before 5.11', () => {
    expect(sleepOf({ kernel: 'v5.10', rules: { 'tasks.exit': 'v6.12' } })).toBe(104);
  });
});
