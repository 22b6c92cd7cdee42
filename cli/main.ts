/** `npm run rcuscope`: the command, or one of its worker threads. */
import { isMainThread, parentPort, workerData } from 'node:worker_threads';
import type { SimConfig } from '../src/engine/index.ts';
import { runCli } from './cli.ts';
import { descriptorIo } from './io.ts';
import { answer, WORKER_TAG } from './sweepPool.ts';

if (isMainThread) {
  process.exitCode = await runCli(process.argv.slice(2), descriptorIo(1, 2), new URL(import.meta.url));
} else if (workerData === WORKER_TAG) {
  parentPort?.on('message', (config: SimConfig) => parentPort?.postMessage(answer(config)));
}
