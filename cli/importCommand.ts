/** `rcuscope import`: what the text of a trace or of a kernel log says of kfree_rcu() and RCU Tasks. */
import { kfreeLife } from '../src/analysis/kfreeLife.ts';
import { blockFill } from '../src/trace/blockFill.ts';
import { BULK_EVENT } from '../src/trace/freedBlocks.ts';
import { kfreeResults } from '../src/trace/kfreeResults.ts';
import { parseTrace, type TraceEvent } from '../src/trace/parseTrace.ts';
import { tasksStalls } from '../src/trace/tasksStall.ts';
import { whyHoldout } from '../src/trace/whyHoldout.ts';
import { Fault, fault } from './fault.ts';
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

/** True: an event of a block, with fields that are not understood. */
function isBadBulk(event: TraceEvent): boolean {
  return event.event === 'other' && event.data.name === BULK_EVENT;
}

/** Says the first of many. */
function noteFirst([first, ...others]: readonly string[], note: Note): void {
  if (first !== undefined) note(others.length === 0 ? first : `${first} (and ${others.length} more)`);
}

function readBlocks(text: string, life: Imported['life'], note: Note): Imported['blocks'] {
  const { events, problems: unread } = parseTrace(text);
  const capacity = life === undefined || life.records === 0 ? undefined : life.records;
  const { report, strange, jumpsBack } = blockFill(text, events, capacity);
  noteFirst(strange, note);
  noteFirst(jumpsBack, note);
  if (report === undefined) {
    // what else the text holds is another trace, or none
    const bulk = new Set(events.flatMap((event) => (isBadBulk(event) ? [event.line] : [])));
    noteFirst(
      unread.filter(({ line }) => bulk.has(line)).map(({ message }) => message),
      note,
    );
    return undefined;
  }
  const [first] = unread;
  if (first !== undefined) note(`${unread.length} lines of the trace are not understood: ${first.message}`);
  if (life !== undefined && report.isCapacityGuessed) {
    const has = life.records === 0 ? 'has no blocks' : `has blocks of ${life.records} pointers`;
    note(`${life.kernel} ${has}, but ${report.capacity} fit what was seen`);
  }
  return report;
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
  if (imported === undefined)
    throw new Fault([...notes, `${path}: nothing that import reads, which is: ${FORMATS}`]);
  sayNotes(notes, io);
  return print(io, options.json, imported, () => importText(imported));
}
