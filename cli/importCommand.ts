/** `rcuscope import`: what the text of a trace or of a kernel log says of kfree_rcu() and RCU Tasks. */
import { kfreeLife } from '../src/analysis/kfreeLife.ts';
import { blockFill, holdsBlock, MOST_RECORDS } from '../src/trace/blockFill.ts';
import { kfreeResults } from '../src/trace/kfreeResults.ts';
import { parseTrace, type TraceEvent } from '../src/trace/parseTrace.ts';
import { tasksStalls } from '../src/trace/tasksStall.ts';
import { whyHoldout } from '../src/trace/whyHoldout.ts';
import { fault } from './fault.ts';
import { type Imported, importText } from './importText.ts';
import type { Io } from './io.ts';
import { readKernelOptions } from './listParams.ts';
import { print } from './print.ts';
import { type Note, sayNotes } from './source.ts';

/** Options of `import`, as text. */
export interface ImportOptions {
  readonly json: boolean;
  readonly kernel: string | undefined;
  readonly hz: string | undefined;
}

/** Pages of the kernels that people trace. */
const PAGE_SIZE = 4096;
const FORMATS =
  'rcu_invoke_kfree_bulk_callback events of a trace, result lines of the kfree test of rcuscale, ' +
  'info lines and stall reports of RCU Tasks';

function readText(path: string, io: Io): string {
  try {
    return io.read(path);
  } catch (error) {
    throw fault(`${path}: cannot be read: ${(error as Error).message}`);
  }
}

/** The drain delay of the kernel that is named; undefined if none is. Throws a Fault. */
function lifeOf({ kernel, hz }: ImportOptions): Imported['life'] {
  if (kernel === undefined) {
    if (hz !== undefined) throw fault('--hz: it goes with --kernel');
    return undefined;
  }
  const read = readKernelOptions({ kernel, hz, cpus: undefined });
  return { kernel: read.kernel.id, hz: read.hz, ...kfreeLife(read.kernel.rules, read.hz, PAGE_SIZE) };
}

/** The first block that no kernel has. */
function strangeBlock(events: readonly TraceEvent[]): string | undefined {
  for (const event of events) {
    if (event.event !== 'rcu_invoke_kfree_bulk_callback' || holdsBlock(event.data.nr_records)) continue;
    const { line, data } = event;
    return `line ${line}: nr_records=${data.nr_records}: a block holds 1 to ${MOST_RECORDS} pointers`;
  }
  return undefined;
}

function readBlocks(text: string, life: Imported['life'], note: Note): Imported['blocks'] {
  const { events, problems } = parseTrace(text);
  const blocks = blockFill(text, events, life === undefined || life.records === 0 ? undefined : life.records);
  const strange = strangeBlock(events);
  if (strange !== undefined) note(strange);
  if (blocks === undefined) return undefined;
  const [first] = problems;
  if (first !== undefined) note(`${problems.length} lines of the trace are not understood: ${first.message}`);
  if (life !== undefined && blocks.isCapacityGuessed)
    note(
      `a block of ${life.kernel} holds ${life.records} pointers, but ${blocks.capacity} fit what was seen`,
    );
  return blocks;
}

function readAll(text: string, options: ImportOptions, note: Note): Imported | undefined {
  const life = lifeOf(options);
  const blocks = readBlocks(text, life, note);
  const { sections, problems } = kfreeResults(text);
  for (const problem of problems) note(problem);
  const { ages, stalls, hz } = tasksStalls(text);
  const hasTasks = ages.length > 0 || stalls.length > 0;
  if (blocks === undefined && sections.length === 0 && !hasTasks) return undefined;
  const explained = stalls.map((stall) => ({
    ...stall,
    holdouts: stall.holdouts.map((holdout) => ({ ...holdout, why: whyHoldout(holdout) })),
  }));
  return {
    ...(life === undefined ? {} : { life }),
    ...(blocks === undefined ? {} : { blocks }),
    ...(sections.length === 0 ? {} : { kfree: sections }),
    ...(hasTasks ? { tasks: { ...(hz === undefined ? {} : { hz }), ages, stalls: explained } } : {}),
  };
}

/** Reads one file and prints what it understands. Throws a Fault if that is nothing. */
export function importFile(words: readonly string[], options: ImportOptions, io: Io): number {
  const [path, ...more] = words;
  if (path === undefined) throw fault('what to import is missing: a file, or "-"');
  if (more[0] !== undefined) throw fault(`${more[0]}: import takes one file`);
  const notes: string[] = [];
  const imported = readAll(readText(path, io), options, (message) => notes.push(message));
  if (imported === undefined) throw fault(`${path}: nothing that import reads, which is: ${FORMATS}`);
  sayNotes(notes, io);
  return print(io, options.json, imported, () => importText(imported));
}
