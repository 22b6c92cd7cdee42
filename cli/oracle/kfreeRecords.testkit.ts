/** The measured floods for tests, which run in the folder of the project. */
import { readFileSync } from 'node:fs';
import { type KfreeRecord, type StoredFlood, toKfreeRecords } from './kfreeRecords.ts';

/** The records of some files of test-data/oracle. */
export function readFloods(files: readonly string[]): readonly KfreeRecord[] {
  return toKfreeRecords(
    files.flatMap((file) =>
      readFileSync(`test-data/oracle/${file}`, 'utf8')
        .trim()
        .split('\n')
        .map((line) => ({ ...(JSON.parse(line) as StoredFlood), file })),
    ),
  );
}
