/** Lists of CPUs as the kernel reads them (bitmap_parselist()): "0-3,8", "0-31:2/4", "all", "4-N". */

export type CpuList =
  | {
      readonly ok: true;
      /** Those that the machine has, ascending. */
      readonly cpus: readonly number[];
      /** True if the list names CPUs that the machine does not have. */
      readonly isBeyond: boolean;
    }
  | { readonly ok: false; readonly why: string };

/** What a list may look like, for messages. */
export const CPU_LIST_ALLOWED = 'a CPU list as the kernel reads it ("1-3,8", "0-31:2/4", "all", "4-N")';

/** NR_CPUS of the largest kernels: larger numbers are an error to any kernel. */
const NR_CPUS = 8192;
const REGION = /^(\d{1,7}|N)(?:-(\d{1,7}|N)(?::(\d{1,7})\/(\d{1,7}))?)?$/;

/** Reads a list for a machine with `cpus` CPUs; "N" is its last one. */
export function parseCpuList(text: string, cpus: number): CpuList {
  const regions = text.split(/[\s,]+/).filter((region) => region !== '');
  if (regions.length === 0) return { ok: false, why: 'it names no CPU' };
  const named = new Set<number>();
  for (const region of regions) {
    const match = REGION.exec(region.replace(/^all\b/i, '0-N'));
    if (match === null) return { ok: false, why: `"${region}" is no CPU and no range of CPUs` };
    const [, first = '', last = first, used = '1', group = '1'] = match;
    const numberOf = (word: string) => (word === 'N' ? cpus - 1 : Number(word));
    const [from, to, take, size] = [numberOf(first), numberOf(last), Number(used), Number(group)];
    if (from > to || take > size || size === 0) return { ok: false, why: `"${region}" is no range of CPUs` };
    if (to >= NR_CPUS) return { ok: false, why: `"${region}": no kernel has a CPU ${to}` };
    for (let cpu = from; cpu <= to; cpu++) if ((cpu - from) % size < take) named.add(cpu);
  }
  const all = [...named].sort((a, b) => a - b);
  return { ok: true, cpus: all.filter((cpu) => cpu < cpus), isBeyond: (all.at(-1) ?? 0) >= cpus };
}

/** "0-3,8" of ascending CPUs. */
export function formatCpuList(cpus: readonly number[]): string {
  const runs: [number, number][] = [];
  for (const cpu of cpus) {
    const last = runs.at(-1);
    if (last !== undefined && last[1] === cpu - 1) last[1] = cpu;
    else runs.push([cpu, cpu]);
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(',');
}
