import { expect, it } from 'vitest';
import type { Dist } from '../../engine/index.ts';
import { DIST_KINDS, distKind, distMean, distOfKind } from './dist.ts';

const dists: Dist[] = [
  500,
  { uniform: [200, 800] },
  { exp: 500 },
  { list: [400, 600] },
  { lcg: { seed: 3, stream: 1, lo: 0, hi: 1000 } },
];

it.each(dists)('another kind keeps the mean: %j', (dist) => {
  for (const kind of DIST_KINDS) {
    const other = distOfKind(kind, dist);
    expect(distKind(other)).toBe(kind);
    expect(distMean(other)).toBe(500);
  }
});

it('the same kind keeps everything', () => {
  for (const dist of dists) expect(distOfKind(distKind(dist), dist)).toBe(dist);
});
