/**
 * One 32-bit FNV-1a over the rows in order; of each row the columns time, kind, track, cause, a, b, c, d as
 * little-endian bytes. Equal in Node and in every browser.
 */
import type { EventLog } from './eventLog.ts';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The digest of a whole log as 8 hex digits. */
export function logDigest(log: EventLog): string {
  let hash = FNV_OFFSET;
  const word = new Float64Array(1);
  const bytes = new Uint8Array(word.buffer);
  const addFloat = (value: number) => {
    // -0 and 0 are one value
    word[0] = value + 0;
    for (let k = 0; k < 8; k++) hash = Math.imul(hash ^ (bytes[k] as number), FNV_PRIME);
  };
  const addByte = (value: number) => {
    hash = Math.imul(hash ^ (value & 0xff), FNV_PRIME);
  };
  log.forEach((event) => {
    addFloat(event.timeNs);
    addByte(event.kind);
    const { track } = event;
    addByte(track);
    addByte(track >> 8);
    const { cause } = event;
    addByte(cause);
    addByte(cause >> 8);
    addByte(cause >> 16);
    addByte(cause >> 24);
    addFloat(event.a);
    addFloat(event.b);
    addFloat(event.c);
    addFloat(event.d);
  });
  return (hash >>> 0).toString(16).padStart(8, '0');
}
