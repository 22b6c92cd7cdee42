import type { Mechanisms } from '../../analysis/mechanisms.ts';
import type { Field } from '../../config/fields.ts';
import { bySizeForm } from '../../config/link/linkText.ts';
import { MACHINE_FIELDS, MAX_CPUS } from '../../config/machineFields.ts';
import type { BySize } from '../../engine/machine/bySize.ts';
import { meanNs } from '../../engine/machine/costs.ts';
import { KVFREE_ENTRIES } from '../../engine/machine/kvfreeEntries.ts';
import type { CostNs } from '../../engine/machine/presets.ts';
import {
  MACHINE_ENTRIES,
  MACHINE_ENTRY_IDS,
  type MachineEntry,
  PRESET_IDS,
  presetMachine,
} from '../../engine/machine/presets.ts';
import { RCU_ENTRIES } from '../../engine/machine/rcuEntries.ts';
import { TASKS_ENTRIES } from '../../engine/machine/tasksEntries.ts';
import type { ConfigPath } from '../../state/configStore.ts';
import { Slider } from '../../ui/Slider.tsx';
import type { SliderScale } from '../../ui/sliderScale.ts';
import { TypedNumber } from '../../ui/TypedNumber.tsx';
import { useSession, useSetup, useView } from '../session.ts';
import { fieldCodec } from './fieldCodec.ts';
import { useAreOfSrcu } from './mechanisms.ts';
import { costCodec, durationCodec, integerCodec, type NumberCodec } from './numberCodec.ts';
import { NumberTunable, TunableRow } from './Tunable.tsx';
import { TypedTunable } from './TypedTunable.tsx';
import { type Target, useTarget } from './target.ts';
import { useIsFitted } from './useIsFitted.ts';
import { WordTunable } from './WordTunable.tsx';

const PRESET_NOTES = {
  plain: 'one cost per pass and callback, no scheduler effects: closed forms hold',
  'virtual-1gips': 'the machine of the measurements: one instruction per ns',
  typical: 'a present-day server',
} as const;
const PRESET_OPTIONS = PRESET_IDS.map((id) => ({ id, label: id, note: PRESET_NOTES[id] }));
const REQUESTER_OPTIONS = [
  { id: 'unseen', label: 'unseen', note: "an update-side call's own section delays nobody" },
  { id: 'scheduler', label: 'scheduler', note: 'it follows from who has the CPU' },
  { id: 'credit', label: 'credit', note: 'short form for one spinning updater, preset plain' },
];
const HABITS: Readonly<Partial<Record<MachineEntry, readonly string[]>>> = {
  idleTick: ['retain-one', 'immediate', 'governor'],
  jiffyRace: ['none', 'offsets'],
  sharedLlc: ['true', 'false'],
  windowNs: ['1000', '100'],
  pageSize: ['4096', '16384', '65536'],
  allocator: ['slub', 'slab'],
};
/** Habits that are not words. */
const HABIT_VALUES: Readonly<Record<string, unknown>> = {
  ...{ true: true, false: false },
  ...{ 1000: 1000, 100: 100, 4096: 4096, 16384: 16384, 65536: 65536 },
};
/** Those of kvfree_rcu() that are no costs: they stand with its parameters. */
const KVFREE_HABITS: readonly MachineEntry[] = [
  ...(['memoryBytes', 'pageSize', 'allocator'] as const),
  ...(['kfreeRemoteFactor', 'kfreeRetention', 'kfreeStuckCpus'] as const),
];
const CREDIT_ENTRIES = MACHINE_ENTRY_IDS.filter((entry) => entry.startsWith('credit'));
const PASS_ENTRIES = ['passLoopNs', 'passFirstCheckNs', 'cbWorkNs'] as const;
/** Costs of SRCU's own functions, and totals that Tree RCU has as steps. */
const SRCU_ENTRIES: readonly MachineEntry[] = [
  ...(['udelayBaseNs', 'udelayPerUsNs', 'checkNs', 'passLoopNs', 'passFirstCheckNs', 'gpEndNs'] as const),
  ...(['cbWorkNs', 'cbNs', 'cbWakeNs', 'cbWorkTailNs', 'callSrcuFirstNs', 'callSrcuNs'] as const),
  ...(['syncToQueueNs', 'syncQueueToUnlockNs', 'syncUnlockToBlockNs', 'syncReturnNs'] as const),
  ...(['rlockUnlockNs', 'readerGapNs', 'wakeIdleNs', 'ipiNs', 'hrtimerBusyNs'] as const),
  ...(['busyToTimersNs', 'idleToTimersNs', 'timerSelfExpire'] as const),
];

/** Every cost and habit of these mechanisms that stands nowhere else. */
function otherEntries(of: Mechanisms, preset: string): readonly MachineEntry[] {
  return MACHINE_ENTRY_IDS.filter((entry) => {
    if (entry === 'requester' || CREDIT_ENTRIES.includes(entry)) return false;
    if (entry === 'windowNs') return of.rcu && preset === 'virtual-1gips';
    if (KVFREE_HABITS.includes(entry)) return false;
    if (Object.hasOwn(KVFREE_ENTRIES, entry)) return of.kvfree;
    if (Object.hasOwn(TASKS_ENTRIES, entry)) return of.tasks;
    if (Object.hasOwn(RCU_ENTRIES, entry)) return of.rcu;
    return of.srcu || !SRCU_ENTRIES.includes(entry);
  });
}

const nsCodec = durationCodec('ns');
/** Any number in a range, fractions too. */
function fractionCodec(min: number, max: number, what: string): NumberCodec {
  return {
    unit: '',
    format: String,
    parse: (text) => {
      const value = Number(text);
      return text !== '' && value >= min && value <= max
        ? { ok: true, value }
        : { ok: false, message: `${what} from ${min} to ${max}` };
    },
  };
}
const perUsCodec = fractionCodec(0, 1_000_000, 'a number');
/** Entries that are numbers and no costs, by their unit: how they are typed, and how far the slider goes. */
const QUANTITIES: Readonly<Record<string, { readonly codec: NumberCodec; readonly scale: SliderScale }>> = {
  share: {
    codec: fractionCodec(0, 1, 'a share'),
    scale: { kind: 'linear', min: 0, max: 1, step: 0.01 },
  },
  factor: {
    codec: fractionCodec(1, 1000, 'a factor'),
    scale: { kind: 'linear', min: 1, max: 10, step: 0.05 },
  },
  bytes: {
    codec: integerCodec(1, Number.MAX_SAFE_INTEGER, 'bytes'),
    scale: { kind: 'log', min: 2 ** 20, max: 2 ** 40 },
  },
  CPUs: { codec: integerCodec(0, MAX_CPUS), scale: { kind: 'linear', min: 0, max: 16 } },
};

/** A machine that says it all: another preset takes the single entries of the old one with it. */
function PresetTunable() {
  const { config } = useSession();
  const preset = useSetup((setup) => setup.config.machine.preset);
  return (
    <WordTunable
      name="machine"
      target={useTarget(['machine', 'preset'])}
      value={preset}
      options={PRESET_OPTIONS}
      meaning={PRESET_NOTES[preset]}
      onChange={(id) => {
        const entries = Object.keys(config.getState().overrides.machine ?? {});
        const values = entries.map((entry): [ConfigPath, unknown] => [['machine', entry], undefined]);
        config.setValues([...values, [['machine', 'preset'], id]]);
      }}
    />
  );
}

function RequesterTunable() {
  const requester = useSetup((setup) => setup.config.machine.requester);
  return (
    <WordTunable
      name="requester"
      target={useTarget(['machine', 'requester'])}
      value={requester}
      options={REQUESTER_OPTIONS}
      meaning={REQUESTER_OPTIONS.find(({ id }) => id === requester)?.note ?? ''}
    />
  );
}

/** The one cost of preset plain, where its three entries are equal. */
function PassTunable() {
  const machine = useSetup((setup) => setup.config.machine);
  const base = useSetup((setup) => setup.base.machine);
  const isFitted = useIsFitted();
  const target = useTarget(['machine', 'passNs']);
  const isOne = PASS_ENTRIES.every((entry) => machine[entry] === machine.passLoopNs);
  const { passLoopNs } = machine;
  if (machine.preset !== 'plain' || !isOne || typeof passLoopNs !== 'number') return null;
  return (
    <NumberTunable
      name="passNs"
      target={target}
      value={passLoopNs}
      codec={nsCodec}
      scale={{ kind: 'log', min: 0, max: 1_000_000 }}
      defaultValue={meanNs(base.passLoopNs)}
      meaning={`charged per pass and per callback work${isFitted ? ' · fitted to reported runs' : ''}`}
    />
  );
}

function EntryTunable({ entry }: { readonly entry: MachineEntry }) {
  const machine = useSetup((setup) => setup.config.machine);
  const target = useTarget(['machine', entry]);
  const { meaning, unit } = MACHINE_ENTRIES[entry];
  const value = machine[entry];
  const text = `${meaning}${unit === 'ns per F' ? ' (times F, by CPUs)' : ''}`;
  const habit = HABITS[entry];
  if (habit !== undefined) {
    const shown = typeof value === 'string' ? value : JSON.stringify(value);
    const options = [...new Set([...habit, shown])].map((id) => ({ id, label: id }));
    return (
      <WordTunable
        name={entry}
        target={target}
        value={shown}
        options={options}
        meaning={text}
        onChange={(id) => target.set(HABIT_VALUES[id] ?? id)}
      />
    );
  }
  if (unit === 'ns by size') return <BySizeTunable entry={entry} cost={value as BySize} />;
  const standard = presetMachine(machine.preset)[entry] as CostNs | undefined;
  const defaultValue = standard === undefined ? undefined : meanNs(standard);
  const common = { name: entry, target, defaultValue, meaning: text };
  const quantity = QUANTITIES[unit];
  if (quantity !== undefined) return <NumberTunable {...common} {...quantity} value={Number(value)} />;
  return (
    <CostTunable
      {...common}
      cost={value as CostNs | undefined}
      codec={entry === 'udelayPerUsNs' ? perUsCodec : nsCodec}
    />
  );
}

/** A cost by the size of an object, typed as in a link. */
function BySizeTunable({ entry, cost }: { readonly entry: MachineEntry; readonly cost: BySize }) {
  const codec = fieldCodec<BySize>(MACHINE_FIELDS.get(entry) as Field<unknown>, bySizeForm);
  const { meaning } = MACHINE_ENTRIES[entry];
  const target = useTarget(['machine', entry]);
  return <TypedTunable name={entry} target={target} value={cost} codec={codec} meaning={meaning} />;
}

interface OfMechanisms {
  readonly of: Mechanisms;
}

interface CostTunableProps {
  readonly name: string;
  readonly target: Target;
  /** Undefined: the sum of the steps that it covers. */
  readonly cost: CostNs | undefined;
  readonly codec: NumberCodec;
  readonly defaultValue: number | undefined;
  readonly meaning: string;
}

/** A cost: slider and field, or a range, which is typed only and whose middle the slider shows. */
function CostTunable({ name, target, cost, codec, defaultValue, meaning }: CostTunableProps) {
  const { drag } = useSession();
  const isLocked = useView((view) => view.isLocked);
  const { format, parse } = costCodec(codec);
  const isRange = typeof cost === 'object';
  const shown = cost === undefined ? 'sum' : format(cost);
  return (
    <TunableRow
      name={name}
      target={target}
      isDisabled={isLocked}
      meaning={isRange ? `${meaning} · every use draws from the range` : meaning}
      control={
        <TypedNumber<CostNs>
          label={name}
          shown={shown}
          parse={parse}
          onCommit={target.set}
          isDisabled={isLocked}
        />
      }
    >
      {cost !== undefined && (
        <Slider
          label={name}
          value={meanNs(cost)}
          scale={{ kind: 'log', min: 0, max: 100_000_000 }}
          valueText={shown}
          {...(defaultValue === undefined ? {} : { defaultValue })}
          onChange={target.drag}
          onRelease={drag.release}
          isDisabled={isLocked || isRange}
        />
      )}
    </TunableRow>
  );
}

/** The machine that it all runs on, and how SRCU treats the requester's own section. */
export function RequesterTunables({ of }: OfMechanisms) {
  const requester = useSetup((setup) => setup.config.machine.requester);
  const isOfSrcu = useAreOfSrcu();
  return (
    <>
      <PresetTunable />
      {isOfSrcu && <RequesterTunable />}
      {of.srcu && <PassTunable />}
      {isOfSrcu &&
        requester === 'credit' &&
        CREDIT_ENTRIES.map((entry) => <EntryTunable key={entry} entry={entry} />)}
    </>
  );
}

/** Memory, allocator, and what if freeing is slow, or gets nowhere. */
export function KvfreeCostTunables() {
  return KVFREE_HABITS.map((entry) => <EntryTunable key={entry} entry={entry} />);
}

/** Every other cost and habit of the machine. */
export function CostTunables({ of }: OfMechanisms) {
  const preset = useSetup((setup) => setup.config.machine.preset);
  return otherEntries(of, preset).map((entry) => <EntryTunable key={entry} entry={entry} />);
}
