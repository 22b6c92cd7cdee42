/** Memory of logs: blocks of 2 Ki rows, and those that can be used again. */
import type { EventLog } from './eventLog.ts';
import { createRows, ROW_BYTES, ROW_WORDS, type RowData } from './rows.ts';

/** 96 KiB a block: what is larger than 128 KiB, C libraries fetch from the kernel page by page. */
export const BLOCK_BITS = 11;
/** Rows of a block. */
export const BLOCK_ROWS = 1 << BLOCK_BITS;
/** An index masked by this is the row's place in its block. */
export const BLOCK_MASK = BLOCK_ROWS - 1;

/** Blocks of 64 MiB. */
const MAX_KEPT_BLOCKS = 2 ** 26 / (BLOCK_ROWS * ROW_BYTES);

/**
 * Memory of logs that nobody reads any more, for the logs that come next: fetching it anew is a quarter of what a run
 * costs. Keeps up to 64 MiB.
 */
export class LogMemory {
  readonly #blocks: RowData[] = [];

  /** Takes the memory of a log; the log is empty from then on. */
  recycle(log: EventLog): void {
    for (const block of log.blocks) if (block !== null) this.give(block);
    log.clear();
  }

  /** Takes a block that nobody uses any more. */
  give(block: RowData): void {
    const isFull = block.floats.length === BLOCK_ROWS * ROW_WORDS;
    if (isFull && this.#blocks.length < MAX_KEPT_BLOCKS) this.#blocks.push(block);
  }

  /** A block of full size. */
  take(): RowData {
    return this.#blocks.pop() ?? createRows(BLOCK_ROWS);
  }
}
