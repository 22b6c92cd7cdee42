/** One CPU thread after the other is switched off or on, with several synchronize_rcu() each (case: ppc64_cpu --smt). */
import type { ConfigInput } from '../config/configInput.ts';
import type { Scenario, Variant } from './scenario.ts';

/** Steps of hotplug, one after the other. */
export const STEPS = 2;

/** synchronize_rcu() calls per step, and what a step takes beside them; both fitted, see `fitted`. */
const CALLS_PER_STEP = 9;

/** What the steps take without grace periods, ms. */
export const FLOOR_MS = 180;

export interface Setting {
  readonly cpus: number;
  readonly hz: number;
  readonly isExpedited: boolean;
  /** One grace period with two scans, 2 (j + 1) T, and a tick at each end of the call. */
  readonly callMs: number;
}

/** By variant. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  normal: { cpus: 2000, hz: 100, isExpedited: false, callMs: 200 },
  expedited: { cpus: 2000, hz: 100, isExpedited: true, callMs: 0 },
  'hz-250': { cpus: 2000, hz: 250, isExpedited: false, callMs: 80 },
  'hz-1000': { cpus: 2000, hz: 1000, isExpedited: false, callMs: 24 },
  'cpus-80': { cpus: 80, hz: 100, isExpedited: false, callMs: 60 },
  'cpus-80-expedited': { cpus: 80, hz: 100, isExpedited: true, callMs: 0 },
};

const VARIANTS: readonly Variant[] = [
  { id: 'normal', title: '2,000 CPUs, HZ=100', note: 'HZ is assumed' },
  { id: 'expedited', title: '2,000 CPUs, HZ=100, rcu_expedited = 1' },
  { id: 'hz-250', title: '2,000 CPUs, HZ=250' },
  { id: 'hz-1000', title: '2,000 CPUs, HZ=1000' },
  { id: 'cpus-80', title: '80 CPUs, HZ=100' },
  { id: 'cpus-80-expedited', title: '80 CPUs, HZ=100, rcu_expedited = 1' },
];

function config(variant: string): ConfigInput {
  const { cpus, hz, isExpedited } = SETTINGS[variant] as Setting;
  return {
    kernel: 'v6.12',
    hz,
    cpus,
    machine: { preset: 'typical' },
    initial: { gpKthreadCpu: 3 },
    params: { 'rcupdate.rcu_expedited': isExpedited ? 1 : 0 },
    actors: [
      {
        kind: 'updater',
        cpu: 0,
        api: 'synchronize_rcu',
        calls: STEPS * CALLS_PER_STEP,
        gap: { list: [`${FLOOR_MS}ms`, ...Array.from({ length: CALLS_PER_STEP - 1 }, () => 0)] },
      },
    ],
  };
}

/** How the wait between scans grows with the number of CPUs, and what rcu_expedited can and cannot save. */
export const serialHotplug: Scenario = {
  id: 'serial-hotplug',
  title: 'Switching SMT off on 2,000 CPUs',
  variants: VARIANTS,
  defaultVariant: 'normal',
  startView: { at: 'begin', spanNs: 'all' },
  config,
};
