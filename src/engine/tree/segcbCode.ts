/**
 * A callback list in the three free columns of a rcu_segcb_stats row (R3.1):
 *
 *   b = DONE * 2^26 + WAIT, c = NEXT_READY * 2^26 + NEXT           lengths of the segments
 *   d = gp_seq of WAIT * 2^16 + (gp_seq of NEXT_READY - gp_seq of WAIT)   0 where a segment is empty
 */
const LENGTH = 2 ** 26;
const DISTANCE = 2 ** 16;

/** Lengths of the four segments, and the gp_seq at whose end the two in the middle become ready. */
export interface SegcbStats {
  readonly done: number;
  readonly wait: number;
  readonly nextReady: number;
  readonly next: number;
  /** Means something only while `wait` is not 0. */
  readonly waitSeq: number;
  /** Means something only while `nextReady` is not 0. */
  readonly nextReadySeq: number;
}

/** The columns b, c, d. Lengths up to 2^26 - 1; numbers at most 2^16 - 1 apart. */
export function packSegcb(stats: SegcbStats): readonly [b: number, c: number, d: number] {
  const { done, wait, nextReady, next } = stats;
  const waitSeq = wait > 0 ? stats.waitSeq : 0;
  const distance = nextReady > 0 ? stats.nextReadySeq - waitSeq : 0;
  return [done * LENGTH + wait, nextReady * LENGTH + next, waitSeq * DISTANCE + distance];
}

/** What packSegcb packed. */
export function unpackSegcb(b: number, c: number, d: number): SegcbStats {
  const waitSeq = Math.floor(d / DISTANCE);
  return {
    done: Math.floor(b / LENGTH),
    wait: b % LENGTH,
    nextReady: Math.floor(c / LENGTH),
    next: c % LENGTH,
    waitSeq,
    nextReadySeq: waitSeq + (d - waitSeq * DISTANCE),
  };
}
