/** Who made whom happen: the links that are drawn as arrows. */
import { createLookUp } from '../analysis/rowWindow.ts';
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
  const lookUp = createLookUp(rows);
  const cause = lookUp(row)?.cause;
  if (cause === undefined) return { links: [], isCut: true };
  const links: CauseLink[] = [];
  let isCut = false;
  if (cause >= rows.first) links.push({ fromRow: cause, toRow: row });
  else if (cause >= 0) isCut = true;
  for (let toRow = row + 1; toRow < rows.first + rows.length; toRow++) {
    if (lookUp(toRow)?.cause !== row) continue;
    if (links.length >= MAX_EFFECTS) return { links, isCut: true };
    links.push({ fromRow: row, toRow });
  }
  return { links, isCut };
}

/** Every link from `row` back to its first cause, the nearest first, as far as the rows are loaded. */
export function chainLinks(rows: RowWindow, row: number): CauseLinks {
  const links: CauseLink[] = [];
  const lookUp = createLookUp(rows);
  let toRow = row;
  while (links.length < MAX_CHAIN) {
    const fromRow = lookUp(toRow)?.cause;
    if (fromRow === undefined) return { links, isCut: true };
    if (fromRow < 0) return { links, isCut: false };
    links.push({ fromRow, toRow });
    toRow = fromRow;
  }
  return { links, isCut: true };
}
