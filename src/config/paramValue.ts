/** Values of kernel parameters as the kernel reads them, by the type of the parameter. */
import type { ParamInfo } from '../engine/profiles/kernelParams.ts';
import { parseUnsignedLong } from './unsignedLong.ts';

export type ParamValue =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly why: string };

const INT = [-(2 ** 31), 2 ** 31 - 1] as const;
const LONG = [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER] as const;

/** Least and largest number that the kernel can read for it at all (as far as they are safe integers). */
function readable(param: ParamInfo): readonly [min: number, max: number] {
  if (param.type === 'bool') return [0, 1];
  if (param.type === 'int') return INT;
  return param.type === 'long' ? LONG : [0, Number.MAX_SAFE_INTEGER];
}

/** kstrtobool(): by the first letter, "on" and "off" by two; no value at all is Y. */
function parseBool(text: string | undefined): ParamValue {
  if (text === undefined || /^([yt1]|on)/i.test(text)) return { ok: true, value: 1 };
  if (/^([nf0]|of)/i.test(text)) return { ok: true, value: 0 };
  return { ok: false, why: 'Y or N (1 or 0, on or off)' };
}

/** Text after the equals sign; undefined: there is none. */
export function parseParamText(param: ParamInfo, text: string | undefined): ParamValue {
  if (param.type === 'bool') return parseBool(text);
  const given = text ?? '';
  const isNegative = param.type !== undefined && given.startsWith('-');
  const read = parseUnsignedLong(isNegative ? given.slice(1) : given);
  if (!read.ok) return read;
  const value = isNegative ? 0 - read.value : read.value;
  const [min, max] = readable(param);
  const type = param.type ?? 'unsigned long';
  if (value < min || value > max)
    return { ok: false, why: `${min} to ${max}: the kernel reads it as ${type}` };
  return { ok: true, value };
}

/** True for a number that the kernel could have read. */
export function isReadable(param: ParamInfo, value: unknown): value is number {
  const [min, max] = readable(param);
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}

/** As the kernel prints it: a bool as Y or N. */
export function paramText(param: ParamInfo, value: number | string): number | string {
  return param.type === 'bool' ? (value === 1 ? 'Y' : 'N') : value;
}
