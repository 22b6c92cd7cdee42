/** Readers: rules 5.1 and 5.4, and what a configuration says of them. */
import { describe, expect, it } from 'vitest';
import type { ReaderActor } from '../config.ts';
import { KIND } from '../core/eventKinds.ts';
import type { EventLog } from '../core/eventLog.ts';
import { Lcg } from '../core/random.ts';
import type { EventRow } from '../core/rows.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import {
  type ConfigParts,
  load,
  reader,
  runToEnd,
  simConfig,
  updater,
} from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;

type Part = Partial<Omit<ReaderActor, 'kind'>>;

function logOf(part: Part, parts: Omit<ConfigParts, 'actors'> = {}): EventLog {
  return runToEnd(simConfig({ stop: { afterNs: 20 * MS }, ...parts, actors: [reader(part)] })).log;
}

/** [lock, unlock] of every section that ended. */
function sections(log: EventLog): [number, number][] {
  const locks = rowsOf(log, KIND.srcu_lock);
  return rowsOf(log, KIND.srcu_unlock).map(({ timeNs }, i) => [(locks[i] as EventRow).timeNs, timeNs]);
}

describe('a reader', () => {
  it('locks, holds, unlocks, idles, over and over', () => {
    const log = logOf({ start: 3 * MS, hold: 2 * MS, idle: 3 * MS }, { stop: { afterNs: 19 * MS } });
    expect(sections(log)).toEqual([3, 8, 13].map((ms) => [ms * MS, (ms + 2) * MS]));
    // the fourth one is cut: no unlock is invented
    expect(rowsOf(log, KIND.srcu_lock).map(({ timeNs }) => timeNs)).toEqual(
      [3, 8, 13, 18].map((ms) => ms * MS),
    );
  });

  it('does so `times` times, then ends', () => {
    const log = logOf({ hold: MS, idle: MS, times: 3 });
    expect(sections(log)).toHaveLength(3);
    expect(rowsOf(log, KIND.thread_done).map(({ timeNs }) => timeNs)).toEqual([6 * MS]);
  });

  it.each(['spin', 'sleep'] as const)('draws hold and idle anew in every iteration (%s)', (mode) => {
    const part = {
      hold: { list: [1000, 2000, 3000] },
      idle: { list: [10, 20] },
      holdMode: mode,
      idleMode: mode,
    };
    const log = logOf({ ...part, times: 4 });
    expect(sections(log)).toEqual([
      [0, 1000],
      [1010, 3010],
      [3030, 6030],
      [6040, 7040],
    ]);
  });

  it('takes a number for hold and one for idle of its lcg, a constant throws its one away (contract)', () => {
    const lcg = new Lcg(4, 1 + 1);
    const draw = () => lcg.next(0, 30_000);
    const expected = Array.from({ length: 4 }, () => [draw(), draw()] as const).map(([hold]) => hold);
    const hold = { lcg: { seed: 4, stream: 1, lo: 0, hi: 30_000 } };
    const actor = reader({ count: 2, hold, idle: 50_000, times: 4, cpu: 0 });
    const { log, info } = runToEnd(simConfig({ actors: [actor], stop: { afterNs: 20 * MS } }));
    const second = info.tracks.find(({ name }) => name === 'reader/1')?.id;
    const of = (kind: typeof KIND.srcu_lock | typeof KIND.srcu_unlock) =>
      rowsOf(log, kind).filter(({ track }) => track === second);
    const locks = of(KIND.srcu_lock);
    expect(of(KIND.srcu_unlock).map(({ timeNs }, i) => timeNs - (locks[i] as EventRow).timeNs)).toEqual(
      expected,
    );
  });

  it('costs what the machine says: lock and unlock inside, a gap between (11.1)', () => {
    const machine = { rlockUnlockNs: 110, readerGapNs: 120 };
    expect(sections(logOf({ hold: 1000, idle: 5000, times: 2 }, { machine }))).toEqual([
      [0, 1110],
      [1110 + 5000 + 120, 1110 + 5000 + 120 + 1110],
    ]);
  });

  it('is counted on the index it fetched, on its CPU', () => {
    const actors = [
      reader({ cpu: 2, hold: 1000, idle: 100_000 }),
      updater({ start: 150_000, calls: 2, gap: 70_000 }),
    ];
    const { log } = runToEnd(simConfig({ actors }));
    const flips = rowsOf(log, KIND.srcu_flip).map(({ timeNs }) => timeNs);
    expect(flips).toHaveLength(2);
    for (const kind of [KIND.srcu_lock, KIND.srcu_unlock]) {
      for (const { timeNs, b, c, d } of rowsOf(log, kind)) {
        expect([b, c, d]).toEqual([flips.filter((flipNs) => flipNs < timeNs).length % 2, 2, 0]);
      }
    }
  });
});

describe('incDelay (5.4)', () => {
  it('puts the count after the fetch', () => {
    const log = logOf({ start: 1000, incDelay: 500, hold: 2000, idle: 10_000, times: 2 });
    expect(rowsOf(log, KIND.srcu_fetch).map(({ timeNs }) => timeNs)).toEqual([1000, 13_500]);
    expect(sections(log)).toEqual([
      [1500, 3500],
      [14_000, 16_000],
    ]);
  });

  it('of 0 needs no fetch of its own in the log', () => {
    const log = logOf({ incDelay: { list: [0, 500] }, hold: 2000, idle: 10_000, times: 2 });
    expect(rowsOf(log, KIND.srcu_fetch).map(({ timeNs }) => timeNs)).toEqual([12_000]);
  });

  it('lets the reader count on an index that has been flipped away, and the next grace period waits for it', () => {
    const actors = [
      reader({ cpu: 1, start: MS, incDelay: 100_000, hold: 2 * MS, idle: 1000 * MS }),
      updater({ start: MS, calls: 2, gap: { list: [0, 200_000] } }),
    ];
    const { log } = runToEnd(simConfig({ actors }));
    const [fetch] = rowsOf(log, KIND.srcu_fetch) as [EventRow];
    const [lock] = rowsOf(log, KIND.srcu_lock) as [EventRow];
    const [unlock] = rowsOf(log, KIND.srcu_unlock) as [EventRow];
    const [first, second] = rowsOf(log, KIND.srcu_gp_end) as [EventRow, EventRow];
    const flips = rowsOf(log, KIND.srcu_flip);
    expect([fetch.b, lock.b, unlock.b]).toEqual([0, 0, 0]);
    // the first grace period flips from 0 and ends before the reader counts: it owes it nothing
    expect(flips[0]?.timeNs).toBeLessThan(lock.timeNs);
    expect(first.timeNs).toBeLessThan(lock.timeNs);
    // the second one finds it in SCAN1, before its flip
    expect(flips[1]?.timeNs).toBeGreaterThanOrEqual(unlock.timeNs);
    expect(second.timeNs).toBeGreaterThanOrEqual(unlock.timeNs);
  });
});

describe('holdMode and idleMode', () => {
  /** How long a load on the reader's CPU gets to run in 20 ms, of 1 CPU with preempt none. */
  const loadShare = (part: Part) => {
    const actors = [
      reader({ hold: 2 * MS, idle: 2 * MS, ...part }),
      load({ start: 1, mode: 'user', spin: 50_000, idle: 0 }),
    ];
    const config = simConfig({
      actors,
      cpus: 1,
      kernel: 'v6.1',
      preset: 'virtual-1gips',
      stop: { afterNs: 40 * MS },
    });
    const { log, info } = runToEnd(config);
    const track = info.tracks.find(({ name }) => name === 'load/0')?.id;
    const switches = rowsOf(log, KIND.sched_switch);
    const ends = [...switches.slice(1).map(({ timeNs }) => timeNs), 40 * MS];
    const ran = switches.map(({ timeNs, a }, i) => (a === track ? (ends[i] as number) - timeNs : 0));
    return ran.reduce((sum, ns) => sum + ns, 0) / (40 * MS);
  };

  it('sleep leaves the CPU to others', () => {
    expect(loadShare({ holdMode: 'sleep', idleMode: 'sleep' })).toBeGreaterThan(0.9);
    const half = loadShare({ holdMode: 'spin', idleMode: 'sleep' });
    expect(half).toBeGreaterThan(0.35);
    expect(half).toBeLessThan(0.75);
  });

  it('sleep ends by an hrtimer', () => {
    const log = logOf({ hold: 3000, holdMode: 'sleep', idle: 7000, idleMode: 'spin', times: 2 });
    expect(rowsOf(log, KIND.hrtimer_expire_entry).map(({ timeNs }) => timeNs)).toEqual([3000, 13_000]);
  });

  it('sleep takes the wake-up on top (11.1)', () => {
    const part = { hold: 100_000, holdMode: 'sleep', idle: 300_000, idleMode: 'sleep', times: 3 } as const;
    const machine = { idleExitJitterNs: 0 };
    const log = logOf(part, { preset: 'virtual-1gips', machine });
    const [, second] = sections(log) as [unknown, [number, number]];
    // idle exit, wake-up and switch, then the rest of lock and unlock
    expect(second[1] - second[0]).toBe(100_000 + 1000 + 1900 + 900 + 110);
  });

  it('of nothing neither sleeps nor spins', () => {
    const log = logOf({ hold: 0, holdMode: 'sleep', idle: 5000, idleMode: 'spin', times: 2 });
    expect(rowsOf(log, KIND.hrtimer_expire_entry)).toEqual([]);
    expect(sections(log)).toEqual([
      [0, 0],
      [5000, 5000],
    ]);
  });
});
