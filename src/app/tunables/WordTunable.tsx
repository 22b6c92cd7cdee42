import { Select, type SelectGroup, type SelectOption } from '../../ui/Select.tsx';
import { useView } from '../session.ts';
import { TunableRow } from './Tunable.tsx';
import type { Target } from './target.ts';

interface WordTunableProps {
  readonly name: string;
  /** What it is, for whoever points at the name. */
  readonly help?: string;
  readonly target: Target;
  readonly value: string;
  readonly options: readonly SelectOption[];
  /** Further options, under headings. */
  readonly groups?: readonly SelectGroup[];
  readonly meaning?: string;
  /** Default: sets the target. */
  readonly onChange?: (value: string) => void;
  /** It cannot be set here. */
  readonly isMissing?: boolean;
}

/** Words that say it all as options. */
export const words = (...ids: readonly string[]) => ids.map((id) => ({ id, label: id }));

/** One of some words. */
export function WordTunable(props: WordTunableProps) {
  const { name, target, value, options, groups = [], meaning, onChange, isMissing = false } = props;
  const isDisabled = useView((view) => view.isLocked) || isMissing;
  return (
    <TunableRow
      name={name}
      help={props.help}
      target={target}
      isDisabled={isDisabled}
      meaning={meaning}
      control={
        <Select
          label={name}
          isMono
          value={value}
          groups={options.length === 0 ? groups : [{ title: '', options }, ...groups]}
          onChange={onChange ?? target.set}
          isDisabled={isDisabled}
        />
      }
    />
  );
}
