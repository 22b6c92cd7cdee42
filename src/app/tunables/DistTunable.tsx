import { formatDuration, readDuration } from '../../config/duration.ts';
import type { Dist } from '../../engine/index.ts';
import { Select } from '../../ui/Select.tsx';
import { Slider } from '../../ui/Slider.tsx';
import type { SliderScale } from '../../ui/sliderScale.ts';
import { TypedNumber } from '../../ui/TypedNumber.tsx';
import { useSession, useView } from '../session.ts';
import { type DistKind, distKind, distOfKind } from './dist.ts';
import { durationCodec } from './numberCodec.ts';
import { TunableRow } from './Tunable.tsx';
import type { Target } from './target.ts';

const KIND_OPTIONS = [
  { id: 'constant', label: 'constant' },
  { id: 'uniform', label: 'uniform', note: 'any length between two equally likely' },
  { id: 'exp', label: 'exponential', note: 'by its mean; many short, few long' },
  { id: 'list', label: 'list', note: 'these lengths, again and again' },
  { id: 'lcg', label: 'lcg', note: 'uniform, by the generator of the measurements' },
];
const SCALE: SliderScale = { kind: 'log', min: 0, max: 10_000_000_000 };
const codec = durationCodec('us');

interface PartProps {
  readonly name: string;
  readonly part: string;
  readonly ns: number;
  readonly toDist: (ns: number) => Dist;
  readonly target: Target;
  readonly isDisabled: boolean;
}

/** One duration of a draw. */
function DistPart({ name, part, ns, toDist, target, isDisabled }: PartProps) {
  const { drag } = useSession();
  const label = part === '' ? name : `${name} ${part}`;
  return (
    <div className="tunable-part">
      {part !== '' && <span className="tunable-part-name">{part}</span>}
      <Slider
        label={label}
        value={ns}
        scale={SCALE}
        valueText={codec.format(ns)}
        onChange={(next) => target.drag(toDist(next))}
        onRelease={drag.release}
        isDisabled={isDisabled}
      />
      <TypedNumber
        label={label}
        shown={codec.format(ns)}
        parse={codec.parse}
        onCommit={(next) => target.set(toDist(next))}
        isDisabled={isDisabled}
      />
    </div>
  );
}

/** The durations of a draw by name, each with the draw that another value of it gives. */
function partsOf(dist: Dist): { part: string; ns: number; toDist: (ns: number) => Dist }[] {
  if (typeof dist === 'number') return [{ part: '', ns: dist, toDist: (ns) => ns }];
  if ('exp' in dist) return [{ part: 'mean', ns: dist.exp, toDist: (ns) => ({ exp: ns }) }];
  if ('uniform' in dist) {
    const [lo, hi] = dist.uniform;
    // The other end gives way, so that a drag never runs into a fault.
    return [
      { part: 'from', ns: lo, toDist: (ns) => ({ uniform: [ns, Math.max(ns, hi)] }) },
      { part: 'to', ns: hi, toDist: (ns) => ({ uniform: [Math.min(lo, ns), ns] }) },
    ];
  }
  if ('lcg' in dist) {
    const { lcg } = dist;
    return [
      { part: 'from', ns: lcg.lo, toDist: (ns) => ({ lcg: { ...lcg, lo: ns, hi: Math.max(ns, lcg.hi) } }) },
      { part: 'to', ns: lcg.hi, toDist: (ns) => ({ lcg: { ...lcg, lo: Math.min(lcg.lo, ns), hi: ns } }) },
    ];
  }
  return [];
}

/** The lengths of a list as they are typed: "1 ms, 2 ms". */
function ListField({
  name,
  list,
  target,
  isDisabled,
}: {
  name: string;
  list: readonly number[];
  target: Target;
  isDisabled: boolean;
}) {
  return (
    <TypedNumber<readonly number[]>
      label={`${name} list`}
      shown={list.map(formatDuration).join(', ')}
      parse={(text) => {
        const values = text.split(/[\s,;]+/).map(readDuration);
        return values.every((ns) => ns !== undefined)
          ? { ok: true, value: values }
          : { ok: false, message: 'durations with commas between them: 1ms, 20us, 3ms' };
      }}
      onCommit={(next) => target.set({ list: next })}
      isDisabled={isDisabled}
    />
  );
}

interface DistTunableProps {
  readonly name: string;
  readonly target: Target;
  readonly value: Dist;
  readonly meaning?: string;
}

/** A duration, or how durations are drawn. */
export function DistTunable({ name, target, value, meaning }: DistTunableProps) {
  const isLocked = useView((view) => view.isLocked);
  return (
    <TunableRow
      name={name}
      target={target}
      isDisabled={isLocked}
      meaning={meaning}
      control={
        <Select
          label={`${name} kind`}
          value={distKind(value)}
          groups={[{ title: '', options: KIND_OPTIONS }]}
          onChange={(kind) => target.set(distOfKind(kind as DistKind, value))}
          isDisabled={isLocked}
        />
      }
    >
      {partsOf(value).map((part) => (
        <DistPart key={part.part} name={name} target={target} isDisabled={isLocked} {...part} />
      ))}
      {typeof value !== 'number' && 'list' in value && (
        <ListField name={name} list={value.list} target={target} isDisabled={isLocked} />
      )}
    </TunableRow>
  );
}
