/** What Tree RCU has under way at t = 0 (spec tree 11.1). */
import { describe, expect, it } from 'vitest';
import type { InitialState } from '../config.ts';
import { KIND, RCU_GP } from '../core/eventKinds.ts';
import type { EventRow } from '../core/rows.ts';
import type { PresetId } from '../machine/presets.ts';
import { latenciesNs, rowsOf } from '../reference/logRows.testkit.ts';
import { runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;
const TICK = 4 * MS;

function run(initial: Partial<InitialState>, preset: PresetId = 'plain', startTick = 5, seed = 1) {
  const caller = updater({ api: 'synchronize_rcu', domain: 'rcu', start: { ticks: startTick, plus: MS } });
  const params = { 'rcutree.rcu_normal_wake_from_gp': 1 };
  const parts = { preset, params, seed, actors: [caller] };
  const { log } = runToEnd(simConfig({ ...parts, initial: { workerLagNs: [0], ...initial } }));
  const starts = rowsOf(log, KIND.rcu_grace_period).filter(({ a }) => a === RCU_GP.start);
  return { log, starts, queued: rowsOf(log, KIND.rcu_callback) };
}

describe('initial.rcuGp', () => {
  it('is idle where nothing is said', () => {
    const { queued, starts, log } = run({});
    expect(queued).toEqual([]);
    expect(starts.map(({ timeNs }) => timeNs)).toEqual([5 * TICK + MS]);
    expect(log.length).toBe(run({ rcuGp: 'idle' }).log.length);
  });

  it.each([0, 1, 2])(
    'startedTicksAgo %i: began so many ticks before the tick before the first updater',
    (ago) => {
      const { queued, starts } = run({ rcuGp: { startedTicksAgo: ago } });
      expect(queued.map(({ track }) => track)).toEqual([3]);
      expect(starts[0]?.timeNs).toBe((5 - ago) * TICK);
    },
  );

  it('makes the first call wait for its rest', () => {
    // it lasts 8 ms from tick 4 on; the call comes 1 ms after tick 5
    expect(latenciesNs(run({ rcuGp: { startedTicksAgo: 1 } }).log)).toEqual([3 * MS + 2 * TICK]);
  });

  it('comes some microseconds after the tick on a machine with costs', () => {
    const { starts } = run({ rcuGp: { startedTicksAgo: 1 } }, 'virtual-1gips');
    const afterNs = (starts[0]?.timeNs ?? 0) - 4 * TICK;
    expect(afterNs).toBeGreaterThan(2000);
    expect(afterNs).toBeLessThan(15_000);
  });

  it('begins at once where the tick would be the first', () => {
    expect(run({ rcuGp: { startedTicksAgo: 2 } }, 'plain', 2).starts[0]?.timeNs).toBe(0);
  });

  it('callbacksQueued: so many on the CPU of the kthread, numbered at its next tick', () => {
    const { queued, starts, log } = run({ gpKthreadCpu: 2, rcuGp: { callbacksQueued: 3 } });
    expect(queued.map(({ track, timeNs }) => [track, timeNs])).toEqual([
      [2, 0],
      [2, 0],
      [2, 0],
    ]);
    expect(starts[0]?.timeNs).toBe(TICK);
    const ran = rowsOf(log, KIND.rcu_invoke_callback).map(({ timeNs }) => timeNs);
    expect(ran).toEqual([4 * TICK, 4 * TICK, 4 * TICK]);
  });
});

describe('initial.gpKthreadCpu', () => {
  const cpuOf = ({ starts }: { starts: EventRow[] }) => starts[0]?.track;

  it('is where the kthread first runs: CPU 0, or as given', () => {
    expect(cpuOf(run({}))).toBe(0);
    expect(cpuOf(run({ gpKthreadCpu: 2 }))).toBe(2);
    expect(cpuOf(run({}, 'virtual-1gips'))).toBe(0);
  });

  it('is drawn from the seed on the machine `typical`', () => {
    const cpus = Array.from({ length: 20 }, (_, seed) => cpuOf(run({}, 'typical', 5, seed)));
    expect(new Set(cpus).size).toBeGreaterThan(2);
  });
});
