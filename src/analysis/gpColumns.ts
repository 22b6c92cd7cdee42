/** The table of grace periods, as builders fill it. */
import { GrowingTable } from './growingTable.ts';

const GP_COLUMNS = {
  track: 'u16',
  number: 'f64',
  startNs: 'f64',
  endNs: 'nan',
  startRow: 'i32',
  endRow: 'none',
  requestNs: 'nan',
  requestRow: 'none',
  requester: 'none',
  expedited: 'u8',
  passes: 'f64',
  polls: 'f64',
  sleeps: 'f64',
  sleptJiffies: 'f64',
  firstSleepNs: 'nan',
  pollNs: 'f64',
  lastReader: 'none',
  lastReaderRow: 'none',
  lastReaderLeaveNs: 'nan',
  overshootNs: 'f64',
  requesterHit: 'u8',
  call: 'none',
  callLatencyNs: 'nan',
  flavor: 'u8',
  scans: 'f64',
  initEndNs: 'nan',
  lastHow: 'u8',
  lastCpu: 'none',
  lastReportRow: 'none',
  lastReportNs: 'nan',
  cleanupNs: 'nan',
} as const;

/** The table that all builders of one index add to, so that it is in order of start. */
export type GrowingGps = GrowingTable<typeof GP_COLUMNS>;

/** An empty one. */
export function createGps(): GrowingGps {
  return new GrowingTable(GP_COLUMNS);
}
