import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { findBreaches } from './tidyRules.mjs';

/** Files whose text is not ours to judge: measured data, pictures, the lock file. */
const skipped = /(^|\/)test-data\/|\.(png|jpg|gif|ico|woff2?|gz)$|^package-lock\.json$|^LICENSE$/;

// Tracked files and new ones that are not ignored: what a commit would hold.
const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
});
const paths = listed.split('\0').filter((path) => path && existsSync(path));
const files = new Map(paths.map((path) => [path, skipped.test(path) ? '' : readFileSync(path, 'utf8')]));

const breaches = findBreaches(files);
for (const { path, line, rule, text } of breaches) console.log(`${path}:${line} ${rule}: ${text}`);
console.log(`tidy: ${files.size} files, ${breaches.length} breaches`);
process.exitCode = breaches.length > 0 ? 1 : 0;
