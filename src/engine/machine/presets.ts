/**
 * What a machine costs and does: one vocabulary for all mechanisms (docs/model/srcu.md §11, tree.md §11). Times in ns.
 * Entries marked "per F" are given for one CPU and multiplied by F = 1 + floor(log2(min(cpus, 8))) (spec srcu 8.6 S1).
 */
import { KVFREE_ENTRIES, type KvfreeCosts, type KvfreeQuantity } from './kvfreeEntries.ts';
import { RCU_ENTRIES, type RcuCosts } from './rcuEntries.ts';
import { TASKS_ENTRIES, type TasksCosts } from './tasksEntries.ts';

/** How a requester's own read-side section is treated (spec srcu 5.6). */
export type Requester = 'unseen' | 'scheduler' | 'credit';
/** Which CPUs see the old jiffies in their timer check (spec srcu 3.6, tree R1.15b). */
export type JiffyRace = 'none' | 'offsets' | number | { readonly cpus: readonly number[] };

/** Costs and habits of a machine as the engine reads them: every cost is a number, or a map by size. */
export interface Costs extends RcuCosts, KvfreeCosts, TasksCosts {
  readonly preset: PresetId;
  readonly udelayBaseNs: number;
  readonly udelayPerUsNs: number;
  readonly checkNs: number;
  readonly passLoopNs: number;
  readonly passFirstCheckNs: number;
  readonly gpEndNs: number;
  readonly cbWorkNs: number;
  readonly cbNs: number;
  readonly cbWakeNs: number;
  readonly cbWorkTailNs: number;
  readonly callSrcuFirstNs: number;
  readonly callSrcuNs: number;
  readonly syncToQueueNs: number;
  readonly syncQueueToUnlockNs: number;
  readonly syncUnlockToBlockNs: number;
  readonly syncReturnNs: number;
  readonly rlockUnlockNs: number;
  readonly readerGapNs: number;
  readonly switchNs: number;
  readonly workerWakeNs: number;
  readonly wakeIdleNs: number;
  readonly ipiNs: number;
  readonly hrtimerBusyNs: number;
  readonly idleExitNs: number;
  readonly idleExitJitterNs: number;
  readonly baseSliceNs: number;
  readonly cfsLatencyNs: number;
  readonly cfsWakeupGranNs: number;
  readonly cfsMinGranNs: number;
  readonly busyToTimersNs: number;
  readonly idleToTimersNs: number;
  readonly tickEntryNs: number;
  readonly tickJitterNs: number;
  readonly jiffyRace: JiffyRace;
  readonly idleTick: 'retain-one' | 'immediate' | 'governor';
  readonly timerSelfExpire: number;
  readonly requester: Requester;
  readonly creditGNs: number;
  readonly creditCapNs: number;
  readonly creditStartNs: number;
  readonly creditSliceNs: number;
  readonly creditEpsNs: number;
}

/** A cost in ns: a number, or a range from which every use draws a whole number (docs/configuration.md). */
export type CostNs = number | readonly [lo: number, hi: number];
/** Entries that are costs. */
export type CostEntry = Exclude<
  {
    [E in keyof Costs]-?: NonNullable<Costs[E]> extends number
      ? number extends Costs[E]
        ? E
        : never
      : never;
  }[keyof Costs],
  'timerSelfExpire' | KvfreeQuantity
>;
/** Costs and habits of a machine, complete. */
export type Machine = { readonly [E in keyof Costs]: E extends CostEntry ? CostNs : Costs[E] };

export type PresetId = 'plain' | 'virtual-1gips' | 'typical';
export type MachineEntry = Exclude<keyof Costs, 'preset'>;

/** One entry: what it means, what it is measured in, its value in each preset. */
export interface EntryInfo<E extends MachineEntry = MachineEntry> {
  readonly meaning: string;
  readonly unit: 'ns' | 'ns per F' | 'ns by size' | 'share' | 'factor' | 'bytes' | 'CPUs' | 'habit';
  /** Absent: the sum of the steps that it covers. */
  readonly plain: Machine[E];
  readonly virtual: Machine[E];
  readonly typical: Machine[E];
}

function ns(meaning: string, plain: number, virtual: number, typical: number) {
  return { meaning, unit: 'ns', plain, virtual, typical } as const;
}
function nsPerF(meaning: string, value: number) {
  return { meaning, unit: 'ns per F', plain: value, virtual: value, typical: value } as const;
}

/** Every entry of the vocabulary (spec srcu 11.1, 11.2, tree 11.1, 11.2). */
export const MACHINE_ENTRIES: { readonly [E in MachineEntry]: EntryInfo<E> } = {
  udelayBaseNs: ns('udelay(r us) takes this and udelayPerUsNs * r; udelay(0) takes nothing', 0, 109, 0),
  udelayPerUsNs: ns('per microsecond of udelay()', 1000, 991.8, 1000),
  checkNs: ns(
    'one comparison in try_check_zero(), after the first of a pass that starts in SCAN2',
    0,
    152,
    0,
  ),
  passLoopNs: ns(
    'the rest of a steady process_srcu pass: first check, requeue and worker loop',
    5000,
    1005,
    5000,
  ),
  passFirstCheckNs: ns('handler entry to the first check; part of passLoopNs', 5000, 250, 1000),
  gpEndNs: ns('end of the last pass, srcu_gp_end()', 0, 350, 500),
  cbWorkNs: ns('callback work up to its first callback', 5000, 300, 1000),
  cbNs: ns('each callback', 0, 90, 200),
  cbWakeNs: ns('added for a callback that wakes a synchronous caller', 0, 350, 1000),
  cbWorkTailNs: ns('after the last callback until the worker sleeps', 0, 600, 1000),
  callSrcuFirstNs: ns('call_srcu(): the first of a batch', 0, 650, 1000),
  callSrcuNs: ns('call_srcu(): each further one of a batch', 0, 250, 500),
  syncToQueueNs: ns('synchronize_srcu(): entry to queue_work()', 0, 500, 1000),
  syncQueueToUnlockNs: ns(
    'queue_work() to its own srcu_read_unlock(): the stretch exposed to preemption',
    0,
    450,
    500,
  ),
  syncUnlockToBlockNs: ns('its own srcu_read_unlock() to schedule()', 0, 450, 500),
  syncReturnNs: ns('running again after the wake-up to the return', 0, 185, 300),
  rlockUnlockNs: ns('srcu_read_lock() and srcu_read_unlock() of a reader together', 0, 110, 50),
  readerGapNs: ns('between two sections of a reader back to back', 0, 120, 50),
  switchNs: ns('context switch', 0, 900, 1500),
  workerWakeNs: ns('sleeping worker: wake-up and start of the handler', 0, 1466, 3000),
  wakeIdleNs: ns('wake-up and switch on an idle CPU, after the idle exit', 0, 1900, 2000),
  ipiNs: ns('reschedule interrupt to another CPU', 0, 600, 1000),
  hrtimerBusyNs: ns('hrtimer interrupt on a busy CPU to the wake-up of its sleeper', 0, 1200, 2000),
  idleExitNs: ns('leaving idle', 0, 1000, 1000),
  idleExitJitterNs: ns('added to idleExitNs: uniform from 0 to this', 0, 1000, 20000),
  baseSliceNs: nsPerF('EEVDF slice; 0.7 ms in 6.12.117, 0.75 ms in 6.6 to 6.12 as released', 700_000),
  cfsLatencyNs: nsPerF('CFS scheduling latency', 6_000_000),
  cfsWakeupGranNs: nsPerF('CFS wake-up granularity G', 1_000_000),
  cfsMinGranNs: nsPerF('CFS minimum granularity', 750_000),
  busyToTimersNs: ns('tick to timer handlers, busy CPU', 0, 4100, 5000),
  idleToTimersNs: ns('tick to timer handlers, idle CPU, beside the idle exit', 0, 2200, 3000),
  tickEntryNs: ns('tick to the jiffies update and to the check for due timers', 0, 800, 1600),
  tickJitterNs: ns(
    'arrival of a busy CPU in its tick handler: uniform from 0 to this, per tick',
    0,
    100,
    5000,
  ),
  jiffyRace: {
    meaning:
      'which CPUs see the old jiffies: none, offsets, a share 0..1, or {"cpus": [...]} that lose whenever busy',
    unit: 'habit',
    plain: 'none',
    virtual: 'offsets',
    typical: 'offsets',
  },
  idleTick: {
    meaning: 'when an idle CPU stops its tick: retain-one, immediate, governor',
    unit: 'habit',
    plain: 'retain-one',
    virtual: 'retain-one',
    typical: 'immediate',
  },
  timerSelfExpire: {
    meaning: 'probability that an idle CPU handles its own timer although a migrator would',
    unit: 'share',
    plain: 0,
    virtual: 0,
    typical: 0,
  },
  requester: {
    meaning:
      "an update-side call's own read-side section: unseen, scheduler (as it follows), credit (short form)",
    unit: 'habit',
    plain: 'unseen',
    virtual: 'scheduler',
    typical: 'scheduler',
  },
  creditGNs: ns('credit form: wake-up granularity G', 4_000_000, 4_000_000, 4_000_000),
  creditCapNs: ns('credit form: credit saved above G at most', 8_000_000, 8_000_000, 8_000_000),
  creditStartNs: ns('credit form: credit at the start of the run', 4_000_000, 4_000_000, 4_000_000),
  creditSliceNs: ns(
    'credit form: after this a tick takes the CPU from the worker',
    12_000_000,
    12_000_000,
    12_000_000,
  ),
  creditEpsNs: ns('credit form: from the return of the CPU to the unlock', 2000, 2000, 2000),
  ...RCU_ENTRIES,
  ...KVFREE_ENTRIES,
  ...TASKS_ENTRIES,
};

const COLUMN = { plain: 'plain', 'virtual-1gips': 'virtual', typical: 'typical' } as const;
/** All preset ids. */
export const PRESET_IDS = Object.keys(COLUMN) as PresetId[];
/** The preset of a configuration that names none. */
export const DEFAULT_PRESET: PresetId = 'typical';
/** All entries, in table order. */
export const MACHINE_ENTRY_IDS = Object.keys(MACHINE_ENTRIES) as MachineEntry[];

/** All entries of a preset; entries that stand for a sum of steps are absent. Only `typical` has ranges. */
export function presetMachine(preset: 'plain' | 'virtual-1gips'): Costs;
export function presetMachine(preset: PresetId): Machine;
export function presetMachine(preset: PresetId): Machine {
  const column = COLUMN[preset];
  const machine: Record<string, unknown> = { preset };
  for (const entry of MACHINE_ENTRY_IDS) {
    const value = MACHINE_ENTRIES[entry][column];
    if (value !== undefined) machine[entry] = value;
  }
  return machine as unknown as Machine;
}

/** F of spec srcu 8.6 S1: 1, 2, 3, 4 for 1, 2-3, 4-7, 8 and more CPUs. */
export function schedFactor(cpus: number): number {
  return cpus >= 8 ? 4 : cpus >= 4 ? 3 : cpus >= 2 ? 2 : 1;
}

/** The interrupts that virtual-1gips measures with windows of 100 ns (spec tree R5.7); 1000 is the table below. */
export const WINDOW_100 = { expIpiNs: 200, expIpiHandlerNs: 200 } as const;

/** Lag of the sleeping workers at t = 0 where `initial.workerLagNs` is silent (spec srcu 11.1). */
export function defaultWorkerLagNs(preset: PresetId): readonly number[] {
  return preset === 'virtual-1gips' ? [0, 1_000_000] : [0];
}
