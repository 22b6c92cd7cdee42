import type { ReactNode } from 'react';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Slider } from '../../ui/Slider.tsx';
import type { SliderScale } from '../../ui/sliderScale.ts';
import { TypedNumber } from '../../ui/TypedNumber.tsx';
import { useSession, useView } from '../session.ts';
import { breakable } from './breakable.tsx';
import { useIsShown } from './filter.ts';
import type { NumberCodec } from './numberCodec.ts';
import type { Target } from './target.ts';
import './tunables.css';

interface RowProps {
  readonly name: string;
  readonly help?: string | undefined;
  readonly target: Target;
  readonly isDisabled: boolean;
  /** The control at the right of the name. */
  readonly control: ReactNode;
  /** What the value comes to. */
  readonly meaning?: ReactNode;
  readonly children?: ReactNode;
}

/** The frame of every tunable: its name, dot and reset if it was changed, its control, what it comes to. */
export function TunableRow({ name, help, target, isDisabled, control, meaning, children }: RowProps) {
  const isShown = useIsShown(name);
  if (!isShown) return null;
  return (
    <div className="tunable" data-disabled={isDisabled || undefined} data-tunable={name}>
      <div className="tunable-head">
        <span className="tunable-name ui-mono" title={help}>
          {breakable(name)}
          {target.isChanged && (
            <span className="tunable-dot" role="img" aria-label="changed">
              ●
            </span>
          )}
        </span>
        {target.isChanged && !isDisabled && (
          <IconButton
            label={`Reset ${name}`}
            icon={<Icon name="reset" />}
            look="plain"
            className="tunable-reset"
            onPress={() => target.set(undefined)}
          />
        )}
        {control}
      </div>
      {children}
      {meaning !== undefined && meaning !== '' && <p className="tunable-meaning">{meaning}</p>}
    </div>
  );
}

interface NumberTunableProps {
  readonly name: string;
  /** What it is, for whoever points at the name. */
  readonly help?: string;
  readonly target: Target;
  /** Undefined where there is none (no limit). */
  readonly value: number | undefined;
  readonly codec: NumberCodec;
  /** Without it the number can only be typed. */
  readonly scale?: SliderScale;
  readonly defaultValue?: number | undefined;
  readonly meaning?: ReactNode;
  /** It cannot be set here. */
  readonly isMissing?: boolean;
  /** What stands in place of the value where there is none. */
  readonly noValue?: string;
}

/** A number: slider while it is dragged, field to type it. */
export function NumberTunable(props: NumberTunableProps) {
  const {
    name,
    target,
    value,
    codec,
    scale,
    defaultValue,
    meaning,
    isMissing = false,
    noValue = '–',
  } = props;
  const { drag } = useSession();
  const isDisabled = useView((view) => view.isLocked) || isMissing;
  return (
    <TunableRow
      name={name}
      help={props.help}
      target={target}
      isDisabled={isDisabled}
      meaning={meaning}
      control={
        <TypedNumber
          label={name}
          shown={value === undefined ? noValue : codec.format(value)}
          unit={value === undefined ? '' : codec.unit}
          parse={codec.parse}
          onCommit={target.set}
          isDisabled={isDisabled}
        />
      }
    >
      {value !== undefined && scale !== undefined && (
        <Slider
          label={name}
          value={value}
          scale={scale}
          valueText={`${codec.format(value)} ${codec.unit}`.trim()}
          {...(defaultValue === undefined ? {} : { defaultValue })}
          onChange={target.drag}
          onRelease={drag.release}
          isDisabled={isDisabled}
        />
      )}
    </TunableRow>
  );
}
