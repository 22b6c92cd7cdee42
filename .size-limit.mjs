import { existsSync, readFileSync } from 'node:fs';

/** @typedef {{ file: string, isEntry?: boolean, imports?: string[], dynamicImports?: string[] }} Chunk */

const manifestPath = 'dist/.vite/manifest.json';
if (!existsSync(manifestPath)) throw new Error('build first: npm run build');
/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync(manifestPath, 'utf8'));

/**
 * A chunk with all that it imports statically: what the browser loads before anything is shown.
 * @param {string} key
 * @returns {string[]}
 */
function chunksOf(key, seen = new Set()) {
  if (seen.has(key)) return [];
  seen.add(key);
  const { file, imports = [] } = manifest[key];
  return [`dist/${file}`, ...imports.flatMap((name) => chunksOf(name, seen))];
}

// The entry is a few lines that start the worker and load the page: its one dynamic import counts as well.
const entries = Object.keys(manifest)
  .filter((key) => manifest[key].isEntry)
  .flatMap((key) => [key, ...(manifest[key].dynamicImports ?? [])]);
const files = new Set(entries.flatMap((key) => chunksOf(key)));

// biome-ignore lint/style/noDefaultExport: size-limit reads its configuration from there
export default [{ name: 'main entry', path: [...files], limit: '220 kB', gzip: true }];
