import { closeSync, linkSync, mkdtempSync, openSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runCli } from './cli.ts';
import { descriptorIo } from './io.ts';

const folder = mkdtempSync(join(tmpdir(), 'rcuscope-'));
const path = join(folder, 'a');
writeFileSync(path, 'a');

test('stdout that cannot be written is a fault and no failure of the program; stderr is nobody to tell', async () => {
  const fd = openSync(path, 'r');
  const io = descriptorIo(fd, fd);
  expect(() => io.out('x')).toThrow(/^stdout: cannot be written: EBADF/);
  io.err('x');
  for (const words of [['--help'], ['run', 'one-reader', '--json']])
    expect(await runCli(words, io, new URL(import.meta.url))).toBe(2);
  closeSync(fd);
});

test('a file is the same by every name, a device is none', () => {
  const [soft, hard] = [join(folder, 'soft'), join(folder, 'hard')];
  symlinkSync(path, soft);
  linkSync(path, hard);
  const io = descriptorIo(1, 2);
  expect([path, soft, hard].map((other) => io.isSame(path, other))).toEqual([true, true, true]);
  expect([folder, join(folder, 'b'), '/dev/null'].map((other) => io.isSame(path, other))).toEqual([
    false,
    false,
    false,
  ]);
  expect(io.isSame('/dev/null', '/dev/null')).toBe(false);
});

test('what cannot be written is known before, and nothing is touched', () => {
  const { checkWritable } = descriptorIo(1, 2);
  const before = readdirSync(folder);
  for (const good of [path, join(folder, 'new'), 'new', '/dev/null'])
    expect(() => checkWritable(good)).not.toThrow();
  for (const bad of [folder, `${folder}/new/`, '.'])
    expect(() => checkWritable(bad)).toThrow(/^it is a folder/);
  for (const bad of [join(folder, 'new', 'x'), join(path, 'x')])
    expect(() => checkWritable(bad)).toThrow(/^(ENOENT|ENOTDIR)/);
  expect(readdirSync(folder)).toEqual(before);
});
