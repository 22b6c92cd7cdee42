import { memo, useState } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Input } from 'react-aria-components/Input';
import { TextField } from 'react-aria-components/TextField';
import { cx } from './cx.ts';
import { useStable } from './useStable.ts';
import './TypedNumber.css';

/** What a typed text comes to: a value, or what is wrong with it and what is allowed. */
export type Typed<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

interface TypedNumberProps<T> {
  readonly label: string;
  /** The value as text. */
  readonly shown: string;
  readonly parse: (text: string) => Typed<T>;
  /** On Enter and when the field is left, if the text is valid and has changed. */
  readonly onCommit: (value: T) => void;
  /** Written behind the number. */
  readonly unit?: string;
  readonly isDisabled?: boolean;
  readonly className?: string;
}

/**
 * A value to type. Never clamps: a text that is not allowed stays, with a message that says what is; Escape brings the
 * old value back.
 */
export function TypedNumber<T>({ parse, onCommit, ...rest }: TypedNumberProps<T>) {
  const take = useStable((text: string) => {
    const typed = parse(text);
    if (!typed.ok) return typed.message;
    onCommit(typed.value);
    return undefined;
  });
  return <Field {...rest} take={take} />;
}

interface FieldProps extends Omit<TypedNumberProps<unknown>, 'parse' | 'onCommit'> {
  /** Takes a text, or says why not. */
  readonly take: (text: string) => string | undefined;
}

/** Drawn again when what it shows has changed: dozens of these stand beside the one that is dragged. */
const Field = memo(function Field({ label, shown, take, unit, isDisabled = false, className }: FieldProps) {
  const [draft, setDraft] = useState<string>();
  const [message, setMessage] = useState<string>();
  const text = draft ?? shown;
  const commit = () => {
    const fault = draft === undefined || draft === shown ? undefined : take(draft.trim());
    if (fault === undefined) setDraft(undefined);
    setMessage(fault);
  };
  return (
    <TextField
      aria-label={unit === undefined || unit === '' ? label : `${label}, ${unit}`}
      className={cx('ui-typed', className)}
      value={text}
      onChange={(next) => {
        setDraft(next);
        setMessage(undefined);
      }}
      isInvalid={message !== undefined}
      isDisabled={isDisabled}
    >
      <span className="ui-typed-box">
        <Input
          className="ui-typed-input"
          style={{ width: `${Math.max(2, text.length) + 0.5}ch` }}
          spellCheck="false"
          autoComplete="off"
          onBlur={commit}
          onKeyDown={(event) => {
            if (event.key === 'Enter') commit();
            else if (event.key === 'Escape' && draft !== undefined) {
              event.stopPropagation();
              setDraft(undefined);
              setMessage(undefined);
            }
          }}
        />
        {unit !== undefined && unit !== '' && (
          <span className="ui-typed-unit" aria-hidden="true">
            {unit}
          </span>
        )}
      </span>
      <FieldError className="ui-field-error">{message}</FieldError>
    </TextField>
  );
});
