/** Aligned text tables for people. */

/** Rows as lines, columns padded to their widest cell; `right` columns are numbers. */
export function formatTable(rows: readonly (readonly string[])[], right: readonly number[] = []): string {
  const widths: number[] = [];
  for (const row of rows)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length);
    });
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
