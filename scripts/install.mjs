import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';

/** @typedef {{ packages: Record<string, { version?: string, optional?: boolean, devOptional?: boolean }> }} Lock */

/**
 * Whether what lies in node_modules is what the lock file asks for. Versions are compared, not file times:
 * a checkout gives every file a new time. Optional packages (other platforms' binaries) may be missing.
 * @param {Lock} wanted package-lock.json
 * @param {Lock | undefined} installed node_modules/.package-lock.json
 */
export function isInstalled(wanted, installed) {
  if (installed === undefined) return false;
  return Object.entries(wanted.packages).every(
    ([path, { version, optional, devOptional }]) =>
      path === '' || optional || devOptional || installed.packages[path]?.version === version,
  );
}

/**
 * @param {string} path
 * @returns {Lock | undefined}
 */
function readLock(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8'));
  } catch {
    return undefined;
  }
}

/**
 * Installs the packages when they are missing or not the locked ones; of several commands that find so, one does it
 * and the others wait. npm's own output goes to stderr.
 * @param {string} root
 * @param {(line: string) => void} log
 */
export async function ensureInstalled(root, log) {
  const wanted = readLock(join(root, 'package-lock.json'));
  if (wanted === undefined) throw new Error('package-lock.json is missing or not JSON');
  const isDone = () => isInstalled(wanted, readLock(join(root, 'node_modules/.package-lock.json')));
  // Beside node_modules: npm ci empties that first. Its list of packages is written last.
  const lockPath = join(root, '.npm-ci.lock');
  const install = () => {
    if (!isDone()) installLocked(root, log);
  };
  if (!isDone())
    await withLock(lockPath, install, () => log('another command installs the packages: waiting'));
}

/**
 * @param {string} root
 * @param {(line: string) => void} log
 */
function installLocked(root, log) {
  log('installing packages (npm ci)');
  const { status } = spawnSync('npm', ['ci', '--no-progress'], {
    cwd: root,
    // fd 2 twice: a command that answers on stdout must be able to call this.
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  });
  if (status !== 0) throw new Error('npm ci failed');
}
