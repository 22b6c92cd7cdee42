/** Machine presets (docs/model/srcu-costs.md §11) and costs that are ranges. */
import { describe, expect, it } from 'vitest';
import type { SimConfig } from '../config.ts';
import { coalesce } from '../core/coalesce.ts';
import { logDigest } from '../core/digest.ts';
import { KIND } from '../core/eventKinds.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import { reader, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';
import { drawnCosts, fixedCosts, hasRange, leastNs, meanNs, mostNs } from './costs.ts';
import { gpKthreadCpuOf } from './initial.ts';
import {
  defaultWorkerLagNs,
  MACHINE_ENTRY_IDS,
  type Machine,
  type PresetId,
  presetMachine,
  schedFactor,
} from './presets.ts';
import { RCU_ENTRIES, type RcuCosts } from './rcuEntries.ts';

const MS = 1_000_000;
const RCU_STEPS = (Object.keys(RCU_ENTRIES) as (keyof RcuCosts)[]).filter(
  (entry) => RCU_ENTRIES[entry].unit === 'ns',
);

describe('presets', () => {
  it('plain has c and the busy-wait, and nothing else that takes time (11.2)', () => {
    const machine = presetMachine('plain');
    const scheduler = ['baseSliceNs', 'cfsLatencyNs', 'cfsWakeupGranNs', 'cfsMinGranNs'];
    const costs = MACHINE_ENTRY_IDS.filter((id) => id.endsWith('Ns') && !/^credit|^windowNs/.test(id));
    const nonZero = costs.filter((id) => machine[id] !== 0 && !scheduler.includes(id));
    expect(nonZero.sort()).toEqual([
      'cbWorkNs',
      // an object has to take some time, or a flood would never end (spec kvfree K23)
      'kfreeAllocQueueNs',
      'passFirstCheckNs',
      'passLoopNs',
      'udelayPerUsNs',
    ]);
    expect(machine).toMatchObject({
      passLoopNs: 5000,
      passFirstCheckNs: 5000,
      cbWorkNs: 5000,
      udelayPerUsNs: 1000,
    });
    expect(machine).toMatchObject({ jiffyRace: 'none', requester: 'unseen', timerSelfExpire: 0 });
  });

  it('virtual-1gips makes the sums of the measured machine (11.1)', () => {
    const m = presetMachine('virtual-1gips');
    // a call without readers, the worker still running; one that finds it asleep
    const pass = m.passFirstCheckNs + 2 * m.checkNs + m.gpEndNs + (m.passLoopNs - m.passFirstCheckNs);
    expect(2 * (m.udelayBaseNs + 5 * m.udelayPerUsNs + m.checkNs) + m.passLoopNs).toBeCloseTo(11_445, 0);
    expect(pass).toBe(1005 + 304 + 350);
    expect(m).toMatchObject({ jiffyRace: 'offsets', idleTick: 'retain-one', requester: 'scheduler' });
  });

  it('virtual-1gips has the steps of Tree RCU and sums where nothing is given (tree 11.2)', () => {
    const m = presetMachine('virtual-1gips');
    const sums = ['wakeToRunNs', 'rcuGpRestartNs', 'callerReturnNs'];
    expect(sums.filter((entry) => Object.hasOwn(m, entry))).toEqual([]);
    // a busy CPU reaches its learn check 2.2 us after the tick
    expect(m.tickEntryNs + m.tickWorkNs + m.rcuCoreEnterNs).toBe(2200);
    // an expedited call on four CPUs, the others idle: 5.01 us (R5.7)
    const call = m.expCallNs + m.wakeNs + m.blockNs + m.switchNs + m.rcuSyncReturnNs;
    const worker = m.expBaseNs + 4 * m.expCpuNs + m.expEndNs + m.wakeNs + m.blockNs + m.switchNs;
    expect(call + worker).toBe(5010);
  });

  it('typical takes twice the steps, or a range where nothing better is known (tree 11.1)', () => {
    const [typical, virtual] = [presetMachine('typical'), presetMachine('virtual-1gips')];
    const doubled = RCU_STEPS.filter((entry) => typical[entry] === 2 * (virtual[entry] as number));
    const ranges = RCU_STEPS.filter((entry) => Array.isArray(typical[entry]));
    expect(ranges).toEqual([
      'wakeToRunNs',
      'callerReturnNs',
      'rcuGpRestartNs',
      'expIpiNs',
      'expIpiHandlerNs',
    ]);
    expect([...doubled, ...ranges].sort()).toEqual([...RCU_STEPS].sort());
  });

  it('the grace-period kthread begins on CPU 0, on typical on one that the seed chooses (tree 11.1)', () => {
    const config = (preset: PresetId, seed: number) => simConfig({ preset, seed, actors: [] });
    const seeds = Array.from({ length: 60 }, (_, seed) => seed);
    const cpus = (preset: PresetId) => new Set(seeds.map((seed) => gpKthreadCpuOf(config(preset, seed))));
    expect([...cpus('plain'), ...cpus('virtual-1gips')]).toEqual([0, 0]);
    expect(cpus('typical')).toEqual(new Set([0, 1, 2, 3]));
    expect(gpKthreadCpuOf({ ...config('typical', 1), initial: { workerLagNs: [0], gpKthreadCpu: 2 } })).toBe(
      2,
    );
  });

  it.each([
    [1, 1],
    [2, 2],
    [3, 2],
    [4, 3],
    [7, 3],
    [8, 4],
    [4096, 4],
  ])('F of %i CPUs is %i (8.6 S1)', (cpus, factor) => {
    expect(schedFactor(cpus)).toBe(factor);
    expect(factor).toBe(1 + Math.floor(Math.log2(Math.min(cpus, 8))));
  });

  it('workers begin without lag, but for all CPUs beyond 0 of virtual-1gips (11.1)', () => {
    expect(defaultWorkerLagNs('virtual-1gips')).toEqual([0, MS]);
    expect([defaultWorkerLagNs('plain'), defaultWorkerLagNs('typical')]).toEqual([[0], [0]]);
  });
});

describe('costs that are ranges', () => {
  const machine: Machine = { ...presetMachine('plain'), gpEndNs: [100, 103], cbNs: [0, 2 * MS] };

  it('give whole numbers from both ends and nothing outside', () => {
    const costs = drawnCosts(machine, 1);
    const drawn = Array.from({ length: 400 }, () => costs.gpEndNs);
    expect(new Set(drawn)).toEqual(new Set([100, 101, 102, 103]));
  });

  it('have a stream of their own for seed and entry', () => {
    const draws = (seed: number, othersToo: boolean) => {
      const costs = drawnCosts(machine, seed);
      return Array.from({ length: 5 }, () => (othersToo ? [costs.gpEndNs, costs.cbNs][1] : costs.cbNs));
    };
    expect(draws(1, true)).toEqual(draws(1, false));
    expect(draws(2, false)).not.toEqual(draws(1, false));
  });

  it('leave numbers and habits alone', () => {
    const plain = presetMachine('plain');
    expect({ ...drawnCosts(plain, 1) }).toEqual(plain);
  });

  it('have ends and a middle', () => {
    expect([leastNs([10, 15]), meanNs([10, 15]), mostNs([10, 15])]).toEqual([10, 12, 15]);
    expect([leastNs(7), meanNs(7), mostNs(7)]).toEqual([7, 7, 7]);
    expect(fixedCosts(machine, mostNs)).toEqual({ ...presetMachine('plain'), gpEndNs: 103, cbNs: 2 * MS });
    expect([hasRange(machine, ['gpEndNs']), hasRange(machine, ['cbWorkNs', 'preset'])]).toEqual([
      true,
      false,
    ]);
  });

  const actors = [
    reader({ cpu: 1, hold: 30_000, idle: 20_000 }),
    updater({ start: MS, calls: 20, gap: 100_000 }),
  ];
  const configOf = (part: Partial<Machine>): SimConfig => {
    const config = simConfig({ preset: 'virtual-1gips', actors });
    return { ...config, machine: { ...config.machine, ...part } };
  };

  it('of one value are that number', () => {
    const given = configOf({ gpEndNs: [350, 350], switchNs: [900, 900], passLoopNs: [1005, 1005] });
    const digestOf = (config: SimConfig) => logDigest(coalesce(runToEnd(config).log));
    expect(digestOf(given)).toBe(digestOf(configOf({})));
  });

  it('are drawn at every use', () => {
    const { log } = runToEnd(configOf({ gpEndNs: [0, 10_000] }));
    const checks = rowsOf(log, KIND.srcu_check).filter(({ d }) => d === 2);
    const lengths = rowsOf(log, KIND.srcu_gp_end).map(
      ({ timeNs }, i) => timeNs - (checks[i]?.timeNs as number),
    );
    expect(lengths).toHaveLength(20);
    expect(new Set(lengths).size).toBeGreaterThan(15);
    expect(lengths.every((ns) => ns >= 0 && ns <= 10_000)).toBe(true);
  });
});
