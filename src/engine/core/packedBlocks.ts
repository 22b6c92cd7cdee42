/** The packed blocks of a log, and those of them that were read last. */
import { BLOCK_BITS, type LogMemory } from './logMemory.ts';
import { RowPacker } from './rowPacker.ts';
import type { RowData } from './rows.ts';

/** Blocks that stay unpacked after a look, 6 MiB; a block has one place, by its number. */
const KEPT = 64;

/** A packed block as it is read. */
export interface OpenBlock {
  readonly block: number;
  readonly rows: RowData;
  /** So many read it now: its memory must stay theirs. */
  readers: number;
}

/** Blocks by their number in the log. */
export class PackedBlocks {
  readonly #memory: LogMemory;
  readonly #packer = new RowPacker();
  readonly #packed = new Map<number, Uint8Array>();
  readonly #open: OpenBlock[] = [];

  constructor(memory: LogMemory) {
    this.#memory = memory;
  }

  #bytes(block: number): Uint8Array {
    return this.#packed.get(block) as Uint8Array;
  }

  /** Keeps a full block; the memory that it had is free. */
  pack(block: number, rows: RowData): void {
    this.#packed.set(block, this.#packer.pack(rows, block << BLOCK_BITS));
    this.#memory.give(rows);
  }

  /** Time of the first row of a block, ns. */
  firstNs(block: number): number {
    return this.#packer.firstNs(this.#bytes(block));
  }

  /** A block to read, until another one is read; longer for whoever counts as a reader. */
  open(block: number): OpenBlock {
    const place = block % KEPT;
    const there = this.#open[place];
    if (there?.block === block) return there;
    const rows = there === undefined || there.readers > 0 ? this.#memory.take() : there.rows;
    this.#packer.unpack(this.#bytes(block), block << BLOCK_BITS, rows);
    const opened = { block, rows, readers: 0 };
    this.#open[place] = opened;
    return opened;
  }

  /** Gives a block back as it was, to be written to. */
  unpack(block: number): RowData {
    const rows = this.#memory.take();
    this.#packer.unpack(this.#bytes(block), block << BLOCK_BITS, rows);
    this.#packed.delete(block);
    delete this.#open[block % KEPT];
    return rows;
  }
}
