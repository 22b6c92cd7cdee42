/** Who runs when on CPUs that tasks share: S2 to S5 of §8.6, the costs of 11.1, draws of idle exits (R1.18). */
import { describe, expect, it } from 'vitest';
import { Bench } from './bench.testkit.ts';
import { KIND } from './eventKinds.ts';
import { drawAt } from './random.ts';
import type { Task } from './task.ts';

const MS = 1_000_000;
type Parts = ConstructorParameters<typeof Bench>[0];

/** Notes the time of a step. */
function note(bench: Bench, times: number[]): (task: Task) => void {
  return (task) => {
    times.push(bench.sim.nowNs);
    task.work(0);
  };
}

describe('a wake-up on an idle CPU', () => {
  it('of a new task costs the interrupt, the idle exit and the wake-up with its switch (S5, 11.1)', () => {
    const costs = { ipiNs: 600, idleExitNs: 1000, wakeIdleNs: 1900, switchNs: 900 };
    const bench = new Bench({ machine: costs });
    const task = bench.task(1, 5000, (self) => self.work(300));
    bench.runTo(MS);
    const ranNs = 5000 + 600 + 1000 + 1900;
    expect(bench.switches(1)).toEqual([
      [ranNs, task.track],
      [ranNs + 300, -1],
    ]);
  });

  it('by its own hrtimer needs no interrupt from elsewhere, and takes one switch more for its own', () => {
    const bench = new Bench({ machine: { ipiNs: 600, idleExitNs: 1000, wakeIdleNs: 1900, switchNs: 900 } });
    const task = bench.task(
      1,
      0,
      (self) => self.sleepUntil(100_000),
      (self) => self.work(1),
    );
    bench.runTo(MS);
    const times = bench.switches(1).filter(([, track]) => track === task.track);
    expect(times[1]?.[0]).toBe(100_000 + 1000 + 1900 + 900);
  });

  it('takes as long as the draw of (seed, CPU, ordinal of the exit) says, whatever others do', () => {
    const machine = { idleExitNs: 1000, idleExitJitterNs: 1000 };
    const exits = (othersAwake: boolean) => {
      const bench = new Bench({ seed: 7, machine });
      const starts = [1, 2, 3, 4, 5, 6].map((i) => i * MS);
      for (const startNs of starts) bench.task(1, startNs, (task) => task.work(10));
      if (othersAwake)
        for (const startNs of [1, 2, 3]) bench.task(2, startNs * MS - 7, (task) => task.work(10));
      bench.runTo(10 * MS);
      const begun = bench.switches(1).filter(([, track]) => track >= 0);
      return begun.map(([timeNs], i) => timeNs - (starts[i] as number));
    };
    const expected = [0, 1, 2, 3, 4, 5].map((n) => 1000 + Math.floor(drawAt(7, 'idle-exit', 1, n) * 1000));
    expect(exits(false)).toEqual(expected);
    expect(exits(true)).toEqual(expected);
    expect(new Set(expected).size).toBeGreaterThan(1);
  });
});

describe('a switch', () => {
  it('costs switchNs before the next task goes on', () => {
    const bench = new Bench({ kernel: 'v6.1', machine: { switchNs: 900 } });
    const first = bench.task(0, 0, (task) => task.work(10_000));
    const times: number[] = [];
    const second = bench.task(0, 1000, (task) => task.work(500), note(bench, times));
    bench.runTo(MS);
    // out of idle the switch is in wakeIdleNs, 0 here
    const endNs = 10_000;
    expect(bench.switches(0).slice(0, 2)).toEqual([
      [0, first.track],
      [endNs, second.track],
    ]);
    expect(times).toEqual([endNs + 900 + 500]);
  });

  it.each([
    // C5 on 8 CPUs: the first tick after more than 12 ms; then the second task, which ends before its turn does
    ['full', [0, 1, 0, 0]],
    // the cond_resched() after 20 ms, then the end of both
    ['none', [0, 2, 0, 0]],
  ] as const)(
    'says how the previous task came off: blocked 0, preempted 1, yielded 2; preempt %s',
    (preempt, how) => {
      const bench = new Bench({ kernel: 'v6.1', cpus: 8, preempt });
      const yielding = (task: Task) => {
        task.yields = true;
        task.spinUntil(100 * MS);
      };
      bench.task(0, 0, (task) => task.work(20 * MS), yielding);
      bench.busy(0, 1, 30 * MS);
      bench.runTo(200 * MS);
      const switches = bench.rows.filter(({ kind, track }) => kind === KIND.sched_switch && track === 0);
      expect(switches.map(({ c }) => c)).toEqual(how);
    },
  );
});

/** A long busy task on CPU 0; another that sleeps from `blockNs` and is woken at `wakeNs` from CPU `from`. */
function wakeBusy(parts: Parts, from: number, userMode = false) {
  const bench = new Bench({ kernel: 'v6.1', ...parts });
  const times: number[] = [];
  const woken = bench.task(0, 0, (task) => task.block(), note(bench, times));
  const busy = bench.task(
    0,
    1000,
    (task) => task.work(9.5 * MS),
    (task) => {
      task.yields = true;
      task.work(20 * MS);
    },
  );
  busy.userMode = userMode;
  bench.at(5 * MS, () => bench.shared.wake(woken, from, false));
  bench.runTo(60 * MS);
  return times[0] as number;
}

describe('a wake-up on a busy CPU (S3)', () => {
  // C2 on 4 CPUs: the woken task is 9 ms behind the running one, more than the granularity of 3 ms
  it('takes it at once with PREEMPT', () => {
    expect(wakeBusy({ cpus: 4, preempt: 'full' }, 0)).toBe(5 * MS);
  });

  it('from another CPU when the interrupt arrives', () => {
    expect(wakeBusy({ cpus: 4, preempt: 'full', machine: { ipiNs: 600 } }, 2)).toBe(5 * MS + 600);
  });

  it.each(['none', 'voluntary'] as const)('waits for the next cond_resched() with preempt %s', (preempt) => {
    expect(wakeBusy({ cpus: 4, preempt }, 0)).toBe(1000 + 9.5 * MS);
    expect(wakeBusy({ cpus: 4, preempt }, 2)).toBe(1000 + 9.5 * MS);
  });

  it('takes it at once from a task in user mode on every kernel', () => {
    expect(wakeBusy({ cpus: 4, preempt: 'none' }, 0, true)).toBe(5 * MS);
  });

  it('by an hrtimer comes after hrtimerBusyNs', () => {
    const bench = new Bench({ kernel: 'v6.1', machine: { hrtimerBusyNs: 1200 } });
    const times: number[] = [];
    bench.task(0, 0, (task) => task.sleepUntil(3 * MS), note(bench, times));
    bench.busy(0, 1000, 50 * MS);
    bench.runTo(MS * 60);
    expect(times).toEqual([3 * MS + 1200]);
  });
});

describe('time off the CPU', () => {
  /** Two tasks on one CPU of 8 with C5 turns of 12 ms, both from 0 on. */
  function shareCpu(first: (task: Task) => void, second: (task: Task) => void): number[] {
    const bench = new Bench({ kernel: 'v6.1', cpus: 8 });
    const ends: number[] = [];
    bench.task(0, 0, first, note(bench, ends));
    bench.task(0, 1, second);
    bench.runTo(400 * MS);
    return ends;
  }

  it('does not count as work done', () => {
    const [endNs] = shareCpu(
      (task) => task.work(40 * MS),
      (task) => task.work(200 * MS),
    );
    const alone = shareCpu(
      (task) => task.work(40 * MS),
      (task) => task.exit(),
    );
    expect(alone).toEqual([40 * MS]);
    // 40 ms in turns of its own, and the turns of the other between them
    expect(endNs).toBeGreaterThan(60 * MS);
  });

  it('goes on for a task that spins on the clock', () => {
    const [endNs] = shareCpu(
      (task) => task.spinUntil(13 * MS),
      (task) => task.work(3 * MS),
    );
    expect(endNs).toBe(13 * MS);
  });
});

describe('ticks', () => {
  it('share a CPU between two tasks by turns that end at ticks (C5)', () => {
    const bench = new Bench({ kernel: 'v6.1', cpus: 8, hz: 250 });
    const tasks = [bench.busy(0, 0, 100 * MS), bench.busy(0, 1, 100 * MS)];
    bench.runTo(90 * MS);
    const switches = bench.switches(0);
    // more than 12 ms: the tick at 16 ms after the pick
    expect(switches.map(([timeNs]) => timeNs)).toEqual([0, 16, 32, 48, 64, 80].map((ms) => ms * MS));
    expect(switches.map(([, track]) => track)).toEqual([0, 1, 0, 1, 0, 1].map((i) => tasks[i]?.track));
  });

  it('are logged where they take the CPU from a task', () => {
    const bench = new Bench({ kernel: 'v6.1', cpus: 8 });
    bench.busy(0, 0, 100 * MS);
    bench.busy(0, 1, 100 * MS);
    bench.busy(1, 0, 100 * MS);
    bench.runTo(50 * MS);
    const ticks = bench.rows.filter(({ kind }) => kind === KIND.tick);
    expect(ticks.map(({ track, timeNs, a }) => [track, timeNs / MS, a])).toEqual([
      [0, 16, 4],
      [0, 32, 8],
      [0, 48, 12],
    ]);
  });

  it('do not preempt in the kernel with preempt none (S3)', () => {
    const bench = new Bench({ kernel: 'v6.1', cpus: 8, preempt: 'none' });
    const tasks = [bench.busy(0, 0, 45 * MS), bench.busy(0, 1, 45 * MS)];
    bench.runTo(100 * MS);
    expect(bench.switches(0)).toEqual([
      [0, tasks[0]?.track],
      [45 * MS, tasks[1]?.track],
      [45 * MS, -1],
    ]);
  });
});

describe('refund (11.2)', () => {
  it('makes the time not count for v nor for the turn', () => {
    const bench = new Bench({ kernel: 'v6.1', cpus: 8 });
    const states: [v: number, pickedNs: number][] = [];
    const task = bench.task(
      0,
      0,
      (self) => self.work(8 * MS),
      (self) => {
        bench.shared.refund(self, 8 * MS);
        states.push([self.se.v, self.se.pickedNs]);
        self.work(MS);
      },
    );
    bench.runTo(30 * MS);
    // C3: a new task alone on its CPU begins at 6 ms F
    expect(states).toEqual([[24 * MS, 8 * MS]]);
    expect(task.se.v).toBe(25 * MS);
  });
});
