import { TypedNumber } from '../../ui/TypedNumber.tsx';
import { useView } from '../session.ts';
import type { ValueCodec } from './numberCodec.ts';
import { TunableRow } from './Tunable.tsx';
import type { Target } from './target.ts';

interface TypedTunableProps<T> {
  readonly name: string;
  readonly target: Target;
  readonly value: T;
  readonly codec: ValueCodec<T>;
  readonly meaning?: string;
}

/** A value that is no single number, and so has no slider. */
export function TypedTunable<T>({ name, target, value, codec, meaning }: TypedTunableProps<T>) {
  const isLocked = useView((view) => view.isLocked);
  return (
    <TunableRow
      name={name}
      target={target}
      isDisabled={isLocked}
      meaning={meaning}
      control={
        <TypedNumber<T>
          label={name}
          shown={codec.format(value)}
          parse={codec.parse}
          onCommit={target.set}
          isDisabled={isLocked}
        />
      }
    />
  );
}
