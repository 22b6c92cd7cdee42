import { showValue } from '../src/config/problem.ts';
import { type EventLog, type EventRow, KIND, kindName, type RunInfo } from '../src/engine/index.ts';
import { LogPayloads } from '../src/trace/logPayloads.ts';
import { fault } from './fault.ts';
import type { Io } from './io.ts';

/**
 * Throws a Fault if the log may not or cannot go to `path`: stdout has the result, and the file that was read as
 * configuration (`source`) shall still be there afterwards.
 */
export function checkEventsPath(path: string, source: string | undefined, io: Io): void {
  if (path === '' || path === '-') throw fault(`--events: ${showValue(path)}: a file; stdout has the result`);
  if (source !== undefined && io.isSame(source, path))
    throw fault(`--events: ${showValue(path)}: another file than the one with the configuration`);
  try {
    io.checkWritable(path);
  } catch (error) {
    throw fault(`--events: ${showValue(path)}: cannot be written: ${(error as Error).message}`);
  }
}

/** Rows that are put together before they are written. */
const CHUNK_ROWS = 4096;

/**
 * Name and first payload of a row as this kernel's trace has them: up to 6.11 rcu_watching is rcu_dyntick, and its
 * strings have the opposite meaning (rule tree.watchEvent).
 */
function asTraced({ kind, a }: EventRow, info: RunInfo): { readonly kind: string; readonly a: number } {
  if (kind === KIND.rcu_watching && info.rules['tree.watchEvent'] === 'rcu_dyntick')
    return { kind: 'rcu_dyntick', a: 1 - a };
  return { kind: kindName(kind), a };
}

/** Masks as the kernel prints them: hexadecimal. */
const asPrinted = (_key: string, value: unknown) => (typeof value === 'bigint' ? value.toString(16) : value);

/**
 * Writes the log as JSON lines: {i, t, kind, track, cause, a, b, c, d}, t in ns, kind and track by name, cause the
 * index of the row that caused this one, or -1; RCU trace events have their `payload` besides, as the kernel prints it.
 * Throws a Fault if the file cannot be written.
 */
export function writeEvents(path: string, log: EventLog, info: RunInfo, io: Io): void {
  const names = new Map(info.tracks.map((track) => [track.id, track.name]));
  const payloads = new LogPayloads(info);
  try {
    const file = io.create(path);
    let lines: string[] = [];
    log.forEach((event, i) => {
      const { track } = event;
      const { kind, a } = asTraced(event, info);
      const row = {
        ...{ i, t: event.timeNs, kind, track: names.get(track) ?? track, cause: event.cause },
        ...{ a, b: event.b, c: event.c, d: event.d },
        payload: payloads.of(event),
      };
      lines.push(JSON.stringify(row, asPrinted));
      if (lines.length < CHUNK_ROWS) return;
      file.write(`${lines.join('\n')}\n`);
      lines = [];
    });
    if (lines.length > 0) file.write(`${lines.join('\n')}\n`);
    file.close();
  } catch (error) {
    throw fault(`${path}: cannot be written: ${(error as Error).message}`);
  }
}
