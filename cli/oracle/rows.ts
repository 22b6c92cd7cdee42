/** Rows of a table of counts: what a run reached, what is asked for, what an earlier implementation had. */
import { formatTable } from '../table.ts';
import type { Counts } from './counts.ts';

/** A row, as kept in a file of test-data/oracle. */
export interface Row {
  /** Its name in reached.json and for `--group`. */
  readonly id: string;
  readonly title: string;
  /** Files with its records. */
  readonly files: readonly string[];
  /** By criterion what an earlier implementation of the same rules reached, of "n" records. */
  readonly reference?: Readonly<Record<string, number>>;
  /** By criterion the share that is asked for. */
  readonly acceptance?: Readonly<Record<string, number>>;
}

function share(count: Counts[string] | undefined, asked: number | undefined): string {
  if (count === undefined) return '';
  const reached = `${count.met}/${count.of}`;
  if (asked === undefined) return reached;
  const least = Math.floor(asked * count.of);
  return `${reached} ${count.met >= least ? '>=' : '<'} ${least}`;
}

/**
 * "idle, 1 caller  24  22/24 >= 20  (23/24) ...": ours, what is asked, and in brackets the reference.
 * `criteria`: [criterion, heading] of the columns.
 */
export function rowTable(
  criteria: readonly (readonly [string, string])[],
  wanted: readonly Row[],
  table: Readonly<Record<string, Counts>>,
): string {
  const head = ['row', 'n', ...criteria.flatMap(([, heading]) => [heading, ''])];
  const lines = wanted.map(({ id, title, reference = {}, acceptance = {} }) => {
    const counts = table[id] ?? {};
    const cells = criteria.flatMap(([criterion]) => {
      const had = reference[criterion];
      return [
        share(counts[criterion], acceptance[criterion]),
        had === undefined ? '' : `(${had}/${reference.n})`,
      ];
    });
    const n = Math.max(0, ...Object.values(counts).map(({ of }) => of));
    return [title, String(n), ...cells];
  });
  return formatTable([head, ...lines], [1]).trimEnd();
}
