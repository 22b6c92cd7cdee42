/** The columns of the table of grace periods, and what they hold at first. */
export const GP_COLUMNS = {
  track: 'u16',
  number: 'f64',
  startNs: 'f64',
  endNs: 'f64',
  startRow: 'i32',
  endRow: 'i32',
  requestNs: 'f64',
  requestRow: 'i32',
  requester: 'i32',
  expedited: 'u8',
  passes: 'f64',
  polls: 'f64',
  sleeps: 'f64',
  sleptJiffies: 'f64',
  firstSleepNs: 'f64',
  pollNs: 'f64',
  lastReader: 'i32',
  lastReaderRow: 'i32',
  lastReaderLeaveNs: 'f64',
  overshootNs: 'f64',
  requesterHit: 'u8',
  call: 'i32',
  callLatencyNs: 'f64',
} as const;

/** Columns that start as NaN. */
export const UNKNOWN = ['endNs', 'requestNs', 'firstSleepNs', 'lastReaderLeaveNs', 'callLatencyNs'] as const;
/** Columns that start as -1. */
export const NONE = ['endRow', 'requestRow', 'requester', 'lastReader', 'lastReaderRow', 'call'] as const;
