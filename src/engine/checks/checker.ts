/** What a checker is, and where it puts what it finds. */
import type { CheckContext } from './context.ts';

/** A row of the log. One object is used for all rows: take values out, keep no reference. */
export interface Row {
  index: number;
  timeNs: number;
  kind: number;
  track: number;
  cause: number;
  a: number;
  b: number;
  c: number;
  d: number;
}

/** Checker.kinds of those that want to see every row. */
export const ANY_KIND: readonly number[] = [-1];

/**
 * One invariant. `onRow` is called for the rows of its `kinds`, in order, before the row changes the context: what the
 * context says of domains and CPUs is the state in which the row found them.
 */
export interface Checker {
  /**
   * "I1" to "I15": docs/model/srcu.md 5.7. "V1" to "V17": tree-invariants.md. "W1" to "W14": kvfree-invariants.md. "T1" to
   * "T11": tasks-invariants.md. "L1" and up: properties of any log.
   */
  readonly id: string;
  readonly title: string;
  /** Where the rule stands. */
  readonly rule: string;
  /** KIND of the rows it wants to see, or ANY_KIND. */
  readonly kinds: readonly number[];
  onRow(row: Row): void;
  /** After the last row, which is still in `row`. */
  onEnd?(row: Row): void;
}

/** Makes a checker for one log. */
export type CheckerFactory = (context: CheckContext) => Checker;

/** One violation: docs/configuration.md. `event` is the index of the row. */
export interface Violation {
  readonly id: string;
  readonly atNs: number;
  readonly event: number;
  readonly text: string;
}

/** So many violations of one invariant are listed; a further entry says how many there were. */
export const MAX_LISTED = 20;

/** Collects judgements. */
export class Report {
  /** Judgements made. */
  checked = 0;
  readonly #violations: Violation[] = [];
  readonly #totals = new Map<string, number>();

  /** Judges: if `isRight` is false, `text` tells what is wrong at this row. Returns `isRight`. */
  judge(id: string, isRight: boolean, row: Row, text: () => string): boolean {
    this.checked++;
    if (isRight) return true;
    const total = (this.#totals.get(id) ?? 0) + 1;
    this.#totals.set(id, total);
    if (total <= MAX_LISTED) {
      this.#violations.push({ id, atNs: row.timeNs, event: row.index, text: text() });
    }
    return false;
  }

  /** All that are listed, in the order of the log; the totals of long lists last. `end` is the last row. */
  violations(end: Row): Violation[] {
    const listed = [...this.#violations];
    for (const [id, total] of this.#totals) {
      if (total <= MAX_LISTED) continue;
      const text = `${total} violations of ${id} in all, of which ${MAX_LISTED} are listed`;
      listed.push({ id, atNs: end.timeNs, event: end.index, text });
    }
    return listed;
  }
}
