/** Numbers as the kernel reads them for an unsigned long parameter: kstrtoul(text, 0). */

export type UnsignedLong =
  | { readonly ok: true; readonly value: number }
  | { readonly ok: false; readonly why: string };

const ULONG_MAX = 2n ** 64n - 1n;
const PATTERN = /^\+?(?:(0x[0-9a-f]+)|0([0-7]*)|([1-9][0-9]*))$/i;

/**
 * Decimal, hexadecimal (0x1f) or octal (017), with an optional plus. No unit, no suffix K, M or G, no sign, no
 * fraction. Numbers above 2^53-1 are fine for the kernel and not exact here: refused with that reason.
 */
export function parseUnsignedLong(text: string): UnsignedLong {
  const match = PATTERN.exec(text);
  if (match === null) {
    return { ok: false, why: `not a number as the kernel reads one${explain(text)}` };
  }
  const [, hex, octal, decimal] = match;
  const value = BigInt(hex ?? (octal === undefined ? (decimal ?? '0') : octal === '' ? '0' : `0o${octal}`));
  if (value > ULONG_MAX) return { ok: false, why: 'larger than the kernel takes (2^64-1)' };
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) {
    return { ok: false, why: 'the kernel takes it, but this program only numbers up to 2^53-1' };
  }
  return { ok: true, value: Number(value) };
}

function explain(text: string): string {
  if (text === '') return ': the value is missing';
  if (text.startsWith('-')) return ': it may not be negative';
  if (/^\d+\s*(ns|us|µs|ms|s)$/i.test(text)) return ': without a unit';
  if (/^\d+[kmgt]$/i.test(text)) return ': suffixes K, M and G are not read here';
  if (/^\d+\.\d*$/.test(text)) return ': no fraction';
  return /^0\d+$/.test(text) ? ': a leading 0 makes it octal' : ' (decimal, 0x hexadecimal or 0 octal)';
}
