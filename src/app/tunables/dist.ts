import type { Dist } from '../../engine/index.ts';

/** The kinds of workload draws. */
export const DIST_KINDS = ['constant', 'uniform', 'exp', 'list', 'lcg'] as const;
export type DistKind = (typeof DIST_KINDS)[number];

export function distKind(dist: Dist): DistKind {
  if (typeof dist === 'number') return 'constant';
  return DIST_KINDS.find((kind) => kind in dist) ?? 'constant';
}

/** About how long a draw is, ns: what is kept when the kind is changed. */
export function distMean(dist: Dist): number {
  if (typeof dist === 'number') return dist;
  if ('uniform' in dist) return Math.round((dist.uniform[0] + dist.uniform[1]) / 2);
  if ('exp' in dist) return dist.exp;
  if ('lcg' in dist) return Math.round((dist.lcg.lo + dist.lcg.hi) / 2);
  return Math.round(dist.list.reduce((sum, ns) => sum + ns, 0) / dist.list.length);
}

/** A draw of another kind that is about as long. */
export function distOfKind(kind: DistKind, dist: Dist): Dist {
  if (kind === distKind(dist)) return dist;
  const mean = distMean(dist);
  switch (kind) {
    case 'constant':
      return mean;
    case 'uniform':
      return { uniform: [0, 2 * mean] };
    case 'exp':
      return { exp: mean };
    case 'list':
      return { list: [mean] };
    case 'lcg':
      return { lcg: { seed: 1, stream: 0, lo: 0, hi: 2 * mean } };
  }
}
