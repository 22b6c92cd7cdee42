/** Available memory as the flood uses it (kvfree K3, K21): objects and blocks, in bytes. */
import type { Costs } from '../machine/presets.ts';

/** The smallest and the largest min_free_kbytes that the kernel chooses, KiB. */
const LEAST_MIN_KIB = 128;
const MOST_MIN_KIB = 262_144;
const KIB = 1024;

/** Integer square root, as the kernel's int_sqrt(). */
function intSqrt(n: number): number {
  let low = 0;
  let high = 2 ** 26;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (middle * middle <= n) low = middle;
    else high = middle;
  }
  return low;
}

/** Zone watermarks of so much memory, bytes (init_per_zone_wmark_min()). */
export function watermarks(memoryBytes: number): { readonly min: number; readonly low: number } {
  const wanted = intSqrt(16 * Math.floor(memoryBytes / KIB));
  const min = Math.min(MOST_MIN_KIB, Math.max(LEAST_MIN_KIB, wanted)) * KIB;
  return { min, low: min + Math.floor(min / 4) };
}

/**
 * What is in use. Objects that a thread queues without an event for each are promised before they are there; whoever
 * looks at memory has them settled first, if they could make a difference.
 */
export class Memory {
  readonly #memoryBytes: number;
  readonly #pageSize: number;
  readonly #retention: number;
  readonly #minBytes: number;
  /** More in use than this, and memory is short. */
  readonly #shortBytes: number;
  readonly #settle: () => void;
  /** Bytes of objects that are allocated and not freed. */
  #objectBytes = 0;
  /** Bytes of objects that will be allocated before the next look. */
  #promisedBytes = 0;
  /** Pages of blocks, those in the page caches included. */
  #blocks = 0;
  /** Told when it falls under the low watermark. */
  onShortage: (() => void) | undefined;

  /** `settle`: brings what is promised up to now. */
  constructor({ memoryBytes, pageSize, kfreeRetention }: Costs, settle: () => void) {
    const { min, low } = watermarks(memoryBytes);
    this.#memoryBytes = memoryBytes;
    this.#pageSize = pageSize;
    this.#retention = kfreeRetention;
    this.#minBytes = min;
    this.#shortBytes = memoryBytes - low;
    this.#settle = settle;
  }

  /** Bytes of blocks. */
  get blockBytes(): number {
    return this.#blocks * this.#pageSize;
  }

  /** Bytes of objects with what the allocator holds beside them; as of the last settle. */
  get heldBytes(): number {
    return Math.round(this.#objectBytes * this.#retention);
  }

  /** si_mem_available(), bytes, never below 0; as of the last settle. */
  get freeBytes(): number {
    return Math.max(0, this.#memoryBytes - this.heldBytes - this.blockBytes);
  }

  /** Less than the low watermark is free, and the kernel reclaims; as of the last settle. */
  get isShort(): boolean {
    return this.#usedBytes(0) > this.#shortBytes;
  }

  #usedBytes(moreBytes: number): number {
    return (this.#objectBytes + moreBytes) * this.#retention + this.#blocks * this.#pageSize;
  }

  /** A unit of objects begins: true if its first one, of so many bytes, can be had. */
  look(bytes: number): boolean {
    if (this.#usedBytes(this.#promisedBytes + bytes) <= this.#shortBytes) return true;
    this.#settle();
    if (this.isShort) this.onShortage?.();
    return this.#usedBytes(bytes) <= this.#memoryBytes;
  }

  /** A page for a block, without dipping into reserves; false: there is none. */
  takePage(): boolean {
    if (this.#usedBytes(this.#promisedBytes) + this.#pageSize > this.#shortBytes) {
      this.#settle();
      const isTooLittle = this.freeBytes - this.#pageSize < this.#minBytes;
      if (isTooLittle || this.isShort) this.onShortage?.();
      if (isTooLittle) return false;
    }
    this.#blocks++;
    return true;
  }

  givePage(): void {
    this.#blocks--;
  }

  /** Objects of so many bytes more, or less, will be allocated. */
  promise(bytes: number): void {
    this.#promisedBytes += bytes;
  }

  allocate(bytes: number): void {
    this.#objectBytes += bytes;
  }

  release(bytes: number): void {
    this.#objectBytes -= bytes;
  }
}
