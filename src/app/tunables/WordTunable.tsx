import { Select, type SelectOption } from '../../ui/Select.tsx';
import { useView } from '../session.ts';
import { TunableRow } from './Tunable.tsx';
import type { Target } from './target.ts';

interface WordTunableProps {
  readonly name: string;
  readonly target: Target;
  readonly value: string;
  readonly options: readonly SelectOption[];
  readonly meaning?: string;
  /** Default: sets the target. */
  readonly onChange?: (value: string) => void;
}

/** One of some words. */
export function WordTunable({ name, target, value, options, meaning, onChange }: WordTunableProps) {
  const isLocked = useView((view) => view.isLocked);
  return (
    <TunableRow
      name={name}
      target={target}
      isDisabled={isLocked}
      meaning={meaning}
      control={
        <Select
          label={name}
          isMono
          value={value}
          groups={[{ title: '', options }]}
          onChange={onChange ?? target.set}
          isDisabled={isLocked}
        />
      }
    />
  );
}
