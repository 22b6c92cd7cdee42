/** How full the blocks of kfree_rcu() were, from rcu_invoke_kfree_bulk_callback (kvfree K3, 11). */
import { recordsPerBlock } from '../engine/kvfree/params.ts';
import { KVFREE_RULE_VALUES } from '../engine/profiles/kvfreeRules.ts';
import { mean, median } from './average.ts';
import type { TraceEvent } from './parseTrace.ts';
import { readSections } from './sections.ts';

/** Blocks that were freed. The event is written at the free: CPU and time are those of the kworker. */
export interface BlockFill {
  readonly n: number;
  /** Pointers a block. */
  readonly mean: number;
  readonly median: number;
  readonly most: number;
  /** mean over what a block holds, 0 to 1. */
  readonly fill: number;
  /** Blocks with fewer than 10 pointers. */
  readonly under10: number;
  /** Blocks that hold all that they can. */
  readonly full: number;
  /** Median time from one block to the next of a CPU; absent with one block. */
  readonly gapNs?: number;
}

/** One part of the text. */
export interface BlockFillSection {
  readonly title: string;
  readonly all: BlockFill;
  /** By the CPU that freed, in the order of the CPUs. */
  readonly cpus: readonly (BlockFill & { readonly cpu: number })[];
}

/** Everything that a text says of blocks. */
export interface BlockFillReport {
  /** Pointers that a block holds. */
  readonly capacity: number;
  /** True: the smallest block that holds all that was seen, as the kernel is not known. */
  readonly isCapacityGuessed: boolean;
  readonly sections: readonly BlockFillSection[];
}

const FEW = 10;
const PAGE_SIZES = [4096, 16_384, 65_536];

interface Block {
  readonly line: number;
  readonly cpu: number;
  readonly timeNs: number;
  readonly records: number;
}

/** Pointers that blocks of any kernel and page size hold (K3). */
const BLOCK_SIZES = PAGE_SIZES.flatMap((pageSize) =>
  KVFREE_RULE_VALUES['kvfree.block'].map((rule) => recordsPerBlock(rule, pageSize)),
);
/** Pointers of the largest block there is. */
export const MOST_RECORDS = Math.max(...BLOCK_SIZES);

/** The smallest block of any kernel and page size that holds so many pointers, MOST_RECORDS at most. */
function smallestBlock(records: number): number {
  return Math.min(...BLOCK_SIZES.filter((size) => size >= records));
}

/** True: a block can hold so many pointers. */
export function holdsBlock(records: number): boolean {
  return records >= 1 && records <= MOST_RECORDS;
}

function gaps(blocks: readonly Block[]): number[] {
  return blocks.slice(1).map(({ timeNs }, i) => timeNs - (blocks[i] as Block).timeNs);
}

function fillOf(blocks: readonly Block[], gapsNs: readonly number[], capacity: number): BlockFill {
  const records = blocks.map((block) => block.records);
  return {
    n: records.length,
    ...{ mean: mean(records), median: median(records), most: records.reduce((a, b) => Math.max(a, b)) },
    fill: mean(records) / capacity,
    under10: records.filter((count) => count < FEW).length,
    full: records.filter((count) => count === capacity).length,
    ...(gapsNs.length === 0 ? {} : { gapNs: median(gapsNs) }),
  };
}

function sectionOf(title: string, blocks: readonly Block[], capacity: number): BlockFillSection {
  const cpus = [...new Set(blocks.map(({ cpu }) => cpu))].sort((a, b) => a - b);
  const ofCpus = cpus.map((cpu) => blocks.filter((block) => block.cpu === cpu));
  return {
    title,
    all: fillOf(blocks, ofCpus.flatMap(gaps), capacity),
    cpus: ofCpus.map((own, i) => ({ cpu: cpus[i] as number, ...fillOf(own, gaps(own), capacity) })),
  };
}

/** What the events of `text` say, by its parts. `capacity`: pointers a block holds, where the kernel is known. */
export function blockFill(
  text: string,
  events: readonly TraceEvent[],
  capacity?: number,
): BlockFillReport | undefined {
  const blocks = events.flatMap((event): Block[] => {
    if (event.event !== 'rcu_invoke_kfree_bulk_callback') return [];
    const { line, cpu, timeNs, data } = event;
    if (!holdsBlock(data.nr_records)) return [];
    return [{ line, cpu, timeNs, records: data.nr_records }];
  });
  if (blocks.length === 0) return undefined;
  const most = blocks.reduce((count, { records }) => Math.max(count, records), 0);
  const isCapacityGuessed = capacity === undefined || capacity < most;
  const holds = isCapacityGuessed ? smallestBlock(most) : capacity;
  const sections = readSections(text).flatMap(({ title, fromLine, toLine }) => {
    const own = blocks.filter(({ line }) => line >= fromLine && line <= toLine);
    return own.length === 0 ? [] : [sectionOf(title, own, holds)];
  });
  return { capacity: holds, isCapacityGuessed, sections };
}
