/** Loads: what a configuration says of them, on CPUs that are shared. */
import { describe, expect, it } from 'vitest';
import type { LoadActor } from '../config.ts';
import { KIND } from '../core/eventKinds.ts';
import type { EventRow } from '../core/rows.ts';
import { presetMachine } from '../machine/presets.ts';
import { latenciesNs, rowsOf } from '../reference/logRows.testkit.ts';
import {
  type ConfigParts,
  load,
  reader,
  runToEnd,
  simConfig,
  updater,
} from '../reference/simConfig.testkit.ts';

const MS = 1_000_000;

const { preset: _plain, ...plainCosts } = presetMachine('plain');
/** The costs of `plain`, but CPUs are shared: who delays whom is all that there is to see. */
const SHARED = {
  kernel: 'v6.1',
  preset: 'virtual-1gips',
  machine: { ...plainCosts, requester: 'unseen' },
} as const satisfies Omit<ConfigParts, 'actors'>;

/** The latency of an expedited call on the CPU of a load that has been running for a while. */
function latencyBeside(part: Partial<Omit<LoadActor, 'kind'>>, preempt: 'full' | 'none'): number {
  const actors = [load(part), updater({ start: 40 * MS, cpu: 1 })];
  const parts: Omit<ConfigParts, 'actors'> = { ...SHARED, cpus: 2, preempt };
  return latenciesNs(runToEnd(simConfig({ ...parts, actors })).log)[0] as number;
}

describe('a load', () => {
  it('in the kernel gives way to others only between its spins with preempt none', () => {
    // callbacks run on CPU 0, where the load is
    const endOfSpin = latencyBeside({ mode: 'kernel', spin: 7 * MS }, 'none');
    // spins end at multiples of 7 ms: the next one after the grace period at 42 ms
    expect(endOfSpin).toBe(2 * MS + 5000);
    expect(latencyBeside({ mode: 'kernel', spin: 7 * MS }, 'full')).toBeLessThan(100_000);
  });

  it('in user mode is preempted on every kernel', () => {
    expect(latencyBeside({ mode: 'user', spin: 7 * MS }, 'none')).toBeLessThan(100_000);
  });

  it('without spin never lets go by itself', () => {
    const actors = [endless({ mode: 'kernel' }), updater({ start: 40 * MS, cpu: 1 })];
    const config = simConfig({ ...SHARED, cpus: 2, preempt: 'none', actors, stop: { afterNs: 500 * MS } });
    expect(latenciesNs(runToEnd(config).log)).toEqual([]);
  });

  it('sleeps for its idle time between spins', () => {
    const { log, info } = runToEnd(
      simConfig({
        ...SHARED,
        cpus: 1,
        actors: [load({ spin: 3 * MS, idle: 2 * MS })],
        stop: { afterNs: 14 * MS },
      }),
    );
    const track = info.tracks.find(({ name }) => name === 'load/0')?.id;
    const switches = rowsOf(log, KIND.sched_switch).map(({ timeNs, a }) => [timeNs / MS, a]);
    expect(switches).toEqual([
      [0, track],
      [3, -1],
      [5, track],
      [8, -1],
      [10, track],
      [13, -1],
    ]);
  });

  it('draws spin and idle from streams of their own', () => {
    const dist = { uniform: [MS, 2 * MS] } as const;
    const actors = [load({ spin: dist, idle: dist })];
    const { log } = runToEnd(simConfig({ ...SHARED, cpus: 1, actors, stop: { afterNs: 40 * MS } }));
    const times = rowsOf(log, KIND.sched_switch).map(({ timeNs }) => timeNs);
    const lengths = times.slice(1).map((timeNs, i) => timeNs - (times[i] as number));
    expect(lengths.length).toBeGreaterThan(15);
    expect(lengths.every((ns) => ns >= MS && ns <= 2 * MS)).toBe(true);
    expect(new Set(lengths).size).toBe(lengths.length);
  });

  it('is no finite actor', () => {
    const actors = [load({ cpu: 1, spin: MS }), updater({ start: 5 * MS })];
    const run = runToEnd(simConfig({ ...SHARED, actors }));
    expect(run.nowNs).toBeLessThan(6 * MS);
    expect(rowsOf(run.log, KIND.thread_done)).toHaveLength(1);
  });

  it('does not use the CPU of others where each task has one of its own (plain)', () => {
    const actors = [load({ spin: 10 * MS }), reader({ hold: MS, idle: MS }), updater({ start: 5 * MS })];
    const { log } = runToEnd(simConfig({ cpus: 1, actors }));
    const [call, back] = [rowsOf(log, KIND.api_call)[0], rowsOf(log, KIND.api_return)[0]] as EventRow[];
    // the reader left at 5 ms
    expect(back!.timeNs - call!.timeNs).toBe(10_000);
  });
});

/** A load that never stops spinning. */
function endless(part: Partial<Omit<LoadActor, 'kind' | 'spin'>>): LoadActor {
  const { spin: _default, ...rest } = load(part);
  return rest;
}
