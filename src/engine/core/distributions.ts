/** Workload draws: a sampler per distribution (docs/configuration.md). */
import type { Dist } from '../config.ts';
import { createStream, Lcg, ln, uniformNs } from './random.ts';

/** Gives the next duration in ns. */
export type Sampler = () => number;

/** The generators of one thread that are named by (seed, stream): equal names are one generator. */
export type LcgPool = Map<string, Lcg>;

function lcgOf(pool: LcgPool, seed: number, stream: number): Lcg {
  const key = `${seed}/${stream}`;
  let lcg = pool.get(key);
  if (lcg === undefined) {
    lcg = new Lcg(seed, stream);
    pool.set(key, lcg);
  }
  return lcg;
}

/** Whose draws these are: random streams are independent per (seed, actor, number, purpose). */
export interface DrawOwner {
  readonly seed: number;
  readonly actor: number;
  readonly number: number;
  readonly lcgs: LcgPool;
}

/** The sampler of a distribution for one purpose ("hold", "gap", ...) of one thread. */
export function createSampler(dist: Dist, owner: DrawOwner, purpose: string): Sampler {
  if (typeof dist === 'number') return () => dist;
  if ('list' in dist) {
    let i = 0;
    return () => dist.list[i++ % dist.list.length] as number;
  }
  if ('lcg' in dist) {
    const { seed, stream, lo, hi } = dist.lcg;
    const lcg = lcgOf(owner.lcgs, seed, stream + owner.number);
    return () => lcg.next(lo, hi);
  }
  const stream = createStream(owner.seed, owner.actor, owner.number, purpose);
  if ('uniform' in dist) {
    const [lo, hi] = dist.uniform;
    return () => uniformNs(stream(), lo, hi);
  }
  const mean = dist.exp;
  return () => Math.floor(-ln(1 - stream()) * mean);
}

/**
 * The samplers of a reader's hold and idle. Where one of them is an lcg, the other takes a number of the same
 * generator in every iteration even if it is a constant (docs/configuration.md).
 */
export function createHoldAndIdle(
  hold: Dist,
  idle: Dist,
  owner: DrawOwner,
): { hold: Sampler; idle: Sampler } {
  const samplers = { hold: createSampler(hold, owner, 'hold'), idle: createSampler(idle, owner, 'idle') };
  const lcgDist = [hold, idle].find((dist) => typeof dist === 'object' && 'lcg' in dist);
  if (lcgDist === undefined || typeof lcgDist !== 'object' || !('lcg' in lcgDist)) return samplers;
  const lcg = lcgOf(owner.lcgs, lcgDist.lcg.seed, lcgDist.lcg.stream + owner.number);
  const throwAway = (dist: Dist, sampler: Sampler): Sampler =>
    typeof dist === 'number'
      ? () => {
          lcg.skip();
          return dist;
        }
      : sampler;
  return { hold: throwAway(hold, samplers.hold), idle: throwAway(idle, samplers.idle) };
}
