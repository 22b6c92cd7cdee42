/** The callers of synchronize_rcu() that the kthread wakes itself (rcu_normal_wake_from_gp 1). */
import type { RcuSrCallerAt, RcuStateAt } from '../../analysis/rcuStateTypes.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import { formatCount, formatDuration, plural } from '../format.ts';
import type { ModelNote } from '../modelNote.ts';

/** A caller on the list. */
export interface SrCallerView {
  readonly key: number;
  readonly row: number;
  readonly text: string;
  readonly age: string;
}

export interface SrNormalView {
  readonly isEnabled: boolean;
  readonly lead: string;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  /** Newest first, as on the list. */
  readonly callers: readonly SrCallerView[];
  readonly more: number;
}

export const SR_NORMAL_NOTES: readonly ModelNote[] = [
  {
    what: 'List, dummies, order of wake-ups',
    fidelity: 'exact',
    kernel: 'rcu_sr_normal_gp_init()',
    rule: 'tree R4.4, R4.5',
  },
  { what: 'When the kworker runs', fidelity: 'simplified', kernel: 'sync_wq', rule: 'tree R4.5' },
];

const MAX_CALLERS = 8;
const MAX_DUMMIES = 5;
const SEGMENTS: Readonly<Record<RcuSrCallerAt['segment'], string>> = {
  next: 'waits for the next grace period to take it',
  wait: 'the running grace period is for it',
  done: 'its grace period is over, it is being woken',
};

/** What the panel shows of `state`. */
export function srNormalView(state: RcuStateAt, info: RunInfo): SrNormalView {
  const { srNormal } = state;
  const { callers } = srNormal;
  const lead = !srNormal.isEnabled
    ? 'synchronize_rcu() waits for a callback here: rcu_normal_wake_from_gp is 0'
    : callers.length === 0
      ? 'nobody waits'
      : `${plural(callers.length, 'caller')}, newest first`;
  return {
    isEnabled: srNormal.isEnabled,
    lead,
    facts: srNormal.isEnabled
      ? [
          { name: 'wait heads', text: `${formatCount(srNormal.dummies)} of ${MAX_DUMMIES} in use` },
          {
            name: 'kworker',
            text: srNormal.isWorkQueued ? 'wakes the rest and frees wait heads' : 'has nothing to do',
          },
        ]
      : [],
    callers: callers.slice(0, MAX_CALLERS).map((caller) => ({
      key: caller.number,
      row: caller.row,
      text: `${info.tracks[caller.thread]?.name ?? 'a thread'}: ${SEGMENTS[caller.segment]}`,
      age: formatDuration(state.timeNs - caller.sinceNs),
    })),
    more: Math.max(0, callers.length - MAX_CALLERS),
  };
}
