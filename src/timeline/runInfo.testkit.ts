/** As much of a RunInfo as the timeline reads: two CPUs, a reader, a domain; HZ 250 from jiffy 1,000. */
import type { RunInfo } from '../engine/core/info.ts';

const track = (id: number, kind: RunInfo['tracks'][number]['kind'], name: string, cpu: number) => ({
  id,
  kind,
  name,
  cpu,
  actor: -1,
  number: 0,
});

export const TEST_INFO = {
  config: { hz: 250, startJiffies: 1_000 },
  tracks: [
    track(0, 'cpu', 'CPU 0', -1),
    track(1, 'cpu', 'CPU 1', -1),
    track(2, 'thread', 'reader/0', 1),
    track(3, 'srcu', 'srcu:kvm', -1),
  ],
} as unknown as RunInfo;
