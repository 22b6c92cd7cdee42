/** The runs of the scenario convoy: two states of looping callers (tree R4.5b), and published loads (R4.7 rows 2 to 6). */
import type { ActorInput, ConfigInput } from '../config/configInput.ts';

const WAKE = 'rcutree.rcu_normal_wake_from_gp';
/** More than any run has time for. */
const ENDLESS = 1_000_000;
/** Callbacks ahead of the caller, and what each takes with its function, ns. */
export const BATCH = { callbacks: 3612, callbackNs: 2020 } as const;
/** Calls of each of the 64 callers. */
export const CALLS = 100;
/**
 * What is claimed of the 64 callers: the ratio without rcu_normal_wake_from_gp to with it, of the median call on 16 CPUs and
 * of the run time on 64. `simulated` with seed 1; `cli/scenarioRuns.test.ts` computes it.
 */
export const RATIOS = {
  parallel: { reported: 5 / 3, simulated: 1.67, text: '5/3 reported, 1.67 simulated' },
  storm: { reported: 1.35, simulated: 1.3, text: '1.35 reported, 1.30 simulated' },
} as const;

/** Two threads that call again as soon as they have returned. */
function twoCallers(hz: number, more: NonNullable<ConfigInput['initial']>): ConfigInput {
  return {
    kernel: 'v6.12',
    hz,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    initial: { gpKthreadCpu: 3, ...more },
    params: { [WAKE]: 1 },
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        count: 2,
        start: { ticks: 6, plus: '33us' },
        stagger: '10us',
        api: 'synchronize_rcu',
        calls: 8,
        gap: 0,
      },
    ],
  };
}

/**
 * Row 2, "bridge test": one thread that works for 34 ms on average between two calls, on a machine of 64 CPUs of which
 * two are nearly always busy, and whose other users of RCU ask for one grace period after the other.
 */
function bridge(wakes: boolean, isEarly: boolean): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 64,
    rules: isEarly ? { 'tree.earlyReport': 'next' } : {},
    machine: { preset: 'typical' },
    initial: { gpKthreadCpu: 40 },
    params: { [WAKE]: wakes ? 1 : 0 },
    // some 300 calls: the median of the 40 of 2.5 s moves by a tenth with the seed
    stop: { afterNs: '20s' },
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        start: '11ms',
        api: 'synchronize_rcu',
        calls: ENDLESS,
        gap: { exp: '34ms' },
        gapMode: 'spin',
      },
      { kind: 'load', cpu: 16, count: 2, mode: 'kernel', spin: { exp: '1.3ms' }, idle: { exp: '500us' } },
      {
        kind: 'updater',
        cpu: 48,
        count: 4,
        start: '5ms',
        api: 'call_rcu',
        wait: 'none',
        calls: ENDLESS,
        gap: { exp: '5ms' },
      },
    ],
  };
}

/** Rows 3 and 4: many callers at once on offloaded CPUs, `busy` of which have other work, too. */
function manyCallers(cpus: number, gap: string, busy: number, wakes: boolean): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus,
    machine: { preset: 'typical' },
    initial: { gpKthreadCpu: 1 },
    params: { [WAKE]: wakes ? 1 : 0, rcu_nocbs: `0-${cpus - 1}` },
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        count: 64,
        start: '11ms',
        api: 'synchronize_rcu',
        calls: CALLS,
        gap: { exp: gap },
      },
      { kind: 'load', cpu: 0, count: busy, mode: 'kernel', spin: '1ms' },
    ],
  };
}

/** Row 5: callbacks of one CPU, all queued at once, then one caller on it. */
function batchAhead(wakes: boolean): ConfigInput {
  return {
    kernel: 'v6.12',
    hz: 250,
    cpus: 4,
    machine: { preset: 'typical', rcuCbNs: BATCH.callbackNs, callRcuNs: 0 },
    initial: { gpKthreadCpu: 1 },
    // the bypass list would make two batches of them
    params: {
      [WAKE]: wakes ? 1 : 0,
      rcu_nocbs: '0-3',
      'rcutree.nocb_nobypass_lim_per_jiffy': 10_000,
    },
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        start: '10ms',
        api: 'call_rcu',
        calls: 1,
        batch: BATCH.callbacks,
        wait: 'none',
      },
      { kind: 'updater', cpu: 0, start: '10ms', api: 'synchronize_rcu', calls: 1 },
    ],
  };
}

/** Row 6: 80 CPUs that are busy half of the time, callbacks on some of them, one caller. */
function kernelBuild(): ConfigInput {
  const callbacks: ActorInput = {
    kind: 'updater',
    cpu: 8,
    count: 8,
    start: '5ms',
    api: 'call_rcu',
    wait: 'none',
    calls: 120,
    gap: { exp: '10ms' },
  };
  return {
    kernel: 'v6.12',
    hz: 1000,
    cpus: 80,
    machine: { preset: 'typical' },
    initial: { gpKthreadCpu: 5 },
    actors: [
      { kind: 'load', cpu: 0, count: 80, mode: 'user', spin: { exp: '3ms' }, idle: { exp: '3ms' } },
      callbacks,
      { kind: 'updater', cpu: 0, start: '20ms', api: 'synchronize_rcu', calls: 71, gap: { exp: '5ms' } },
    ],
  };
}

/** The configuration of a variant. */
export function convoyConfig(variant: string): ConfigInput {
  switch (variant) {
    case 'together':
      return twoCallers(250, { rcuGp: { startedTicksAgo: 1 } });
    case 'split':
      return twoCallers(1000, { rcuGp: 'idle' });
    case 'kthread-cpu':
      return twoCallers(250, { rcuGp: { startedTicksAgo: 1 }, gpKthreadCpu: 0 });
    case 'bridge':
    case 'bridge-wake':
    case 'bridge-early':
      return bridge(variant !== 'bridge', variant === 'bridge-early');
    case 'parallel':
    case 'parallel-wake':
      return manyCallers(16, '4ms', 16, variant === 'parallel-wake');
    case 'storm':
    case 'storm-wake':
      return manyCallers(64, '1ms', 48, variant === 'storm-wake');
    case 'batch-ahead':
    case 'batch-ahead-wake':
      return batchAhead(variant === 'batch-ahead-wake');
    default:
      return kernelBuild();
  }
}
