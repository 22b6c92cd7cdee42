/** What a configuration says about kvfree_rcu(), for the checkers (spec kvfree K3, K7, K14). */
import type { Actor, KfreeActor } from '../../config.ts';
import type { RunInfo } from '../../core/info.ts';
import type { RuleSet } from '../../profiles/profiles.ts';

/** Bytes in front of the records of a block (K3). */
const HEADER_BYTES = { none: 0, '509': 24, '510': 16, '508': 32, '507': 40 } as const;
const POINTER_BYTES = 8;
const FILL_MS = [0, 100_000] as const;

/** Numbers in force. */
export interface KvfreeLimits {
  /** Records of a block; 0: there are no blocks. */
  readonly records: number;
  /** Blocks that a CPU may keep. */
  readonly cached: number;
  /** Delay of a fill after memory was short, in jiffies; 0: there is none. */
  readonly fillJiffies: number;
  /** Delays of the monitor in jiffies: with less than a block of objects, and from there on. */
  readonly quietJiffies: number;
  readonly busyJiffies: number;
}

function cachedLimit(rules: RuleSet, given: number): number {
  const cache = rules['kvfree.cache'];
  if (cache === 'none') return 0;
  return cache === 'caller-1' ? 1 : given;
}

/** Values in force. */
export function kvfreeLimits({ config, rules }: RunInfo): KvfreeLimits {
  const { hz, params, machine } = config;
  const header = rules['kvfree.block'];
  const records =
    header === 'none' ? 0 : Math.floor((machine.pageSize - HEADER_BYTES[header]) / POINTER_BYTES);
  const backsOff = rules['kvfree.cache'] === 'worker' || rules['kvfree.cache'] === 'worker-backoff';
  const givenMs = Number(params['rcutree.rcu_delay_page_cache_fill_msec'] ?? 5000);
  const fillMs = Math.min(Math.max(givenMs, FILL_MS[0]), FILL_MS[1]);
  const isFixed = rules['kvfree.monitor'] === 'hz-50';
  return {
    records,
    cached: cachedLimit(rules, Number(params['rcutree.rcu_min_cached_objs'] ?? 5)),
    fillJiffies: backsOff ? Math.ceil((fillMs * hz) / 1000) : 0,
    quietJiffies: isFixed ? Math.floor(hz / 50) : 5 * hz,
    busyJiffies: isFixed ? Math.floor(hz / 50) : 1,
  };
}

/** The workload of a thread, if it is one of kfree's. */
export function kfreeActorOf({ tracks, config }: RunInfo, track: number): KfreeActor | undefined {
  const actor: Actor | undefined = config.actors[tracks[track]?.actor ?? -1];
  return actor?.kind === 'kfree' ? actor : undefined;
}

/** May a caller hold an object for which no block is there, so that it lets go of the lock (K4)? */
export function hasOneArgument({ config }: RunInfo): boolean {
  return config.actors.some((actor) => actor.kind === 'kfree' && actor.form !== 'double');
}
