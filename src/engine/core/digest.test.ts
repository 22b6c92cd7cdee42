import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { logDigest } from './digest.ts';
import { addRow } from './eventLog.testkit.ts';
import { EventLog } from './eventLog.ts';

/** Time, kind, track, cause, a, b, c, d. */
type Columns = [number, number, number, number, number, number, number, number];

function logOf(...rows: readonly Columns[]): EventLog {
  const log = new EventLog();
  for (const row of rows) addRow(log, ...row);
  return log;
}

/** docs/DETERMINISM.md: 47 bytes a row, little endian, FNV-1a. */
function digestOfBytes(rows: readonly Columns[]): string {
  let hash = 0x811c9dc5n;
  for (const [timeNs, kind, track, cause, a, b, c, d] of rows) {
    const view = new DataView(new ArrayBuffer(47));
    view.setFloat64(0, timeNs, true);
    view.setUint8(8, kind);
    view.setUint16(9, track, true);
    view.setInt32(11, cause, true);
    for (const [i, value] of [a, b, c, d].entries()) {
      view.setFloat64(15 + 8 * i, Object.is(value, -0) ? 0 : value, true);
    }
    for (const byte of new Uint8Array(view.buffer))
      hash = ((hash ^ BigInt(byte)) * 0x01000193n) & 0xffffffffn;
  }
  return hash.toString(16).padStart(8, '0');
}

const FIRST: Columns = [1_500_000, 24, 5, -1, 1, 2, 3, 0];
const SECOND: Columns = [1_500_000, 27, 300, 0, 0, 0.5, 2 ** 40, -7];

describe('logDigest', () => {
  it('gives the vectors of docs/DETERMINISM.md', () => {
    expect(logDigest(logOf())).toBe('811c9dc5');
    expect(logDigest(logOf(FIRST))).toBe('af44de47');
    expect(logDigest(logOf(FIRST, SECOND))).toBe('7445c3e0');
  });

  it('is the FNV-1a of the bytes of the rows', () => {
    const value = fc.oneof(fc.maxSafeInteger(), fc.double({ noNaN: true }), fc.constantFrom(0, -0, 1, 0.5));
    const row = fc.tuple(
      ...[fc.maxSafeNat(), fc.integer({ min: 1, max: 34 }), fc.nat(65_535)],
      ...[fc.integer({ min: -1, max: 20_000_000 }), value, value, value, value],
    ) as fc.Arbitrary<Columns>;
    fc.assert(
      fc.property(fc.array(row, { maxLength: 6 }), (rows) => {
        expect(logDigest(logOf(...rows))).toBe(digestOfBytes(rows));
      }),
    );
  });

  it('takes -0 for 0', () => {
    expect(logDigest(logOf([0, 1, 0, -1, -0, -0, -0, -0]))).toBe(logDigest(logOf([0, 1, 0, -1, 0, 0, 0, 0])));
  });

  it('changes with every column and with the order', () => {
    const variants = FIRST.map(
      (value, column) => FIRST.map((x, i) => (i === column ? value + 1 : x)) as Columns,
    );
    const digests = [FIRST, ...variants].map((row) => logDigest(logOf(row)));
    expect(new Set(digests).size).toBe(FIRST.length + 1);
    expect(logDigest(logOf(SECOND, FIRST))).not.toBe(logDigest(logOf(FIRST, SECOND)));
  });
});
