import type { Field } from '../../config/fields.ts';
import type { ValueCodec } from './numberCodec.ts';

/** How a link writes a value of this kind. */
interface TextForm<T> {
  parse(text: string): unknown;
  format(value: T): string;
  readonly allowed: string;
}

/** A value that is typed as it stands in a link, and may be what it may be in a file. */
export function fieldCodec<T>(field: Field<unknown>, form: TextForm<T>): ValueCodec<T> {
  return {
    unit: '',
    format: form.format,
    parse: (text) => {
      const value = field.read(form.parse(text.replace(/\s/g, '')));
      return value === undefined ? { ok: false, message: form.allowed } : { ok: true, value: value as T };
    },
  };
}
