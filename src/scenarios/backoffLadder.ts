/** Holdouts of chosen ages in one grace period, and the scans that find them gone (table 4.4 of tasks). */
import type { ActorInput, ConfigInput } from '../config/configInput.ts';
import type { Scenario, Variant } from './scenario.ts';

/** When holdouts let go, ms after the hold-out phase began: the columns of the table. */
export const AGES_MS = [1, 50, 95, 110, 150, 300, 1000, 1500, 5000];
/** When that is, ms: the first grace period of RCU is over, the task list has been scanned. */
export const PHASE_BEGINS_MS: Readonly<Record<number, number>> = { 250: 24, 1000: 14 };

const FORMS = {
  now: { title: '5.11 and later: HZ/10, one jiffy more each time', kernel: 'v6.12' },
  merged: { title: '4.19 to 5.10: HZ/10, HZ/9, HZ/8, …', kernel: 'v4.19' },
  posted: { title: 'posted in May 2018: HZ/10, then HZ', kernel: 'tasks-2018-05-20' },
  before: { title: '4.17: HZ', kernel: 'v4.17' },
} as const;
const NOBODY: Variant = {
  id: 'posted-nobody',
  title: 'posted in May 2018, nobody to wait for',
  note: 'It sleeps HZ/10 before it looks whether there is a holdout at all.',
};
const VARIANTS: readonly Variant[] = [
  ...Object.entries(FORMS).map(([id, { title }]) => ({ id, title })),
  NOBODY,
  ...Object.entries(FORMS).map(([id, { title }]) => ({ id: `${id}-1000`, title: `${title}; HZ=1000` })),
];

/** "now", "now-1000", "posted-nobody" and the like. */
export function parseLadder(variant: string): { readonly form: keyof typeof FORMS; readonly hz: number } {
  const [form, hz] = variant.split('-');
  return { form: form as keyof typeof FORMS, hz: hz === '1000' ? 1000 : 250 };
}

/** Kernel threads that spin until their age, one a CPU from CPU 1 on. */
function holdouts(hz: number): ActorInput[] {
  return AGES_MS.map((age, i) => ({
    kind: 'holdout',
    cpu: 1 + i,
    spin: `${(PHASE_BEGINS_MS[hz] as number) + age}ms`,
    sleep: '60s',
  }));
}

function config(variant: string): ConfigInput {
  const { form, hz } = parseLadder(variant);
  return {
    kernel: FORMS[form].kernel,
    hz,
    cpus: 1 + AGES_MS.length,
    // nothing takes time but what the table is about
    machine: { preset: 'plain' },
    actors: [
      ...(variant === NOBODY.id ? [] : holdouts(hz)),
      { kind: 'updater', cpu: 0, start: '10ms', api: 'synchronize_rcu_tasks', calls: 1, gap: 0 },
    ],
  };
}

/** How long RCU Tasks sleeps between two looks at its holdouts, in four forms. */
export const backoffLadder: Scenario = {
  id: 'backoff-ladder',
  title: 'The back-off ladder of RCU Tasks',
  variants: VARIANTS,
  defaultVariant: 'now',
  startView: { at: 'begin', spanNs: 1_700_000_000 },
  config,
};
