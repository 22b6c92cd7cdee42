/** Logs made by hand. */
import type { Kind } from './eventKinds.ts';
import type { EventLog } from './eventLog.ts';
import { LogWriter } from './logWriter.ts';

const writers = new WeakMap<EventLog, LogWriter>();

/** Appends a row to a log that only this function writes to; returns its index. */
export function addRow(
  log: EventLog,
  timeNs: number,
  kind: number,
  track: number,
  cause: number,
  a: number,
  b: number,
  c: number,
  d: number,
): number {
  let writer = writers.get(log);
  if (writer === undefined) {
    writer = new LogWriter(log);
    writers.set(log, writer);
  }
  writer.nowNs = timeNs;
  writer.cause = cause;
  return writer.emit(kind as Kind, track, a, b, c, d);
}
