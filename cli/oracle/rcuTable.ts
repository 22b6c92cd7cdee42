/** What the comparison of Tree RCU prints: records, fits, the table of rows. */
import type { Counts } from './counts.ts';
import { type Fits, RCU_GPS } from './rcuFits.ts';
import { type Criterion, isInRow, type RcuRecord, type RcuRow } from './rcuRecords.ts';
import { rowTable } from './rows.ts';

/** A record that has been judged: the start state it fits from, what it meets, its figures as text. */
export interface Judged {
  readonly file: string;
  readonly record: RcuRecord;
  readonly rcuGp: number;
  readonly met: Readonly<Record<Criterion, boolean>>;
  readonly line: string;
}

/** A line a record under the first row that it counts in. `misses`: only those that miss something. */
export function recordLines(
  rows: readonly RcuRow[],
  judged: readonly Judged[],
  { gpKthreadCpu }: Fits,
  misses: boolean,
): string[] {
  const rowOf = (each: Judged) => rows.find((row) => isInRow(row, each.file, each.record));
  return rows.flatMap((row) => {
    const lines = judged.flatMap((each) => {
      const missed = (Object.keys(each.met) as Criterion[]).filter((criterion) => !each.met[criterion]);
      if (rowOf(each) !== row || (misses && missed.length === 0)) return [];
      const fits = `k ${gpKthreadCpu[each.record.boot] ?? 0}${each.rcuGp > 0 ? ` gp ${each.rcuGp}` : ''}`;
      const verdict = missed.length > 0 ? `misses ${missed.join(', ')}` : 'meets all';
      return [`  ${each.record.id}  ${fits}  ${each.line}  ${verdict}`];
    });
    const title = `\n${row.title}\n  (k: CPU of the kthread, gp: start state; measured, simulated, difference; times in us)`;
    return lines.length === 0 ? [] : [title, ...lines];
  });
}

/** What was chosen. */
export function fitLines({ gpKthreadCpu, rcuGp }: Fits): string[] {
  return [
    '\nchosen: CPU of the kthread, by boot (the others: 0)',
    ...Object.entries(gpKthreadCpu).map(([boot, cpu]) => `  ${boot}  ${cpu}`),
    'chosen: gp, what RCU had under way, by record with several callers (the others: idle)',
    ...Object.entries(rcuGp).map(([id, place]) => `  ${id}  ${place} ${JSON.stringify(RCU_GPS[place])}`),
    '',
  ];
}

const CRITERIA = [
  ['strict', 'strict'],
  ['oneTick', 'one tick'],
  ['mean', 'mean'],
] as const;

/** The table of rows, with the records' three criteria. */
export function rcuRowTable(wanted: readonly RcuRow[], table: Readonly<Record<string, Counts>>): string {
  return rowTable(CRITERIA, wanted, table);
}
