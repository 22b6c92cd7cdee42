/** Which CPUs have their callbacks offloaded, and to how many rcuog kthreads (tree 3.3). */
import { parseCpuList } from './cpuList.ts';

/** What of a configuration decides it. */
interface Offload {
  readonly cpus: number;
  readonly params: Readonly<Record<string, number | string>>;
  readonly kconfig: Readonly<Record<string, boolean>>;
}

/** CPUs of a list that the machine has; what is not one names none. */
function listed(text: number | string | undefined, cpus: number): readonly number[] {
  if (typeof text !== 'string' || text === '') return [];
  const list = parseCpuList(text, cpus);
  return list.ok ? list.cpus : [];
}

/** CPUs of isolcpus=nohz,...: the flag makes them nohz_full. */
function isolatedNohz(text: number | string | undefined, cpus: number): readonly number[] {
  const words = String(text ?? '').split(',');
  const count = words.findIndex((word) => /^\d|^N|^all/.test(word));
  return words.slice(0, Math.max(count, 0)).includes('nohz')
    ? listed(words.slice(count).join(','), cpus)
    : [];
}

/** CPUs whose tick stops in user mode, ascending. CONFIG_NO_HZ_FULL is taken for granted unless it is said to be off. */
export function nohzFullCpus({ cpus, params, kconfig }: Offload): readonly number[] {
  if (kconfig.NO_HZ_FULL === false) return [];
  const all = new Set([...listed(params.nohz_full, cpus), ...isolatedNohz(params.isolcpus, cpus)]);
  return [...all].sort((a, b) => a - b);
}

/**
 * CPUs whose callbacks are offloaded, ascending: rcu_nocbs, those of nohz_full too, and all of a kernel with
 * RCU_NOCB_CPU_DEFAULT_ALL that is told neither (rcu_init_nohz()).
 */
export function offloadedCpus(config: Offload): readonly number[] {
  const { cpus, params, kconfig } = config;
  const nohzFull = nohzFullCpus(config);
  const isSilent = params.rcu_nocbs === undefined && nohzFull.length === 0;
  if (isSilent && kconfig.RCU_NOCB_CPU_DEFAULT_ALL === true)
    return Array.from({ length: cpus }, (_, cpu) => cpu);
  const all = new Set([...listed(params.rcu_nocbs, cpus), ...nohzFull]);
  return [...all].sort((a, b) => a - b);
}

/** First CPU of the group of a CPU, which names its rcuog kthread. Groups go by number, offloaded or not. */
export function nocbGroupOf(cpu: number, stride: number): number {
  return cpu - (cpu % stride);
}

/** How many rcuog kthreads these offloaded CPUs have. */
export function nocbGroups(offloaded: readonly number[], stride: number): number {
  return new Set(offloaded.map((cpu) => nocbGroupOf(cpu, stride))).size;
}
