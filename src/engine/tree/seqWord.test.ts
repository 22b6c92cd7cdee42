import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { createStream, uniformNs } from '../core/random.ts';
import * as gpSeq from './gpSeq.ts';
import {
  DONE_EXACT_GUARD,
  parseSeqWord,
  seqWord,
  seqWordCompletedGp,
  seqWordCtr,
  seqWordDiff,
  seqWordDone,
  seqWordDoneExact,
  seqWordEnd,
  seqWordNewGp,
  seqWordSnap,
  seqWordStart,
  seqWordStarted,
  seqWordState,
  signedSeqWord,
  type WordBits,
} from './seqWord.ts';

type Cell = number | string | boolean | null;
interface Table {
  readonly rows: readonly (readonly Cell[])[];
}
const worked = JSON.parse(readFileSync('test-data/tree-worked.json', 'utf8')) as Record<
  'sequenceWords' | 'sequenceDone' | 'sequencePairs',
  Table
>;

/** Rows of a table with the words of the first columns. */
function wordRows(name: keyof typeof worked) {
  return worked[name].rows.map((row) => {
    const bits = row[0] as WordBits;
    const word = (cell: Cell | undefined) => seqWord(BigInt(cell as number | string), bits);
    return { bits, row, word };
  });
}

describe('words against worked numbers', () => {
  it('R1.1 to R1.3: counter, state, start, end, snap', () => {
    for (const { bits, row, word } of wordRows('sequenceWords')) {
      const [, s, ctr, state, start, end, snap] = row;
      const begun = seqWordStart(word(s), bits);
      expect([seqWordCtr(word(s)), seqWordState(word(s))]).toEqual([BigInt(ctr as number), state]);
      expect(begun).toBe(start === null ? undefined : word(start));
      expect([seqWordEnd(word(s), bits), seqWordSnap(word(s), bits)]).toEqual([word(end), word(snap)]);
    }
  });

  it('R1.4: started, done, done_exact with both guards', () => {
    for (const { bits, row, word } of wordRows('sequenceDone')) {
      const [, s, x, started, done, doneExact, doneExactGuard7] = row;
      const seen = [
        seqWordStarted(word(s), word(x), bits),
        seqWordDone(word(s), word(x), bits),
        seqWordDoneExact(word(s), word(x), DONE_EXACT_GUARD['before-start'], bits),
        seqWordDoneExact(word(s), word(x), DONE_EXACT_GUARD['after-start'], bits),
      ];
      expect([s, x, ...seen]).toEqual([s, x, started, done, doneExact, doneExactGuard7]);
    }
  });

  it('R1.5, R1.6: what happened between two readings', () => {
    for (const { bits, row, word } of wordRows('sequencePairs')) {
      const [, old, now, completed, started, diff] = row;
      const seen = [
        seqWordCompletedGp(word(old), word(now), bits),
        seqWordNewGp(word(old), word(now), bits),
        Number(seqWordDiff(word(now), word(old), bits)),
      ];
      expect([old, now, ...seen]).toEqual([old, now, completed, started, diff]);
    }
  });
});

describe('words against the numbers of the engine', () => {
  it('are equal where nothing wraps', () => {
    const draw = createStream(7, -1, 0, 'seq-word-test');
    const number = () => uniformNs(draw(), 0, 4000) - 2000;
    for (let i = 0; i < 2000; i++) {
      const s = number();
      const x = number();
      const [a, b] = [seqWord(BigInt(s)), seqWord(BigInt(x))];
      const small = (word: bigint) => Number(signedSeqWord(word));
      expect(seqWordState(a)).toBe(gpSeq.seqState(s));
      if (gpSeq.seqState(s) === 0) expect(small(seqWordStart(a) as bigint)).toBe(gpSeq.seqStart(s));
      expect(small(seqWordEnd(a))).toBe(gpSeq.seqEnd(s));
      expect(small(seqWordSnap(a))).toBe(gpSeq.seqSnap(s));
      expect(seqWordStarted(a, b)).toBe(gpSeq.seqStarted(s, x));
      expect(seqWordDone(a, b)).toBe(gpSeq.seqDone(s, x));
      expect(seqWordDoneExact(a, b)).toBe(gpSeq.seqDoneExact(s, x, 10));
      expect(seqWordCompletedGp(a, b)).toBe(gpSeq.completedGp(s, x));
      expect(seqWordNewGp(a, b)).toBe(gpSeq.newGp(s, x));
    }
  });
});

describe('text to a word', () => {
  it('takes what trace events, crash and a cookie in hex look like', () => {
    expect(parseSeqWord('-1148')).toBe(2n ** 64n - 1148n);
    expect(parseSeqWord(' 18446744073709550472 ')).toBe(2n ** 64n - 1144n);
    expect(parseSeqWord('0xfffffffffffffb84')).toBe(2n ** 64n - 1148n);
    expect(parseSeqWord('-1148', 32)).toBe(2n ** 32n - 1148n);
  });

  it('refuses the rest', () => {
    for (const text of ['', '12x', '1.5', '--1', '-0x1', '18446744073709551616', '-9223372036854775809'])
      expect(parseSeqWord(text)).toBeUndefined();
    expect(parseSeqWord('4294967296', 32)).toBeUndefined();
  });
});
