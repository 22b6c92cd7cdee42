/** The kfree test on 64 offloaded CPUs before and after a patch with polled grace periods, November 2022 (kvfree 6.1). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario, Variant } from './scenario.ts';

/** Threads that flood, on CPUs 0 to 15. */
export const THREADS = 16;
/** Objects of a loop. */
export const ALLOCS = 8000;
const FULL_LOOPS = 10_000;
const SHORT_LOOPS = 100;
/** Reported runs of each kernel; here they differ in the seed. */
const RUNS = [1, 2, 3, 4];
/** Fitted: see the story. */
const COSTS = { kfreeAllocQueueNs: 49, kfreeFreeNs: 38, idleTick: 'retain-one' };
const STUCK_CPUS = 2;
const REMOTE_FACTOR = 2;

/** What a variant stands for. */
export function parsePolled(variant: string): {
  readonly isAfter: boolean;
  /** 1 to 4 as reported; undefined: a short one. */
  readonly run: number | undefined;
  readonly loops: number;
} {
  const run = RUNS.find((number) => variant.endsWith(`-${number}`));
  return { isAfter: variant.startsWith('after'), run, loops: run === undefined ? SHORT_LOOPS : FULL_LOOPS };
}

/** What differs from the machine of all runs. */
function machineOf(variant: string, isAfter: boolean): NonNullable<ConfigInput['machine']> {
  switch (variant) {
    case 'after-immediate':
      return { idleTick: 'immediate' };
    case 'before-remote':
      return { kfreeRemoteFactor: REMOTE_FACTOR };
    case 'before-plain':
    case 'not-offloaded':
      return {};
    default:
      return isAfter ? {} : { kfreeStuckCpus: STUCK_CPUS };
  }
}

function config(variant: string): ConfigInput {
  const { isAfter, run, loops } = parsePolled(variant);
  return {
    kernel: isAfter ? 'kvfree-polled-2022-11-02' : 'v6.1',
    // v6.1 is 6.1.192, which has the attach rule of 6.3; the patch was on 6.1 as released
    rules: isAfter ? {} : { 'kvfree.attach': 'v5.18' },
    hz: 1000,
    cpus: 64,
    ...(run === undefined ? {} : { seed: run }),
    params: variant === 'not-offloaded' ? {} : { rcu_nocbs: '0-63' },
    machine: {
      preset: 'typical',
      memoryBytes: 10 * 2 ** 30,
      ...COSTS,
      ...machineOf(variant, isAfter),
    },
    actors: [{ kind: 'kfree', cpu: 0, count: THREADS, loops, allocs: ALLOCS, form: 'mixed' }],
  };
}

const LONG = 'more than 11 million rows, half a minute';
/** The old attach rule is a bug of that kernel itself (kvfree K9b), which only long floods meet. */
const EARLY = 'frees some objects too early, as 6.1 did: --check finds W2 violated';

function full(id: 'before' | 'after', title: string): Variant[] {
  return RUNS.map((number) => ({
    id: `${id}-${number}`,
    title: `${title}, run ${number}, all 1.28·10⁹ objects`,
    note: id === 'after' ? LONG : `${LONG}; ${EARLY}`,
    isLong: true,
  }));
}

/** Why memory went from gigabytes to 90 MB. */
export const kfreePolled: Scenario = {
  id: 'kfree-polled',
  title: 'Polled grace periods of kfree_rcu()',
  variants: [
    { id: 'after-short', title: 'after the patch, 1/100 of the loops' },
    { id: 'before-short', title: 'before it, two stuck CPUs, 1/100 of the loops' },
    { id: 'before-plain', title: 'before it, no CPU stuck', note: 'machine.kfreeStuckCpus = 0' },
    {
      id: 'before-remote',
      title: 'before it, dear remote frees',
      note: `machine.kfreeRemoteFactor = ${REMOTE_FACTOR}`,
    },
    { id: 'not-offloaded', title: 'before it, no CPU offloaded', note: 'rcu_nocbs left out' },
    {
      id: 'after-immediate',
      title: 'after it, idle ticks stop at once',
      note: 'machine.idleTick = immediate: does not fit',
    },
    ...full('after', 'after'),
    ...full('before', 'before'),
  ],
  defaultVariant: 'after-short',
  startView: { at: 'begin', spanNs: 40_000_000 },
  config,
};
