/** What the scenario "Detaching hundreds of probes" tells. */
import { PROBES_SETTINGS, type ProbeSetting } from '../probeDetach.ts';
import type { Expectation, ReportedFigure, ScenarioResult, Story } from '../scenario.ts';

const MS = 1_000_000;
const S = 1_000_000_000;

/** Kprobes that were detached, and what each takes beside its waits, ms: fitted, see `fitted`. */
const KPROBES = 350;
const KPROBE_REST_MS = 1.97;

const KPROBES_SOURCE = 'DataDog/datadog-agent pull request 54517';
const UPROBES_SOURCE = 'opentelemetry-ebpf-instrumentation pull request 3418';

/** Seconds for all kprobes. */
const KPROBES_S: Readonly<Record<string, number>> = {
  'kprobes-5-15': 7.11,
  'kprobes-5-15-expedited': 0.69,
  'kprobes-6-12': 34.28,
  'kprobes-6-12-expedited': 20.02,
};
/** Seconds for one uprobe. */
const UPROBE_S: Readonly<Record<string, number>> = { 'uprobes-6-8': 0.04, 'uprobes-6-12': 0.25 };

/** The waits of one probe, or of all where they share them, ns. */
function probeNs({ latency }: ScenarioResult, variant: string): number {
  const { waits } = PROBES_SETTINGS[variant] as ProbeSetting;
  return waits.reduce((sum, { api, count }) => sum + count * (latency?.[api]?.mean ?? Number.NaN), 0);
}

function kprobesS(result: ScenarioResult, variant: string): number {
  return (KPROBES * (probeNs(result, variant) + KPROBE_REST_MS * MS)) / S;
}

function reported(variant: string): ReportedFigure[] {
  const kprobes = KPROBES_S[variant];
  if (kprobes !== undefined) {
    return [
      {
        what: `detaching a few hundred kprobes (${KPROBES} here)`,
        unit: 's',
        value: kprobes,
        source: KPROBES_SOURCE,
        fitted: true,
        measure: (result) => kprobesS(result, variant),
      },
    ];
  }
  const uprobe = UPROBE_S[variant];
  if (uprobe === undefined) return [];
  return [
    {
      what: 'detaching a uprobe',
      unit: 's',
      value: uprobe,
      source: UPROBES_SOURCE,
      fitted: false,
      measure: (result) => probeNs(result, variant) / S,
    },
  ];
}

/** Least and most of the waits of a probe, or of all where they share them, ms. */
const PROBE_MS: Readonly<Record<string, readonly [number, number]>> = {
  'kprobes-6-12-normal': [80, 120],
  'uprobes-6-8': [36, 48],
  'uprobes-6-12': [250, 265],
  'uprobes-6-12-expedited': [250, 265],
  'uprobes-6-12-not-lazy': [36, 48],
  'uprobe-multi-6-12': [300, 330],
};

function expectations(variant: string): Expectation[] {
  const kprobes = KPROBES_S[variant];
  if (kprobes !== undefined) {
    return [
      {
        text: `within 15 % of ${kprobes} s`,
        holds: (result) => Math.abs(kprobesS(result, variant) / kprobes - 1) < 0.15,
      },
    ];
  }
  const [least, most] = PROBE_MS[variant] as readonly [number, number];
  const who = PROBES_SETTINGS[variant]?.isShared ? 'all probes together wait' : 'a probe waits';
  return [
    {
      text: `${who} ${least} to ${most} ms`,
      holds: (result) => probeNs(result, variant) > least * MS && probeNs(result, variant) < most * MS,
    },
  ];
}

/** Detaching hundreds of probes: what rcu_expedited takes away depends on the flavour. */
export const probeDetachStory: Story = {
  shows:
    'why rcu_expedited takes 90 % off a detach with 5.15 and 42 % with 6.12, and where 0.25 s a uprobe come from',
  lookAt: [
    'First all waits for RCU, then all for Tasks Trace. Expedited, a wait for RCU is over in microseconds. One for Tasks Trace is not: it has one grace period of RCU inside, which rcu_expedited shortens, and rounds of looking at every CPU with sleeps of jiffies between them, which it does not. rcu_normal undoes all of it.',
    'A uprobe of 6.12 queues a callback and waits for it. A callback is lazy: it waits up to 256 ms for company, and the next probe queues its own after that. So probes are 256 ms apart, whatever rcu_expedited says: 1,000 of them take over four minutes, 44 s with rcu_tasks_trace_lazy_ms=0.',
    'Nothing here is slow for want of CPU time: it is waits, one after the other. One wait for all of them (variant uprobe-multi-6-12, a uprobe_multi link) helps more than any parameter: 314 ms in all, for twenty probes or for a thousand.',
  ],
  fitted: [
    'Kprobes: “a few hundred” were reported; 350, each 2 ms of work beside its waits, one wait for RCU and with 6.12 two more for Tasks Trace are fitted to the four figures together. What is predicted is the pattern: 89 % and 45 % less with rcu_expedited, where 90 and 42 were reported. Other mixes of Tasks flavours could give the same sums. HZ=250 and an idle machine are assumed. 5.18 stands for 5.15.',
    'Uprobes: nothing is fitted. 6.6 stands for 6.8. That the uprobes of 6.12 wait for a lazy callback is how those of 6.13 work, which distributions took into older releases; the release alone proves nothing. Half a second a uprobe was reported, too: two such waits.',
  ],
  reported,
  expectations,
};
