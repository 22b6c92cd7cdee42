import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { ensureInstalled } from './install.mjs';
import { withLock } from './lock.mjs';

/** Name of the built command -> its source. An entry whose source does not exist is left out of the build. */
export const cliEntries = { main: 'cli/main.ts', oracle: 'cli/oracle.ts', bench: 'bench/main.ts' };

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
const outFolder = join(root, 'dist-cli');
const stampPath = join(outFolder, 'stamp');
const sources = ['src', 'cli', 'bench', 'package-lock.json', 'vite.cli.config.ts', 'scripts/cliBuild.mjs'];

/**
 * The newest change below a path, in ms; folders count, so that a removed file is seen too.
 * @param {string} path
 * @returns {number}
 */
function newestMs(path) {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return 0;
  if (!stat.isDirectory()) return stat.mtimeMs;
  return readdirSync(path).reduce(
    (newest, name) => Math.max(newest, newestMs(join(path, name))),
    stat.mtimeMs,
  );
}

/** The stamp holds the time at which the build began to read its sources: what changed later is not in it. */
function isFresh() {
  if (!existsSync(stampPath)) return false;
  const builtMs = Number(readFileSync(stampPath, 'utf8'));
  return sources.every((path) => newestMs(join(root, path)) < builtMs);
}

/** Builds beside and moves into place, so that a command started meanwhile never loads half a build. */
async function build() {
  const startedMs = Date.now();
  const fresh = `${outFolder}.${process.pid}`;
  const { build: viteBuild } = await import('vite');
  try {
    for (const [name, path] of Object.entries(cliEntries).filter(([, path]) =>
      existsSync(join(root, path)),
    )) {
      await viteBuild({
        root,
        configFile: join(root, 'vite.cli.config.ts'),
        logLevel: 'error',
        build: { outDir: fresh, emptyOutDir: false, rolldownOptions: { input: { [name]: path } } },
      });
    }
    writeFileSync(join(fresh, 'stamp'), String(startedMs));
    rmSync(outFolder, { recursive: true, force: true });
    renameSync(fresh, outFolder);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}

/** Brings dist-cli up to date; silent on stdout. */
export async function ensureBuilt() {
  if (isFresh()) return;
  /** @param {string} line */
  const log = (line) => process.stderr.write(`${line}\n`);
  await ensureInstalled(root, log);
  await withLock(join(root, 'node_modules/.cache/rcuscope-cli.lock'), async () => {
    if (!isFresh()) await build();
  });
}

/**
 * Builds what is stale, then runs one built command in this process with this process's arguments.
 * @param {keyof typeof cliEntries} name
 */
export async function runCommand(name) {
  await ensureBuilt();
  const path = join(outFolder, `${name}.js`);
  if (!existsSync(path)) throw new Error(`there is no ${cliEntries[name]} to run`);
  await import(pathToFileURL(path).href);
}
