import { type KeyboardEvent, useEffect, useRef, useState } from 'react';
import { cx } from './cx.ts';
import { type SliderScale, shareOf, steppedValue, TRACK_PLACES, valueAt } from './sliderScale.ts';
import { useStable } from './useStable.ts';
import './Slider.css';

interface SliderProps {
  readonly label: string;
  readonly value: number;
  readonly scale: SliderScale;
  /** Drawn as a mark on the track. */
  readonly defaultValue?: number;
  /** The value in words, for screen readers: "1 ms". Default: the number. */
  readonly valueText?: string;
  /** While it is dragged, at every new value. Whether `value` follows at once or later: the thumb stays in the hand. */
  readonly onChange: (value: number) => void;
  /** When the drag or the key press ends. */
  readonly onRelease?: () => void;
  readonly isDisabled?: boolean;
  readonly className?: string;
}

const KEYS: Readonly<Record<string, { direction: 1 | -1; isLarge: boolean }>> = {
  ArrowRight: { direction: 1, isLarge: false },
  ArrowUp: { direction: 1, isLarge: false },
  ArrowLeft: { direction: -1, isLarge: false },
  ArrowDown: { direction: -1, isLarge: false },
  PageUp: { direction: 1, isLarge: true },
  PageDown: { direction: -1, isLarge: true },
};

/**
 * Whoever listens on the document for moves of the pointer (dividers do, and measure the page at each) is not asked
 * while a thumb is held.
 */
function keepToItself(event: PointerEvent): void {
  if (event.buttons !== 0) event.stopPropagation();
}

/** The thumb while it is in the hand: what it is held at, which ends when it is let go. */
function useThumb(onRelease: (() => void) | undefined) {
  const input = useRef<HTMLInputElement>(null);
  /** Undefined: the thumb stands at the slider's value. */
  const [held, setHeld] = useState<number>();
  const letGo = useStable(() => {
    onRelease?.();
    setHeld(undefined);
  });
  useEffect(() => {
    const element = input.current;
    // React's onChange is the input event; the native change event comes once, when the thumb is let go, but not when
    // it is back where it was.
    const ends = ['change', 'pointerup', 'pointercancel'];
    for (const end of ends) element?.addEventListener(end, letGo);
    element?.addEventListener('pointermove', keepToItself);
    return () => {
      for (const end of ends) element?.removeEventListener(end, letGo);
      element?.removeEventListener('pointermove', keepToItself);
    };
  }, [letGo]);
  return { input, held, setHeld };
}

/**
 * A slider. A native range input over `TRACK_PLACES` places: the browser brings touch, drag and focus; values and keys
 * follow the scale, so that a log slider moves by round numbers and says the value, not the place.
 */
export function Slider(props: SliderProps) {
  const { label, value, scale, defaultValue, valueText, onChange, onRelease, isDisabled = false } = props;
  const { input, held, setHeld } = useThumb(onRelease);

  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const key = KEYS[event.key];
    const next =
      key !== undefined
        ? steppedValue(scale, value, key.direction, key.isLarge)
        : event.key === 'Home'
          ? scale.min
          : event.key === 'End'
            ? scale.max
            : undefined;
    if (next === undefined) return;
    event.preventDefault();
    if (next === value) return;
    onChange(next);
    onRelease?.();
  };

  const share = shareOf(scale, held ?? value);
  const percent = (part: number) => `calc(var(--thumb) / 2 + ${part} * (100% - var(--thumb)))`;
  return (
    <div className={cx('ui-slider', isDisabled && 'ui-slider-disabled', props.className)}>
      <div className="ui-slider-track" aria-hidden="true">
        <div className="ui-slider-fill" style={{ width: percent(share) }} />
      </div>
      {defaultValue !== undefined && (
        <div
          className="ui-slider-default"
          aria-hidden="true"
          style={{ left: percent(shareOf(scale, defaultValue)) }}
        />
      )}
      <input
        ref={input}
        type="range"
        aria-label={label}
        aria-valuetext={valueText ?? String(value)}
        min={0}
        max={TRACK_PLACES}
        value={Math.round(share * TRACK_PLACES)}
        disabled={isDisabled}
        onChange={(event) => {
          const next = valueAt(scale, Number(event.target.value) / TRACK_PLACES);
          if (next === (held ?? value)) return;
          setHeld(next);
          onChange(next);
        }}
        onKeyDown={onKeyDown}
      />
    </div>
  );
}
