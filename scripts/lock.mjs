import { mkdirSync, openSync, readFileSync, rmSync, statSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Runs `work` in one process at a time; the others wait. A lock whose owner is dead is taken over.
 * @param {string} lockPath
 * @param {() => Promise<void> | void} work
 * @param {() => void} [onWait] called once if somebody else has the lock
 */
export async function withLock(lockPath, work, onWait) {
  mkdirSync(dirname(lockPath), { recursive: true });
  let isTold = false;
  for (;;) {
    try {
      writeSync(openSync(lockPath, 'wx'), String(process.pid));
      break;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== 'EEXIST') throw error;
    }
    if (isAbandoned(lockPath)) {
      rmSync(lockPath, { force: true });
      continue;
    }
    if (!isTold) onWait?.();
    isTold = true;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  try {
    await work();
  } finally {
    rmSync(lockPath, { force: true });
  }
}

/** @param {string} lockPath */
function isAbandoned(lockPath) {
  try {
    const owner = Number(readFileSync(lockPath, 'utf8'));
    if (owner === 0) return Date.now() - statSync(lockPath).mtimeMs > 1000; // made, its number not yet written
    process.kill(owner, 0);
    return false;
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === 'ESRCH';
  }
}
