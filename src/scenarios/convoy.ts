/** Several callers of synchronize_rcu() at once (tree R4.5b), and the published loads of that kind (R4.7). */
import { convoyConfig, RATIOS } from './convoyRuns.ts';
import type { Scenario, Variant } from './scenario.ts';

const PARALLEL = `ratio of the two: ${RATIOS.parallel.text}`;
const STORM = `ratio of the two: ${RATIOS.storm.text}`;

const VARIANTS: readonly Variant[] = [
  { id: 'together', title: 'two callers, together' },
  { id: 'split', title: 'two callers, split' },
  { id: 'kthread-cpu', title: 'two callers, one on the kthread’s CPU' },
  { id: 'bridge', title: 'bridge test, 64 CPUs' },
  { id: 'bridge-wake', title: 'bridge test, woken by the kthread' },
  { id: 'bridge-early', title: 'bridge test, woken by the kthread, early report' },
  { id: 'parallel', title: '64 callers on 16 CPUs', note: PARALLEL },
  { id: 'parallel-wake', title: '64 callers on 16 CPUs, woken by the kthread', note: PARALLEL },
  { id: 'storm', title: '64 callers, 100 calls each, 64 CPUs', note: STORM },
  {
    id: 'storm-wake',
    title: '64 callers, 100 calls each, woken by the kthread',
    note: STORM,
  },
  { id: 'batch-ahead', title: 'behind 3,612 callbacks' },
  { id: 'batch-ahead-wake', title: 'beside 3,612 callbacks, woken by the kthread' },
  { id: 'kernel-build', title: 'kernel build on 80 CPUs' },
];

/** Callers beside each other: states that keep themselves, numbering that comes late, batches. */
export const convoy: Scenario = {
  id: 'convoy',
  title: 'A convoy of callers',
  variants: VARIANTS,
  defaultVariant: 'together',
  startView: { at: 'begin', spanNs: 'all' },
  config: convoyConfig,
};
