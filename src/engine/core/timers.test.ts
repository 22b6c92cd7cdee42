/** When wheel timers fire and who handles them: rules 3.6 and 3.8, R1.15 to R1.17. */
import { describe, expect, it } from 'vitest';
import { Bench } from './bench.testkit.ts';
import { KIND } from './eventKinds.ts';
import { drawAt } from './random.ts';

const MS = 1_000_000;
const T = 4 * MS;
const SRCU_DELAYS = [1, 2, 3, 5];
/** From here on nothing of a test's beginning is left. */
const ARMED = 10;

describe('a timer of k jiffies (3.6)', () => {
  it.each(SRCU_DELAYS)('fires at tick k + 1 after arming, wherever in the jiffy it is armed: k = %i', (k) => {
    for (const afterTickNs of [0, 1, 2 * MS, T - 1]) {
      const bench = new Bench({ kernel: 'v6.1' });
      bench.at(bench.tickNs(ARMED) + afterTickNs, () => bench.timer().arm(1, k));
      expect(bench.runTo(bench.tickNs(ARMED + 20)).expiries).toEqual([[1, ARMED + k + 1]]);
    }
  });

  it('does so on the ticks of 300 HZ and from any jiffies', () => {
    const bench = new Bench({ kernel: 'v6.1', hz: 300, startJiffies: 4_294_667_296 });
    bench.at(bench.tickNs(ARMED) + 5, () => bench.timer().arm(0, 3));
    expect(bench.runTo(bench.tickNs(ARMED + 9)).expiries).toEqual([[0, ARMED + 4]]);
    expect(bench.rows.at(-1)?.timeNs).toBe(Math.floor((1e9 * (ARMED + 4)) / 300));
  });

  it('takes its time from the tick to its handler, more where the CPU must leave idle', () => {
    const costs = { busyToTimersNs: 4100, idleToTimersNs: 2200, idleExitNs: 1000, idleExitJitterNs: 0 };
    const bench = new Bench({ kernel: 'v6.1', machine: costs });
    bench.busy(1, 0, bench.tickNs(40));
    bench.at(bench.tickNs(ARMED), () => {
      bench.timer().arm(1, 1);
      bench.timer().arm(2, 2);
    });
    const { rows } = bench.runTo(bench.tickNs(ARMED + 9));
    const expiries = rows.filter(({ kind }) => kind === KIND.timer_expire_entry);
    expect(expiries.map(({ track, timeNs }) => [track, timeNs])).toEqual([
      [1, bench.tickNs(ARMED + 2) + 4100],
      [2, bench.tickNs(ARMED + 3) + 1000 + 2200],
    ]);
  });

  it('is pending until it fires', () => {
    const bench = new Bench({ kernel: 'v6.1' });
    const timer = bench.timer();
    bench.at(1, () => timer.arm(0, 1));
    expect(timer.isPending).toBe(false);
    expect(bench.runTo(bench.tickNs(2) - 1) && timer.isPending).toBe(true);
    expect(bench.runTo(bench.tickNs(2)) && timer.isPending).toBe(false);
  });
});

describe('timer_reduce() (2.6 step 3)', () => {
  const reduced = (first: number, secondAtTick: number, second: number) => {
    const bench = new Bench({ kernel: 'v6.1' });
    const timer = bench.timer();
    bench.at(bench.tickNs(ARMED), () => timer.arm(1, first));
    bench.at(bench.tickNs(secondAtTick), () => timer.reduce(2, second));
    return bench.runTo(bench.tickNs(ARMED + 20)).expiries;
  };

  it('keeps an earlier expiry, and an equal one with its CPU', () => {
    expect(reduced(2, ARMED + 1, 2)).toEqual([[1, ARMED + 3]]);
    expect(reduced(2, ARMED + 1, 1)).toEqual([[1, ARMED + 3]]);
  });

  it('takes an expiry that is earlier than the pending one', () => {
    expect(reduced(5, ARMED + 1, 1)).toEqual([[2, ARMED + 3]]);
  });

  it('leaves nothing behind on the CPU of the later expiry, which would keep its tick', () => {
    const bench = new Bench({ kernel: 'v6.1' });
    const timer = bench.timer();
    bench.at(bench.tickNs(ARMED), () => timer.arm(1, 5));
    bench.at(bench.tickNs(ARMED + 1), () => timer.reduce(2, 1));
    const due = () => bench.shared.cpus.map(({ timersDue }) => timersDue);
    expect(bench.runTo(bench.tickNs(ARMED + 2)) && due()).toEqual([[], [], [ARMED + 3], []]);
    expect(bench.runTo(bench.tickNs(ARMED + 20)) && due()).toEqual([[], [], [], []]);
  });

  it('arms where nothing is pending', () => {
    expect(reduced(1, ARMED + 5, 3)).toEqual([
      [1, ARMED + 2],
      [2, ARMED + 9],
    ]);
  });
});

/** CPU 3 is busy all the time, CPU 1 arms a timer of k jiffies in a short task and goes idle. */
function armOnIdleCpu(k: number, parts: ConstructorParameters<typeof Bench>[0]): [number, number] {
  const bench = new Bench({ preset: 'plain', ...parts });
  bench.busy(3, 0, bench.tickNs(60));
  const timer = bench.timer();
  bench.task(1, bench.tickNs(ARMED) + 1000, (task) => {
    timer.arm(1, k);
    task.work(5000);
  });
  const [expiry, ...others] = bench.runTo(bench.tickNs(50)).expiries;
  expect(others).toEqual([]);
  return expiry as [number, number];
}

describe('who handles it (3.8)', () => {
  it.each(SRCU_DELAYS)('none: the CPU that armed it, k = %i', (k) => {
    expect(armOnIdleCpu(k, { kernel: 'v6.1' })).toEqual([1, ARMED + k + 1]);
    expect(armOnIdleCpu(k, { kernel: 'v6.6' })).toEqual([1, ARMED + k + 1]);
  });

  it('b: one jiffy stays on the CPU that armed it, as its tick runs until then', () => {
    expect(armOnIdleCpu(1, { kernel: 'v6.12' })).toEqual([1, ARMED + 2]);
    expect(armOnIdleCpu(1, { kernel: 'v6.10' })).toEqual([1, ARMED + 2]);
  });

  it.each([2, 3, 5, 7])('b: %i jiffies go to the migrator', (k) => {
    expect(armOnIdleCpu(k, { kernel: 'v6.12' })).toEqual([3, ARMED + k + 1]);
    expect(armOnIdleCpu(k, { kernel: 'v6.10' })).toEqual([3, ARMED + k + 1]);
  });

  it.each(SRCU_DELAYS)('a, b: with idleTick "immediate" one jiffy goes there too, k = %i', (k) => {
    expect(armOnIdleCpu(k, { machine: { idleTick: 'immediate' } })).toEqual([3, ARMED + k + 1]);
  });

  it('a CPU whose tick runs handles its own', () => {
    const bench = new Bench();
    bench.busy(3, 0, bench.tickNs(60));
    bench.busy(1, 0, bench.tickNs(60));
    bench.at(bench.tickNs(ARMED), () => bench.timer().arm(1, 5));
    expect(bench.runTo(bench.tickNs(50)).expiries).toEqual([[1, ARMED + 6]]);
  });

  it.each(SRCU_DELAYS)('e: with timerSelfExpire 1 an idle CPU does so too, k = %i', (k) => {
    expect(armOnIdleCpu(k, { machine: { timerSelfExpire: 1 } })).toEqual([1, ARMED + k + 1]);
  });

  it('e: in between it is a draw that belongs to CPU and tick', () => {
    const share = 0.5;
    const handlers = Array.from({ length: 20 }, (_, seed) => ({
      seed,
      handler: armOnIdleCpu(4, { seed, machine: { timerSelfExpire: share } })[0],
    }));
    for (const { seed, handler } of handlers) {
      const isOwn = drawAt(seed, 'timer-self-expire', 1, ARMED + 5) < share;
      expect(handler).toBe(isOwn ? 1 : 3);
    }
    expect(new Set(handlers.map(({ handler }) => handler)).size).toBe(2);
  });

  it('c: the role passes to the lowest CPU with a running tick when the migrator stops its own', () => {
    const bench = new Bench({ cpus: 6 });
    bench.busy(3, 0, bench.tickNs(ARMED) + 1);
    bench.busy(4, MS, bench.tickNs(60));
    bench.busy(2, 2 * MS, bench.tickNs(60));
    bench.at(bench.tickNs(5), () => bench.timer().arm(0, 2));
    bench.at(bench.tickNs(ARMED), () => bench.timer().arm(0, 5));
    // 3 was the first; it stops at the tick after ARMED
    expect(bench.runTo(bench.tickNs(50)).expiries).toEqual([
      [3, 8],
      [2, ARMED + 6],
    ]);
  });

  it('c: it keeps the role for as long as its tick runs, whoever else comes', () => {
    const bench = new Bench();
    bench.busy(3, 0, bench.tickNs(60));
    bench.busy(1, bench.tickNs(2), bench.tickNs(60));
    bench.at(bench.tickNs(ARMED), () => bench.timer().arm(0, 2));
    expect(bench.runTo(bench.tickNs(50)).expiries).toEqual([[3, ARMED + 3]]);
  });

  it('c: with no running tick the last CPU that stopped handles all timers', () => {
    const bench = new Bench();
    bench.busy(3, 0, bench.tickNs(5));
    bench.busy(2, MS, bench.tickNs(8));
    bench.at(bench.tickNs(ARMED), () => bench.timer().arm(1, 3));
    expect(bench.runTo(bench.tickNs(50)).expiries).toEqual([[2, ARMED + 4]]);
  });

  it('c: a CPU whose tick starts while nobody is migrator takes the role', () => {
    const bench = new Bench();
    bench.busy(2, MS, bench.tickNs(4));
    bench.busy(1, bench.tickNs(ARMED), bench.tickNs(60));
    bench.at(bench.tickNs(ARMED) + MS, () => bench.timer().arm(0, 3));
    expect(bench.runTo(bench.tickNs(50)).expiries).toEqual([[1, ARMED + 4]]);
  });

  it('c: initial.migratorCpu is the first one, and groups of 8 have their own', () => {
    const initial = { workerLagNs: [0], migratorCpu: 2 };
    const bench = new Bench({ cpus: 16, initial });
    bench.at(bench.tickNs(1), () => bench.timer().arm(0, 3));
    bench.busy(11, bench.tickNs(1), bench.tickNs(60));
    bench.at(bench.tickNs(2), () => bench.timer().arm(9, 5));
    expect(bench.runTo(bench.tickNs(50)).expiries).toEqual([
      [2, 5],
      [11, 8],
    ]);
  });

  it('a: an idle CPU keeps its tick for a timer that is due at the next one', () => {
    const bench = new Bench();
    bench.busy(3, 0, bench.tickNs(60));
    const timer = bench.timer();
    const other = bench.timer();
    // the first tick in idle comes one jiffy before the 2-jiffy timer; the longer one has to wait for the migrator
    bench.task(1, bench.tickNs(ARMED) - MS, (task) => {
      timer.arm(1, 1);
      other.arm(1, 4);
      task.work(5000);
    });
    expect(bench.runTo(bench.tickNs(50)).expiries).toEqual([
      [1, ARMED + 1],
      [3, ARMED + 4],
    ]);
  });
});

describe('the jiffies race (3.6, R1.15b)', () => {
  /** Ticks from arming to the expiry of a timer of k jiffies on CPU 1, while CPUs 1 and 3 are busy. */
  const ticksTaken = (k: number, parts: ConstructorParameters<typeof Bench>[0]) => {
    const bench = new Bench({ kernel: 'v6.1', ...parts });
    bench.busy(3, 0, bench.tickNs(60));
    bench.busy(1, 0, bench.tickNs(60));
    bench.at(bench.tickNs(ARMED), () => bench.timer().arm(1, k));
    const [[cpu, tick]] = bench.runTo(bench.tickNs(50)).expiries as [[number, number]];
    expect(cpu).toBe(1);
    return tick - ARMED;
  };

  it.each(SRCU_DELAYS)('a busy CPU that always loses is one tick late, k = %i', (k) => {
    expect(ticksTaken(k, { machine: { jiffyRace: { cpus: [1] } } })).toBe(k + 2);
    expect(ticksTaken(k, { machine: { jiffyRace: { cpus: [0, 2, 3] } } })).toBe(k + 1);
    expect(ticksTaken(k, { machine: { jiffyRace: 'none' } })).toBe(k + 1);
  });

  it('an idle one is not', () => {
    const bench = new Bench({ kernel: 'v6.1', machine: { jiffyRace: { cpus: [0, 1, 2, 3] } } });
    bench.at(bench.tickNs(ARMED), () => bench.timer().arm(1, 2));
    expect(bench.runTo(bench.tickNs(50)).expiries).toEqual([[1, ARMED + 3]]);
  });

  it('timers that a CPU handles for others are not late', () => {
    const machine = { jiffyRace: { cpus: [1, 3] } };
    expect(armOnIdleCpu(2, { machine })).toEqual([3, ARMED + 3]);
  });

  it('a share 1 makes all late, a share 0 none', () => {
    expect(ticksTaken(2, { machine: { jiffyRace: 1 } })).toBe(4);
    expect(ticksTaken(2, { machine: { jiffyRace: 0 } })).toBe(3);
  });

  it('a share is a draw of its own for every timer', () => {
    const late = Array.from(
      { length: 400 },
      (_, seed) => ticksTaken(2, { seed, machine: { jiffyRace: 0.25 } }) - 3,
    );
    const share = late.reduce((sum, ticks) => sum + ticks, 0) / late.length;
    expect(Math.abs(share - 0.25)).toBeLessThan(5 * Math.sqrt((0.25 * 0.75) / late.length));
  });
});

describe('jiffyRace "offsets" (R1.15b)', () => {
  const offsets = { jiffyRace: 'offsets', tickEntryNs: 800, tickJitterNs: 0 } as const;

  it('nobody is late where all arrive at once', () => {
    const bench = new Bench({ kernel: 'v6.1', machine: offsets });
    for (const cpu of [0, 1, 2, 3]) bench.busy(cpu, 0, bench.tickNs(60));
    for (const cpu of [0, 1, 2, 3]) bench.at(bench.tickNs(ARMED) + cpu, () => bench.timer().arm(cpu, 2));
    expect(bench.runTo(bench.tickNs(50)).expiries.map(([, tick]) => tick)).toEqual(Array(4).fill(ARMED + 3));
  });

  it('a busy CPU comes before a timekeeper that must leave idle first, until that one stops its tick', () => {
    const bench = new Bench({ kernel: 'v6.1', machine: { ...offsets, idleExitNs: 1000 } });
    const timer = bench.timer();
    // CPU 0 keeps its tick while idle, as its own timer is due at the next one
    bench.task(
      0,
      0,
      (task) => {
        task.spinUntil(bench.tickNs(ARMED) + MS);
      },
      (task) => {
        timer.arm(0, 1);
        task.work(1000);
      },
    );
    bench.busy(1, MS, bench.tickNs(60));
    bench.at(bench.tickNs(ARMED) + MS, () => bench.timer().arm(1, 1));
    bench.at(bench.tickNs(ARMED + 10), () => bench.timer().arm(1, 1));
    expect(bench.runTo(bench.tickNs(50)).expiries).toEqual([
      [0, ARMED + 2],
      [1, ARMED + 3],
      [1, ARMED + 12],
    ]);
  });

  it('of two busy CPUs the one that is not timekeeper is late in every tick at which it comes first', () => {
    const machine = { ...offsets, tickJitterNs: 100 };
    const bench = new Bench({ kernel: 'v6.1', machine, initial: { workerLagNs: [0], timekeeperCpu: 2 } });
    for (const cpu of [1, 2]) bench.busy(cpu, 0, bench.tickNs(2000));
    const armed = Array.from({ length: 150 }, (_, i) => ARMED + 5 * i);
    for (const tick of armed) {
      for (const cpu of [1, 2]) bench.at(bench.tickNs(tick), () => bench.timer().arm(cpu, 2));
    }
    const expiries = bench.runTo(bench.tickNs(1000)).expiries;
    const late = (cpu: number) => {
      const own = expiries.filter(([handler]) => handler === cpu);
      expect(own).toHaveLength(armed.length);
      return own.filter(([, tick], i) => tick === (armed[i] as number) + 4).length;
    };
    const expected = armed.filter(
      (tick) =>
        Math.floor(drawAt(1, 'tick-jitter', 1, tick + 3) * 100) <
        Math.floor(drawAt(1, 'tick-jitter', 2, tick + 3) * 100),
    );
    expect(expected.length).toBeGreaterThan(50);
    expect(late(1)).toBe(expected.length);
    expect(late(2)).toBe(0);
  });
});
