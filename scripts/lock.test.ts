import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { withLock } from './lock.mjs';

describe('withLock', () => {
  let folder = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'rcuscope-lock-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('does one work after the other, and says that it waits', async () => {
    const path = join(folder, 'lock');
    const heard: string[] = [];
    const work = (name: string) => async () => {
      heard.push(`${name} begins`);
      await new Promise((resolve) => setTimeout(resolve, 20));
      heard.push(`${name} ends`);
    };
    const second = () => withLock(path, work('b'), () => heard.push('b waits'));
    await Promise.all([withLock(path, work('a')), second()]);
    expect(heard).toEqual(['a begins', 'b waits', 'a ends', 'b begins', 'b ends']);
    expect(existsSync(path)).toBe(false);
  });

  it('lets go after a failure, and takes over from the dead', async () => {
    const path = join(folder, 'lock');
    await expect(withLock(path, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    writeFileSync(path, String(2 ** 30));
    let isDone = false;
    await withLock(path, () => {
      isDone = true;
    });
    expect(isDone).toBe(true);
  });
});
