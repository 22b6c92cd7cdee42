/** What a grace period costs per CPU that owes a quiescent state: 4,096 busy CPUs against 16, in one run. */
import { parseConfig } from '../src/config/parseConfig.ts';
import { createRun, KIND, type SimConfig } from '../src/engine/index.ts';

const ROUNDS = 5;
/** About equally many CPUs times grace periods on both machines. */
const CASES = [
  { cpus: 16, calls: 7680 },
  { cpus: 4096, calls: 30 },
] as const;
/** Engine events between two looks at the state of the run. */
const SLICE_EVENTS = 20_000;
/** The first call comes at tick 6, 24 ms. */
const BEFORE_FIRST_CALL_NS = 20_000_000;

function config(cpus: number, calls: number): SimConfig {
  const parsed = parseConfig({
    v: 1,
    cpus,
    machine: { preset: 'virtual-1gips' },
    params: { 'rcutree.rcu_normal_wake_from_gp': 1 },
    actors: [
      { kind: 'load', cpu: 1, count: cpus - 1, mode: 'user' },
      { kind: 'updater', cpu: 0, api: 'synchronize_rcu', calls, gap: 0, start: { ticks: 6, plus: '33us' } },
    ],
  });
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  return parsed.config;
}

interface Measured {
  readonly ms: number;
  /** Quiescent states that CPUs owed: CPUs times grace periods that have ended. */
  readonly owed: number;
}

/** Times the run from its first call on: making 4,096 threads is not part of a grace period. */
function runOnce(of: SimConfig): Measured {
  const run = createRun(of);
  while (run.nowNs < BEFORE_FIRST_CALL_NS) run.advance(1000);
  const startedMs = performance.now();
  while (run.advance(SLICE_EVENTS).state !== 'ended');
  const ms = performance.now() - startedMs;
  let periods = 0;
  run.log.forEach(({ kind, b }) => {
    if (kind === KIND.rcu_grace_period_init && b === 0) periods++;
  });
  return { ms, owed: periods * of.cpus };
}

/** Runs both in turn and prints the fastest of each with their ratio. */
export function treeScaling(): void {
  const configs = CASES.map(({ cpus, calls }) => config(cpus, calls));
  const fastestNs = CASES.map(() => Number.POSITIVE_INFINITY);
  for (let round = 0; round < ROUNDS; round++) {
    for (const [i, of] of configs.entries()) {
      const { ms, owed } = runOnce(of);
      fastestNs[i] = Math.min(fastestNs[i] as number, (ms * 1e6) / owed);
    }
  }
  console.log('a grace period of Tree RCU, per CPU that owes a quiescent state, all CPUs in user loops');
  for (const [i, { cpus }] of CASES.entries())
    console.log(
      `  ${String(cpus).padStart(4)} CPUs             ${fastestNs[i]?.toFixed(0)} ns (fastest of ${ROUNDS} runs)`,
    );
  console.log(
    `  ratio                 ${((fastestNs[1] ?? 0) / (fastestNs[0] ?? 1)).toFixed(2)} (at most 2)`,
  );
}
