/** Who made whom happen: the links that are drawn as arrows. */
import type { RowWindow } from '../analysis/types.ts';

/** An arrow from a cause to its effect. Rows are indexes in the log. */
export interface CauseLink {
  readonly fromRow: number;
  readonly toRow: number;
}

export interface CauseLinks {
  readonly links: readonly CauseLink[];
  /** True if there are more than are drawn: outside the loaded rows, or above the limit. */
  readonly isCut: boolean;
}

/** More arrows than this say nothing. */
const MAX_EFFECTS = 24;
const MAX_CHAIN = 400;

/** The cause of `row`, and what it caused itself: the direct links only. */
export function directLinks(rows: RowWindow, row: number): CauseLinks {
  const at = row - rows.first;
  if (at < 0 || at >= rows.length) return { links: [], isCut: true };
  const links: CauseLink[] = [];
  let isCut = false;
  const cause = rows.cause[at] ?? -1;
  if (cause >= rows.first) links.push({ fromRow: cause, toRow: row });
  else if (cause >= 0) isCut = true;
  for (let i = at + 1; i < rows.length; i++) {
    if (rows.cause[i] !== row) continue;
    if (links.length >= MAX_EFFECTS) return { links, isCut: true };
    links.push({ fromRow: row, toRow: rows.first + i });
  }
  return { links, isCut };
}

/** Every link from `row` back to its first cause, the nearest first, as far as the rows are loaded. */
export function chainLinks(rows: RowWindow, row: number): CauseLinks {
  const links: CauseLink[] = [];
  let toRow = row;
  while (links.length < MAX_CHAIN) {
    if (toRow < rows.first || toRow >= rows.first + rows.length) return { links, isCut: true };
    const fromRow = rows.cause[toRow - rows.first] ?? -1;
    if (fromRow < 0) return { links, isCut: false };
    links.push({ fromRow, toRow });
    toRow = fromRow;
  }
  return { links, isCut: true };
}
