/** Runs configurations side by side in worker threads. */
import type { SimConfig } from '../src/engine/index.ts';
import { type CliResult, resultOf, simulate } from './simulate.ts';
import { runInThreads } from './threadPool.ts';

/** What a worker thread is started with, so that the command knows what it is. */
export const WORKER_TAG = 'rcuscope-sweep';

/** Answer of a worker to one configuration. */
type Answer = { readonly result: CliResult } | { readonly error: string };

/** One run, any failure as a sentence. */
export function answer(config: SimConfig): Answer {
  try {
    return { result: resultOf(simulate(config), { values: false, check: false }) };
  } catch (error) {
    return { error: (error as Error).message };
  }
}

/** Results in the order of `configs`; `script` is the module that the worker threads load. */
export function runAll(configs: readonly SimConfig[], jobs: number, script: URL): Promise<Answer[]> {
  return runInThreads(configs, jobs, script, WORKER_TAG, answer);
}
