import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { seqEnd, seqSnap, seqStart } from './gpSeq.ts';
import {
  COMPLETED_COOKIE,
  INITIAL_POLLED,
  isCookieDone,
  isFullCookieDone,
  type PolledWords,
  polledEnd,
  polledStart,
  takeFullCookie,
} from './polledSeq.ts';

const GUARD = 10;

type Operation = 'take' | 'normalStart' | 'normalEnd' | 'expStart' | 'expEnd';
const { stories } = (
  JSON.parse(readFileSync('test-data/tree-worked.json', 'utf8')) as {
    polled: { stories: { start: [number, number, number]; steps: unknown[][] }[] };
  }
).polled;

/** The three words of a story and its cookies; one operation after the other. */
class Story {
  gpSeq: number;
  expSeq: number;
  polled: PolledWords;
  readonly taken: (readonly [compressed: number, normal: number, exp: number])[] = [];

  constructor([gpSeq, seq, expSeq]: readonly [number, number, number]) {
    this.gpSeq = gpSeq;
    this.expSeq = expSeq;
    this.polled = { ...INITIAL_POLLED, seq };
  }

  do(op: Operation): void {
    if (op === 'take') {
      const { normal, exp } = takeFullCookie(this.gpSeq, this.expSeq);
      this.taken.push([seqSnap(this.polled.seq), normal, exp]);
      return;
    }
    const flavor = op.startsWith('normal') ? 'normal' : 'expedited';
    const isStart = op.endsWith('Start');
    this.polled = (isStart ? polledStart : polledEnd)(this.polled, flavor);
    const next = isStart ? seqStart : seqEnd;
    if (flavor === 'normal') this.gpSeq = next(this.gpSeq);
    else this.expSeq = next(this.expSeq);
  }

  get words(): number[] {
    return [this.gpSeq, this.polled.seq, this.expSeq, this.polled.snapNormal, this.polled.snapExp];
  }

  get poll(): boolean[] {
    return this.taken.map(([cookie]) => isCookieDone(this.polled.seq, cookie, GUARD));
  }

  get pollFull(): boolean[] {
    return this.taken.map(([, normal, exp]) =>
      isFullCookieDone(this.gpSeq, this.expSeq, { normal, exp }, GUARD),
    );
  }
}

describe('gp_seq_polled and cookies', () => {
  it('go as in every worked story, the missed grace period included (R6.5)', () => {
    for (const { start, steps } of stories) {
      const story = new Story(start);
      for (const [op, gpSeq, polled, expSeq, snapNormal, snapExp, cookie, poll, pollFull] of steps) {
        story.do(op as Operation);
        expect(story.words).toEqual([gpSeq, polled, expSeq, snapNormal, snapExp]);
        if (cookie !== null && op === 'take') expect(story.taken.at(-1)).toEqual(cookie);
        expect(story.poll).toEqual(poll);
        expect(story.pollFull).toEqual(pollFull);
      }
    }
  });

  it('never has the one-word cookie true before the full one is', () => {
    for (const { steps } of stories)
      for (const [, , , , , , , poll, pollFull] of steps)
        (poll as boolean[]).forEach((isDone, i) => {
          if (isDone) expect((pollFull as boolean[])[i]).toBe(true);
        });
  });

  it('counts a cookie far behind as done, and 1 always (R6.5, R6.1)', () => {
    expect(isCookieDone(397, 408, GUARD)).toBe(true);
    expect(isCookieDone(398, 408, GUARD)).toBe(false);
    expect(isCookieDone(-1200, COMPLETED_COOKIE, GUARD)).toBe(true);
    expect(isFullCookieDone(0, 0, { normal: 4, exp: COMPLETED_COOKIE }, GUARD)).toBe(true);
  });
});
