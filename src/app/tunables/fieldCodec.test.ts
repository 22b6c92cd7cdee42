import { describe, expect, it } from 'vitest';
import { ACTOR_FIELDS } from '../../config/actorFields.ts';
import type { Field } from '../../config/fields.ts';
import { bySizeForm, sizesForm } from '../../config/link/linkText.ts';
import { MACHINE_FIELDS } from '../../config/machineFields.ts';
import { fieldCodec } from './fieldCodec.ts';

describe('values that are typed as in a link', () => {
  const sizes = fieldCodec<readonly number[]>(ACTOR_FIELDS.kfree.fields.sizes as Field<unknown>, sizesForm);
  const costs = fieldCodec(MACHINE_FIELDS.get('kfreeFreeNs') as Field<unknown>, bySizeForm);

  it('sizes of objects', () => {
    expect(sizes.parse('32 / 64')).toEqual({ ok: true, value: [32, 64] });
    expect(sizes.parse(sizes.format([32, 64, 96, 128]))).toEqual({ ok: true, value: [32, 64, 96, 128] });
    expect(sizes.parse('32,64')).toEqual({ ok: false, message: sizesForm.allowed });
    expect(sizes.parse('9000')).toEqual({
      ok: false,
      message: expect.stringMatching(/1 to 64 sizes.* 8192/),
    });
  });

  it('costs by size', () => {
    expect(costs.parse('55')).toEqual({ ok: true, value: 55 });
    const map = { '32': 49, '256': 1500 };
    expect(costs.parse(costs.format(map))).toEqual({ ok: true, value: map });
    expect(costs.parse('soon')).toEqual({ ok: false, message: bySizeForm.allowed });
    expect(costs.parse('0:5ns')).toEqual({
      ok: false,
      message: expect.stringMatching(/from 1 to 8192 bytes/),
    });
  });
});
