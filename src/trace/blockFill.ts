/** How full the blocks of kfree_rcu() were, from rcu_invoke_kfree_bulk_callback (kvfree K3, 11). */
import { mean, median, most } from './average.ts';
import { type FreedBlock, freedBlocks, smallestBlock } from './freedBlocks.ts';
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

/** What a text says of blocks, if it has any, and what is wrong with its events. */
export interface BlockFills {
  readonly report?: BlockFillReport;
  /** Blocks that no kernel has, which are left out. */
  readonly strange: readonly string[];
  /** Places where the time of a CPU goes back: between such two blocks no gap is counted. */
  readonly jumpsBack: readonly string[];
}

const FEW = 10;

/** Time between two blocks of a CPU; below 0 where the trace jumps back. */
interface Gap {
  readonly ns: number;
  /** The later one. */
  readonly to: FreedBlock;
}

function gaps(blocks: readonly FreedBlock[]): Gap[] {
  return blocks.slice(1).map((to, i) => ({ to, ns: to.timeNs - (blocks[i] as FreedBlock).timeNs }));
}

function fillOf(blocks: readonly FreedBlock[], between: readonly Gap[], capacity: number): BlockFill {
  const records = blocks.map((block) => block.records);
  const gapsNs = between.filter(({ ns }) => ns >= 0).map(({ ns }) => ns);
  return {
    n: records.length,
    ...{ mean: mean(records), median: median(records), most: most(records) },
    fill: mean(records) / capacity,
    under10: records.filter((count) => count < FEW).length,
    full: records.filter((count) => count === capacity).length,
    ...(gapsNs.length === 0 ? {} : { gapNs: median(gapsNs) }),
  };
}

/** The blocks of each CPU, in the order of the CPUs. */
function byCpu(blocks: readonly FreedBlock[]): (readonly [number, readonly FreedBlock[]])[] {
  const cpus = new Map<number, FreedBlock[]>();
  for (const block of blocks) {
    const own = cpus.get(block.cpu);
    if (own === undefined) cpus.set(block.cpu, [block]);
    else own.push(block);
  }
  return [...cpus].sort(([a], [b]) => a - b);
}

function sectionOf(
  title: string,
  blocks: readonly FreedBlock[],
  capacity: number,
  jumpsBack: string[],
): BlockFillSection {
  const cpus = byCpu(blocks).map(([cpu, own]) => ({ cpu, own, between: gaps(own) }));
  const between = cpus.flatMap((each) => each.between);
  for (const { ns, to } of between)
    if (ns < 0)
      jumpsBack.push(`line ${to.line}: CPU ${to.cpu} is at an earlier time again: no gap is counted`);
  return {
    title,
    all: fillOf(blocks, between, capacity),
    cpus: cpus.map(({ cpu, own, between: its }) => ({ cpu, ...fillOf(own, its, capacity) })),
  };
}

/** What the events of `text` say, by its parts. `capacity`: pointers a block holds, where the kernel is known. */
export function blockFill(text: string, events: readonly TraceEvent[], capacity?: number): BlockFills {
  const { blocks, problems: strange } = freedBlocks(events);
  const jumpsBack: string[] = [];
  if (blocks.length === 0) return { strange, jumpsBack };
  const seen = most(blocks.map(({ records }) => records));
  const isCapacityGuessed = capacity === undefined || capacity < seen;
  const holds = isCapacityGuessed ? smallestBlock(seen) : capacity;
  const sections: BlockFillSection[] = [];
  let from = 0;
  for (const { title, toLine } of readSections(text)) {
    let to = from;
    while (to < blocks.length && (blocks[to] as FreedBlock).line <= toLine) to++;
    if (to > from) sections.push(sectionOf(title, blocks.slice(from, to), holds, jumpsBack));
    from = to;
  }
  return { report: { capacity: holds, isCapacityGuessed, sections }, strange, jumpsBack };
}
