/**
 * One 32-bit FNV-1a over the rows in order; of each row the columns time, kind, track, cause, a, b, c, d as
 * little-endian bytes. Equal in Node and in every browser.
 */
import type { EventLog } from './eventLog.ts';
import type { EventRow } from './rows.ts';

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** The digest of rows that are given to it in order. */
export class Digest {
  #hash = FNV_OFFSET;
  readonly #word = new Float64Array(1);
  readonly #bytes = new Uint8Array(this.#word.buffer);

  #addFloat(value: number): void {
    // -0 and 0 are one value
    this.#word[0] = value + 0;
    let hash = this.#hash;
    for (let k = 0; k < 8; k++) hash = Math.imul(hash ^ (this.#bytes[k] as number), FNV_PRIME);
    this.#hash = hash;
  }

  #addBytes(value: number, count: number): void {
    for (let k = 0; k < count; k++)
      this.#hash = Math.imul(this.#hash ^ ((value >> (8 * k)) & 0xff), FNV_PRIME);
  }

  /** The next row. */
  add(event: EventRow): void {
    this.#addFloat(event.timeNs);
    this.#addBytes(event.kind, 1);
    this.#addBytes(event.track, 2);
    this.#addBytes(event.cause, 4);
    this.#addFloat(event.a);
    this.#addFloat(event.b);
    this.#addFloat(event.c);
    this.#addFloat(event.d);
  }

  /** 8 hex digits. */
  get text(): string {
    return (this.#hash >>> 0).toString(16).padStart(8, '0');
  }
}

/** The digest of a whole log as 8 hex digits. */
export function logDigest(log: EventLog): string {
  const digest = new Digest();
  log.forEach((event) => {
    digest.add(event);
  });
  return digest.text;
}
