/**
 * Boot parameters without a prefix (docs/configuration.md): rcu_nocbs, rcu_nocb_poll, nohz_full, isolcpus, skew_tick, in
 * the kernel's own syntax. None of them changes a run of SRCU.
 */
import { CPU_LIST_ALLOWED, formatCpuList, parseCpuList } from '../engine/profiles/cpuList.ts';

/** What a value comes to on a machine of some CPUs. */
export type BootValue =
  | { readonly ok: true; readonly value: number | string }
  /** `effective`: what the kernel would make of it. */
  | { readonly ok: false; readonly why: string; readonly effective?: string };

/** One of them. */
export interface BootParam {
  readonly name: string;
  /** What its values may be, for messages. */
  readonly allowed: string;
  /** What it does to a kernel: one line. */
  readonly help: string;
  read(value: unknown, cpus: number): BootValue;
}

interface ListRules {
  /** Word before the list, as isolcpus has them. */
  readonly flags?: readonly string[];
  /** The kernel keeps CPU 0 out: always, or only where no other CPU would be left. */
  readonly keepsBootCpu: 'no' | 'always' | 'last';
  readonly mayBeEmpty?: boolean;
}

function listParam(name: string, help: string, rules: ListRules): BootParam {
  const { flags = [], keepsBootCpu, mayBeEmpty = false } = rules;
  const before = flags.length === 0 ? '' : `, after any of the words ${flags.join(', ')} and a comma`;
  const allowed = `${CPU_LIST_ALLOWED}${before}${mayBeEmpty ? ', or empty text: none at boot' : ''}`;
  const read = (value: unknown, cpus: number): BootValue => {
    if (typeof value !== 'string') return { ok: false, why: allowed };
    if (value === '' && mayBeEmpty) return { ok: true, value };
    const words = value.split(',');
    const count = words.findIndex((word) => !flags.includes(word));
    const prefix = words.slice(0, Math.max(count, 0));
    const list = parseCpuList(words.slice(prefix.length).join(','), cpus);
    if (!list.ok) return { ok: false, why: `${list.why}; ${allowed}` };
    const dropsBootCpu = keepsBootCpu === 'always' || (keepsBootCpu === 'last' && list.cpus.length === cpus);
    const kept = dropsBootCpu ? list.cpus.filter((cpu) => cpu !== 0) : list.cpus;
    if (!list.isBeyond && kept.length === list.cpus.length) return { ok: true, value };
    const why = list.isBeyond
      ? `CPUs from 0 to ${cpus - 1} (cpus is ${cpus})`
      : 'the boot CPU, 0, has to do the work of the others';
    if (kept.length === 0) return { ok: false, why };
    return { ok: false, why, effective: [...prefix, formatCpuList(kept)].join(',') };
  };
  return { name, allowed, help, read };
}

function wordParam(
  name: string,
  help: string,
  allowed: string,
  values: ReadonlyMap<unknown, number>,
): BootParam {
  const read = (value: unknown): BootValue => {
    const number = values.get(value);
    return number === undefined ? { ok: false, why: allowed } : { ok: true, value: number };
  };
  return { name, allowed, help, read };
}

/** All of them. */
export const BOOT_PARAMS: readonly BootParam[] = [
  listParam(
    'rcu_nocbs',
    'CPUs whose RCU callbacks kthreads invoke (rcuog, rcuop); those of nohz_full are among them',
    {
      keepsBootCpu: 'no',
      mayBeEmpty: true,
    },
  ),
  wordParam(
    'rcu_nocb_poll',
    'rcuog kthreads look for callbacks every jiffy; nobody wakes them',
    'true, 1 or empty text; the kernel reads no value, and cannot be told no',
    new Map<unknown, number>([
      [true, 1],
      [1, 1],
      ['1', 1],
      ['', 1],
    ]),
  ),
  listParam(
    'nohz_full',
    'CPUs whose tick stops while one task runs; offloaded too, and membarrier(MEMBARRIER_CMD_GLOBAL) fails with EINVAL',
    { keepsBootCpu: 'always' },
  ),
  listParam('isolcpus', 'CPUs that the scheduler leaves alone; with the flag nohz as nohz_full', {
    keepsBootCpu: 'last',
    flags: ['nohz', 'domain', 'managed_irq'],
  }),
  wordParam(
    'skew_tick',
    'ticks of the CPUs are spread over a jiffy',
    '0 or 1',
    new Map<unknown, number>([
      [0, 0],
      [1, 1],
      ['0', 0],
      ['1', 1],
    ]),
  ),
];

/** The one of this name, or undefined. */
export function findBootParam(name: string): BootParam | undefined {
  return BOOT_PARAMS.find((param) => param.name === name);
}

/** The value as a configuration holds it: 1 for text "1" where a number is meant; any other value as it is. */
export function canonicalBootValue(name: string, value: unknown): unknown {
  // lists stay as they are, whatever the machine
  const read = findBootParam(name)?.read(value, 1);
  return read?.ok === true ? read.value : value;
}

/** As it stands on a kernel command line. */
export function bootText(name: string, value: number | string): string {
  const isBare = value === '' || name === 'rcu_nocb_poll';
  return isBare ? name : `${name}=${value}`;
}
