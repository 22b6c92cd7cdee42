/** Probes that are detached one after the other: which flavour each waits for, and how often (cases of 2025 and 2026). */
import type { ActorInput, ConfigInput } from '../config/configInput.ts';
import type { Scenario, Variant } from './scenario.ts';

/** Probes of a run. */
export const PROBES = 20;

export interface ProbeSetting {
  readonly title: string;
  readonly kernel: string;
  /** What each probe waits for: calls and how often. */
  readonly waits: readonly { readonly api: 'synchronize_rcu' | `${string}_trace`; readonly count: number }[];
  /** Waits that serve all probes together; absent: each probe has its own. */
  readonly isShared?: true;
  readonly params?: Readonly<Record<string, number>>;
  readonly note?: string;
}

const EXPEDITED = { 'rcupdate.rcu_expedited': 1 };
const RCU = { api: 'synchronize_rcu', count: 1 } as const;
const TRACE = { api: 'synchronize_rcu_tasks_trace', count: 1 } as const;
const LAZY = { api: 'call_rcu_tasks_trace', count: 1 } as const;
/** Fitted, see `fitted`. */
const KPROBE = [RCU, { ...TRACE, count: 2 }];

/** By variant. */
export const PROBES_SETTINGS: Readonly<Record<string, ProbeSetting>> = {
  'kprobes-6-12': { title: 'kprobes, 6.12: 1 RCU, 2 Tasks Trace', kernel: 'v6.12', waits: KPROBE },
  'kprobes-6-12-expedited': {
    title: 'the same, rcu_expedited = 1',
    kernel: 'v6.12',
    waits: KPROBE,
    params: EXPEDITED,
  },
  'kprobes-6-12-normal': {
    title: 'the same, rcu_normal = 1 as well',
    kernel: 'v6.12',
    waits: KPROBE,
    params: { ...EXPEDITED, 'rcupdate.rcu_normal': 1 },
    note: 'rcu_normal wins: nothing is expedited.',
  },
  'kprobes-5-15': { title: 'kprobes, 5.15: 1 RCU', kernel: 'v5.18', waits: [RCU] },
  'kprobes-5-15-expedited': {
    title: 'the same, rcu_expedited = 1',
    kernel: 'v5.18',
    waits: [RCU],
    params: EXPEDITED,
  },
  'uprobes-6-8': { title: 'uprobes, 6.8: 1 Tasks Trace', kernel: 'v6.6', waits: [TRACE] },
  'uprobes-6-12': { title: 'uprobes, 6.12: 1 lazy Tasks Trace', kernel: 'v6.12', waits: [LAZY] },
  'uprobes-6-12-expedited': {
    title: 'the same, rcu_expedited = 1',
    kernel: 'v6.12',
    waits: [LAZY],
    params: EXPEDITED,
  },
  'uprobes-6-12-not-lazy': {
    title: 'the same, rcu_tasks_trace_lazy_ms = 0',
    kernel: 'v6.12',
    waits: [LAZY],
    params: { 'rcupdate.rcu_tasks_trace_lazy_ms': 0 },
  },
  'uprobe-multi-6-12': {
    title: 'one uprobe_multi link, 6.12: 1 lazy Tasks Trace for all',
    kernel: 'v6.12',
    waits: [LAZY],
    isShared: true,
  },
};

/** Between the waits for one flavour and those for the next: room for twenty of them. */
const PART_MS = 400;

function config(variant: string): ConfigInput {
  const { kernel, waits, isShared, params } = PROBES_SETTINGS[variant] as ProbeSetting;
  return {
    kernel,
    hz: 250,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    params: params ?? {},
    // the waits of all probes for one flavour, then those for the other: a thread makes calls of one kind
    actors: waits.map(
      ({ api, count }, part): ActorInput => ({
        kind: 'updater',
        cpu: 0,
        start: `${10 + part * PART_MS}ms`,
        api,
        calls: isShared ? count : PROBES * count,
        gap: 0,
      }),
    ),
  };
}

const VARIANTS: readonly Variant[] = Object.entries(PROBES_SETTINGS).map(([id, { title, note }]) =>
  note === undefined ? { id, title } : { id, title, note },
);

/** Detaching hundreds of probes: what rcu_expedited takes away depends on the flavour. */
export const probeDetach: Scenario = {
  id: 'probe-detach',
  title: 'Detaching hundreds of probes',
  variants: VARIANTS,
  defaultVariant: 'kprobes-6-12',
  startView: { at: 'begin', spanNs: 800_000_000, explains: 'firstTasks' },
  config,
};
