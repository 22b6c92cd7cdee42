/** Runs configurations side by side in worker threads. */
import { Worker } from 'node:worker_threads';
import type { SimConfig } from '../src/engine/index.ts';
import { type CliResult, resultOf, simulate } from './simulate.ts';

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
export async function runAll(configs: readonly SimConfig[], jobs: number, script: URL): Promise<Answer[]> {
  if (jobs <= 1 || configs.length <= 1) return configs.map(answer);
  const answers: Answer[] = [];
  let next = 0;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(script, { workerData: WORKER_TAG });
      let current = -1;
      const hand = () => {
        if (next >= configs.length) {
          void worker.terminate().then(() => resolve());
          return;
        }
        current = next++;
        worker.postMessage(configs[current]);
      };
      worker.on('message', (message: Answer) => {
        answers[current] = message;
        hand();
      });
      worker.on('error', reject);
      hand();
    });
  await Promise.all(Array.from({ length: Math.min(jobs, configs.length) }, work));
  return answers;
}
