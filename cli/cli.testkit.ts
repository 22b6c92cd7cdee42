/** Commands run in memory, for the tests of the command line. */
import { readFileSync } from 'node:fs';
import { runCli } from './cli.ts';
import type { Io } from './io.ts';

export const CALLS = { kind: 'updater', api: 'synchronize_srcu_expedited', calls: 3 };
export const PLAIN = { machine: { preset: 'plain' }, actors: [CALLS] };

/** Runs a command with `stdin` and gives what it wrote. */
export async function cli(words: readonly string[], stdin = '') {
  const written = { out: '', err: '' };
  const files = new Map<string, string>();
  const io: Io = {
    out: (text) => {
      written.out += text;
    },
    err: (text) => {
      written.err += text;
    },
    read: (path) => (path === '-' ? stdin : readFileSync(path, 'utf8')),
    create: (path) => ({
      write: (text) => files.set(path, (files.get(path) ?? '') + text),
      close: () => {},
    }),
    checkWritable: (path) => {
      if (path.startsWith('/nowhere')) throw new Error('no such folder');
    },
    isSame: (path, other) => path === other,
  };
  const status = await runCli(words, io, new URL(import.meta.url));
  return { ...written, status, files, errors: written.err.trim().split('\n') };
}
export const json = async (words: readonly string[], stdin = '') => JSON.parse((await cli(words, stdin)).out);
