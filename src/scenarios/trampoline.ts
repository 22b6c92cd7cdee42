/** An ftrace filter set and cleared beside a busy shell loop: the figures of the patch of 20 May 2018 (tasks 5). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario, Variant } from './scenario.ts';

const FORMS = {
  before: { title: '4.17, before the patch', kernel: 'v4.17' },
  posted: { title: 'the patch as posted', kernel: 'tasks-2018-05-20' },
  merged: { title: 'as merged in 4.19', kernel: 'v4.19' },
} as const;
const HZ = [250, 100, 300, 1000];
/**
 * What the script takes beside the hold-out phase, ms: the B of tasks 5.2, fitted. Two grace periods of RCU, writing the
 * filter, the shell.
 */
export const B_MS = 72;

/** "before-250" and the like. */
export function parseTrampoline(variant: string): { readonly form: keyof typeof FORMS; readonly hz: number } {
  const [form, hz] = variant.split('-');
  return { form: form as keyof typeof FORMS, hz: Number(hz) };
}

function config(variant: string): ConfigInput {
  const { form, hz } = parseTrampoline(variant);
  return {
    kernel: FORMS[form].kernel,
    hz,
    cpus: 4,
    machine: { preset: 'virtual-1gips' },
    actors: [
      { kind: 'load', mode: 'user', cpu: 1 },
      // longer than gp_sleep, and another phase of tick and wheel for every call
      {
        kind: 'updater',
        cpu: 0,
        api: 'synchronize_rcu_tasks',
        calls: 20,
        gap: { uniform: ['200ms', '264ms'] },
      },
    ],
  };
}

const VARIANTS: readonly Variant[] = HZ.flatMap((hz) =>
  Object.entries(FORMS).map(([form, { title }]) => ({ id: `${form}-${hz}`, title: `${title}, HZ=${hz}` })),
);

/** Why freeing a trampoline took a second, and a fifth of one afterwards. */
export const trampoline: Scenario = {
  id: 'trampoline',
  title: 'Freeing a trampoline',
  variants: VARIANTS,
  defaultVariant: 'before-250',
  startView: { at: 'begin', spanNs: 1_400_000_000 },
  config,
};
