/** Hands jobs to worker threads, one at a time each. */
import { Worker } from 'node:worker_threads';

/**
 * Results in the order of `jobs`. `script` is the module that the threads load; it sees `tag` as workerData and answers
 * every message with one message. With one thread, or one job, `local` does the work here. Rejects if a thread dies.
 */
export async function runInThreads<Job, Result>(
  jobs: readonly Job[],
  threads: number,
  script: URL,
  tag: string,
  local: (job: Job) => Result,
): Promise<Result[]> {
  if (threads <= 1 || jobs.length <= 1) return jobs.map(local);
  const results: Result[] = [];
  let next = 0;
  const work = () =>
    new Promise<void>((resolve, reject) => {
      const worker = new Worker(script, { workerData: tag });
      let current = -1;
      const hand = () => {
        if (next >= jobs.length) {
          void worker.terminate().then(() => resolve());
          return;
        }
        current = next++;
        worker.postMessage(jobs[current]);
      };
      worker.on('message', (result: Result) => {
        results[current] = result;
        hand();
      });
      worker.on('error', reject);
      hand();
    });
  await Promise.all(Array.from({ length: Math.min(threads, jobs.length) }, work));
  return results;
}
