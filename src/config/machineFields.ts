/** What each machine key of a configuration may be (docs/configuration.md). */
import type { BySize } from '../engine/machine/bySize.ts';
import { MACHINE_ENTRIES, MACHINE_ENTRY_IDS, type MachineEntry } from '../engine/machine/presets.ts';
import { readDuration } from './duration.ts';
import {
  booleanField,
  costField,
  durationField,
  type Field,
  integerField,
  numberField,
  perUsField,
  wordField,
} from './fields.ts';

/** nr_cpu_ids (docs/configuration.md). */
export const MAX_CPUS = 4096;
/** Bytes of the largest object of kmalloc() with a size class of its own. */
export const MAX_OBJECT_BYTES = 8192;
const MAX_SIZES = 64;
const MAX_FACTOR = 1000;

const jiffyRaceField: Field<unknown> = {
  allowed: '"none", "offsets", a share from 0 to 1, or {"cpus": [...]}',
  read: (value) => {
    if (value === 'none' || value === 'offsets') return value;
    if (typeof value === 'number') return value >= 0 && value <= 1 ? value + 0 : undefined;
    const cpus = (value as { cpus?: unknown } | null | undefined)?.cpus;
    if (!Array.isArray(cpus) || Object.keys(value as object).length !== 1) return undefined;
    const isCpu = (cpu: unknown) => integerField(0, MAX_CPUS - 1).read(cpu) !== undefined;
    return cpus.length > 0 && cpus.every(isCpu) ? { cpus: [...new Set(cpus as number[])] } : undefined;
  },
};

/** A cost that depends on the size of an object (spec kvfree K23). A fresh object, sizes ascending. */
const bySizeField: Field<BySize> = {
  allowed: `${durationField.allowed}, or a map of 1 to ${MAX_SIZES} sizes from 1 to ${MAX_OBJECT_BYTES} bytes: {"32": 238, "256": 280}`,
  read: (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return readDuration(value);
    const entries = Object.entries(value).map(([key, ns]) => [key, readDuration(ns)] as const);
    const isSize = (key: string) => /^[1-9]\d{0,3}$/.test(key) && Number(key) <= MAX_OBJECT_BYTES;
    const isFine = entries.every(([key, ns]) => isSize(key) && ns !== undefined);
    if (!isFine || entries.length === 0 || entries.length > MAX_SIZES) return undefined;
    return Object.fromEntries(entries) as Record<string, number>;
  },
};

function oneOfField(numbers: readonly number[]): Field<number> {
  const words = numbers.map(String);
  return {
    allowed: `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`,
    read: (value) => numbers.find((number) => number === value),
  };
}

/** Those that are no costs. */
const OTHERS: Readonly<Partial<Record<MachineEntry, Field<unknown>>>> = {
  jiffyRace: jiffyRaceField,
  idleTick: wordField(['retain-one', 'immediate', 'governor']),
  requester: wordField(['unseen', 'scheduler', 'credit']),
  sharedLlc: booleanField,
  windowNs: oneOfField([1000, 100]),
  timerSelfExpire: numberField(0, 1),
  udelayPerUsNs: perUsField,
  kfreeRemoteFactor: numberField(1, MAX_FACTOR),
  kfreeRetention: numberField(1, MAX_FACTOR),
  kfreeStuckCpus: integerField(0, MAX_CPUS),
  memoryBytes: integerField(1, Number.MAX_SAFE_INTEGER),
  pageSize: oneOfField([4096, 16384, 65536]),
  allocator: wordField(['slub', 'slab']),
};

function machineField(entry: MachineEntry): Field<unknown> {
  if (MACHINE_ENTRIES[entry].unit === 'ns by size') return bySizeField;
  return OTHERS[entry] ?? costField;
}

/** The field of every machine key but `preset`. */
export const MACHINE_FIELDS: ReadonlyMap<string, Field<unknown>> = new Map<string, Field<unknown>>([
  ...MACHINE_ENTRY_IDS.map((entry) => [entry, machineField(entry)] as const),
  ['passNs', durationField],
]);

/** True for entries that are costs: a number of ns, or a range of them. */
export function isCostEntry(entry: string): boolean {
  const known = MACHINE_ENTRY_IDS.find((id) => id === entry);
  return known !== undefined && ['ns', 'ns per F'].includes(MACHINE_ENTRIES[known].unit);
}
