import { formatCount, formatDuration } from '../../panels/format.ts';

const NS_PER_SEC = 1_000_000_000;

/** "1/500×": playing speed as a share of real time. */
export function formatSpeed(nsPerSec: number): string {
  const slowdown = NS_PER_SEC / nsPerSec;
  return slowdown === 1 ? '1×' : `1/${formatCount(slowdown)}×`;
}

/** "2 ms a second". */
export function speedNote(nsPerSec: number): string {
  return nsPerSec === NS_PER_SEC ? 'real time' : `${formatDuration(nsPerSec)} a second`;
}
