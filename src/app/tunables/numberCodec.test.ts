import { describe, expect, it } from 'vitest';
import { costCodec, durationCodec, integerCodec } from './numberCodec.ts';

describe('integerCodec', () => {
  const codec = integerCodec(24, 1200);

  it('reads digits, with or without groups', () => {
    expect(codec.parse('1000')).toEqual({ ok: true, value: 1000 });
    expect(codec.parse('1,000')).toEqual({ ok: true, value: 1000 });
  });

  it.each(['23', '1201', '', '-5', '1e3', '250.5', '0x10'])(
    'refuses "%s" and says what is allowed',
    (text) => {
      expect(codec.parse(text)).toEqual({ ok: false, message: 'a whole number from 24 to 1200' });
    },
  );
});

describe('integerCodec of signed numbers', () => {
  it('reads what it writes', () => {
    const codec = integerCodec(-20, 19);
    for (const nice of [-20, -1, 0, 19])
      expect(codec.parse(codec.format(nice))).toEqual({ ok: true, value: nice });
    for (const text of ['-21', '--1', '-', '20']) expect(codec.parse(text).ok).toBe(false);
  });
});

describe('durationCodec', () => {
  const codec = durationCodec('us');

  it('reads what it writes', () => {
    for (const ns of [0, 1, 999, 1500, 160_000, 1_500_000, 4_870_000_000]) {
      expect(codec.parse(codec.format(ns))).toEqual({ ok: true, value: ns });
    }
  });

  it('a bare number is in its own unit', () => {
    expect(codec.parse('20')).toEqual({ ok: true, value: 20_000 });
  });

  it.each(['soon', '-1ms', '1.0000001us', '3 h'])('refuses "%s"', (text) => {
    expect(codec.parse(text).ok).toBe(false);
  });
});

describe('costCodec', () => {
  const codec = costCodec(durationCodec('ns'));

  it('reads what it writes, values and ranges', () => {
    for (const cost of [0, 900, 1500, [900, 2000], [0, 3_000_000]] as const) {
      expect(codec.parse(codec.format(cost))).toEqual({ ok: true, value: cost });
    }
    expect(codec.parse('900 .. 2000')).toEqual({ ok: true, value: [900, 2000] });
    expect(codec.parse('1..3 us')).toEqual({ ok: true, value: [1000, 3000] });
    expect(codec.parse('5us..5us')).toEqual({ ok: true, value: 5000 });
  });

  it.each(['3us..1us', '1us..', '..1us', '1..2..3us', '1us..soon'])('refuses "%s"', (text) => {
    expect(codec.parse(text).ok).toBe(false);
  });
});
