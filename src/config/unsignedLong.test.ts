import { describe, expect, it } from 'vitest';
import { parseUnsignedLong } from './unsignedLong.ts';

describe('kstrtoul(text, 0)', () => {
  it.each([
    ['0', 0],
    ['100', 100],
    ['+7', 7],
    ['0x1F', 31],
    ['0X1f', 31],
    ['017', 15],
    ['00', 0],
    ['9007199254740991', Number.MAX_SAFE_INTEGER],
  ])('reads %s', (text, value) => {
    expect(parseUnsignedLong(text)).toEqual({ ok: true, value });
  });

  it.each([
    ['', /missing/],
    ['-1', /negative/],
    ['5us', /without a unit/],
    ['4K', /suffixes/],
    ['1.5', /fraction/],
    ['08', /octal/],
    ['0x', /not a number/],
    ['0b11', /not a number/],
    [' 5', /not a number/],
    ['9007199254740992', /only numbers up to 2\^53-1/],
    ['18446744073709551616', /larger than the kernel takes/],
  ])('refuses %j', (text, why) => {
    const result = parseUnsignedLong(text);
    expect(result).toMatchObject({ ok: false, why: expect.stringMatching(why) });
  });
});
