/** Aligned text tables for people. */

/** Rows as lines, columns padded to their widest cell; `right` columns are numbers. */
export function formatTable(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const columns = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: columns }, (_, column) =>
    Math.max(...rows.map((row) => (row[column] ?? '').length)),
  );
  const lines = rows.map((row) =>
    row
      .map((cell, column) => {
        const width = widths[column] as number;
        return right.includes(column) ? cell.padStart(width) : cell.padEnd(width);
      })
      .join('  ')
      .trimEnd(),
  );
  return lines.map((line) => `${line}\n`).join('');
}

const DIGITS = 4;

/** A time for people: "14.01 ms", four digits. */
export function formatTime(ns: number): string {
  const [unit, size] =
    ns >= 1e9 ? ['s', 1e9] : ns >= 1e6 ? ['ms', 1e6] : ns >= 1e3 ? ['us', 1e3] : (['ns', 1] as const);
  return `${Number((ns / size).toPrecision(DIGITS))} ${unit}`;
}
