import fc from 'fast-check';
import { expect, it } from 'vitest';
import { isSameValue } from './isSameValue.ts';
import { withPartsOf } from './withPartsOf.ts';

it('shares what is equal and nothing else', () => {
  const before = { params: { a: 1, b: 2 }, actors: [{ hold: { exp: 5 } }, { hold: 7 }], hz: 250 };
  const next = withPartsOf(before, {
    params: { a: 1, b: 2 },
    actors: [{ hold: { exp: 5 } }, { hold: 8 }],
    hz: 250,
  });
  expect(next.params).toBe(before.params);
  expect(next.actors[0]).toBe(before.actors[0]);
  expect(next.actors).not.toBe(before.actors);
  expect(next.actors[1]).toEqual({ hold: 8 });
});

it('is the value before where all is equal', () => {
  const before = { list: [1, { x: [2] }] };
  expect(withPartsOf(before, structuredClone(before))).toBe(before);
});

it('a key or an element that has gone is no equality', () => {
  expect(withPartsOf({ a: 1, b: 2 }, { a: 1 })).toEqual({ a: 1 });
  expect(withPartsOf([1, 2], [1])).toEqual([1]);
  expect(withPartsOf({ a: undefined }, { b: undefined })).toEqual({ b: undefined });
  expect(withPartsOf([], {})).toEqual({});
});

it('always equals the next value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (before, next) => {
      const shared = withPartsOf(before, next);
      expect(shared).toStrictEqual(next);
      expect(Object.is(shared, before)).toBe(isSameValue(before, next));
    }),
  );
});
