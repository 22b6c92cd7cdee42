/** Blocks of kfree_rcu() that a trace says were freed, by rcu_invoke_kfree_bulk_callback (kvfree K3, 11). */
import { recordsPerBlock } from '../engine/kvfree/params.ts';
import { KVFREE_RULE_VALUES } from '../engine/profiles/kvfreeRules.ts';
import { most } from './average.ts';
import type { TraceEvent } from './parseTrace.ts';

/** A block, by the event that is written at its free. */
export interface FreedBlock {
  /** In the text, from 1. */
  readonly line: number;
  readonly cpu: number;
  readonly timeNs: number;
  /** Pointers in it. */
  readonly records: number;
}

/** The event. */
export const BULK_EVENT = 'rcu_invoke_kfree_bulk_callback';

const PAGE_SIZES = [4096, 16_384, 65_536];
/** Pointers that blocks of any kernel and page size hold (K3). */
const BLOCK_SIZES = PAGE_SIZES.flatMap((pageSize) =>
  KVFREE_RULE_VALUES['kvfree.block'].map((rule) => recordsPerBlock(rule, pageSize)),
);
const MOST_RECORDS = most(BLOCK_SIZES);
/** NR_CPUS is 8192 at most. */
const MAX_CPU = 8191;

/** Pointers of the smallest block of any kernel and page size that holds so many. */
export function smallestBlock(records: number): number {
  return BLOCK_SIZES.reduce((size, other) => (other >= records ? Math.min(size, other) : size), MOST_RECORDS);
}

/** Why no kernel has such a block; undefined: some may. */
function whyNone({ cpu, records }: FreedBlock): string | undefined {
  if (records < 1 || records > MOST_RECORDS)
    return `nr_records=${records}: a block holds 1 to ${MOST_RECORDS} pointers`;
  return cpu > MAX_CPU ? `CPU ${cpu}: kernels have CPUs 0 to ${MAX_CPU}` : undefined;
}

/** The blocks in the order of the text, and what is wrong with those that no kernel has and that are left out. */
export function freedBlocks(events: readonly TraceEvent[]): {
  readonly blocks: readonly FreedBlock[];
  readonly problems: readonly string[];
} {
  const blocks: FreedBlock[] = [];
  const problems: string[] = [];
  for (const event of events) {
    if (event.event !== BULK_EVENT) continue;
    const { line, cpu, timeNs, data } = event;
    const block = { line, cpu, timeNs, records: data.nr_records };
    const why = whyNone(block);
    if (why === undefined) blocks.push(block);
    else problems.push(`line ${line}: ${why}`);
  }
  return { blocks, problems };
}
