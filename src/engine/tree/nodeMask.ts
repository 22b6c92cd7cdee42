/** The half 0-31 of a mask with this bit alone. */
export function bitLo(bit: number): number {
  return bit < 32 ? (1 << bit) >>> 0 : 0;
}

/** The half 32-63 of a mask with this bit alone. */
export function bitHi(bit: number): number {
  return bit < 32 ? 0 : (1 << (bit - 32)) >>> 0;
}

/** A set of up to 64 bits, as the masks of a rcu_node, in two unsigned halves. */
export class NodeMask {
  lo = 0;
  hi = 0;

  /** True if no bit is set. */
  get isEmpty(): boolean {
    return this.lo === 0 && this.hi === 0;
  }

  /** Is bit `bit` set? */
  has(bit: number): boolean {
    return ((bit < 32 ? this.lo >>> bit : this.hi >>> (bit - 32)) & 1) === 1;
  }

  /** Sets bit `bit`. */
  add(bit: number): void {
    this.lo = (this.lo | bitLo(bit)) >>> 0;
    this.hi = (this.hi | bitHi(bit)) >>> 0;
  }

  /** Clears bit `bit`. */
  delete(bit: number): void {
    this.deleteAll(bitLo(bit), bitHi(bit));
  }

  /** Clears the bits of another mask. */
  deleteAll(lo: number, hi: number): void {
    this.lo = (this.lo & ~lo) >>> 0;
    this.hi = (this.hi & ~hi) >>> 0;
  }

  /** Becomes equal to another. */
  copy(other: NodeMask): void {
    this.lo = other.lo;
    this.hi = other.hi;
  }

  /** Sets the lowest `count` bits and no other. */
  fill(count: number): void {
    this.lo = count >= 32 ? 0xffffffff : ((1 << count) - 1) >>> 0;
    this.hi = count <= 32 ? 0 : count >= 64 ? 0xffffffff : ((1 << (count - 32)) - 1) >>> 0;
  }

  /** Clears all bits. */
  clear(): void {
    this.lo = 0;
    this.hi = 0;
  }
}
