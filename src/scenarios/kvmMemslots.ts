/** Changes of memory slots in bursts on a host whose CPUs have other work. */
import type { ActorInput, ConfigInput } from '../config/configInput.ts';
import type { Scenario, Variant } from './scenario.ts';

/** The api that is called. */
export const SERIES = 'synchronize_srcu_expedited';

/** Calls in all. */
export const CALLS = 30;

const DOMAIN = 'srcu:kvm';

const VARIANTS: readonly Variant[] = [
  { id: 'busy', title: 'busy host, 6.12' },
  { id: 'idle', title: 'idle host, 6.12' },
  { id: 'busy-v5.19-rc1', title: 'busy host, 5.19-rc1' },
  { id: 'busy-none', title: 'busy host, 6.12 without preemption' },
];

/** vCPUs enter and leave short sections; the thread that changes slots makes six calls, then rests. */
const GUEST: readonly ActorInput[] = [
  {
    kind: 'reader',
    cpu: 1,
    count: 3,
    stagger: '90us',
    domain: DOMAIN,
    hold: { exp: '80us' },
    idle: { exp: '400us' },
    idleMode: 'sleep',
  },
  {
    kind: 'updater',
    cpu: 0,
    start: { ticks: 2, plus: '500us' },
    domain: DOMAIN,
    api: SERIES,
    calls: CALLS,
    gap: { list: ['12ms', '60us', '60us', '60us', '60us', '60us'] },
    gapMode: 'sleep',
  },
];

/** Work of the host: on each CPU one thread that computes for some ms, one that does so more briefly. */
const HOST: readonly ActorInput[] = [
  { kind: 'load', cpu: 0, count: 4, mode: 'user', spin: { exp: '5ms' }, idle: { exp: '1ms' } },
  { kind: 'load', cpu: 0, count: 4, mode: 'user', spin: { exp: '1ms' }, idle: { exp: '2ms' } },
];

function config(variant: string): ConfigInput {
  return {
    kernel: variant === 'busy-v5.19-rc1' ? 'v5.19-rc1' : 'v6.12',
    hz: 250,
    cpus: 4,
    preempt: variant === 'busy-none' ? 'none' : 'full',
    machine: { preset: 'typical' },
    actors: variant === 'idle' ? GUEST : [...GUEST, ...HOST],
  };
}

/** A bursty updater among short readers and other load. */
export const kvmMemslots: Scenario = {
  id: 'kvm-memslots',
  title: 'Memory slots of a virtual machine',
  variants: VARIANTS,
  defaultVariant: 'busy',
  startView: { at: 'begin', spanNs: 40_000_000 },
  config,
};
