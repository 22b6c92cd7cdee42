/** What a log's numbers stand for: tracks, and the constants with which bursts of passes are drawn apart. */
import type { SimConfig } from '../config.ts';
import type { RuleSet } from '../profiles/profiles.ts';

/** Something that has rows of its own. `id` is the `track` of its rows. CPUs have ids 0..cpus-1. */
export interface Track {
  readonly id: number;
  readonly kind: 'cpu' | 'thread' | 'worker' | 'srcu' | 'rcu' | 'kthread';
  /** "CPU 0", "reader/1", "updater/0", "kworker/0", "srcu", "srcu:kvm". */
  readonly name: string;
  /** CPU of a thread or worker; -1 for a domain. */
  readonly cpu: number;
  /** Index in config.actors of a thread; -1 otherwise. */
  readonly actor: number;
  /** Number of a thread among those of its actor. */
  readonly number: number;
}

/** Values that follow from the configuration and that readers of the log need. Times in ns. */
export interface SrcuConstants {
  /** L, Infinity if none. */
  readonly phaseLimit: number;
  /** M, Infinity if none. */
  readonly jiffyLimit: number;
  /** First busy-wait with its check, r' of spec srcu §4. */
  readonly retryNs: number;
  /** Second busy-wait with its check. */
  readonly secondRetryNs: number;
  readonly passFirstCheckNs: number;
  readonly checkNs: number;
  readonly passLoopNs: number;
  readonly expHoldoffNs: number;
}

/** The run's table of contents, known before the first event. */
export interface RunInfo {
  readonly config: SimConfig;
  readonly rules: RuleSet;
  readonly tracks: readonly Track[];
  readonly srcu: SrcuConstants;
  /** True if threads and workers share their CPUs (sched_switch rows exist); false in `plain` and the credit form. */
  readonly contended: boolean;
}
