/** Polled cookies that have been taken and are not true yet. */
import { KIND } from '../../core/eventKinds.ts';
import type { Track } from '../../core/info.ts';
import type { Row } from '../checker.ts';

/** `a` of rcu_poll rows; cookies of two words have FULL added. */
const BECAME_TRUE = 3;
const FULL = 4;

/** A cookie. The second word means something only where it has two. */
interface Cookie {
  readonly word: number;
  readonly second: number | undefined;
  /** Row in which it was taken. */
  readonly index: number;
}

/** A row that says that a cookie is true. */
export function isTrue(row: Row): boolean {
  return row.kind === KIND.rcu_poll && row.a % FULL === BECAME_TRUE;
}

/** By updater: one thread may take what another one polls (gapFrom "call"). */
export class Cookies {
  readonly #tracks: readonly Track[];
  readonly #taken = new Map<string, Cookie[]>();

  constructor(tracks: readonly Track[]) {
    this.#tracks = tracks;
  }

  #of(thread: number): Cookie[] {
    const track = this.#tracks[thread];
    const key = `${track?.actor}/${track?.number}`;
    let cookies = this.#taken.get(key);
    if (cookies === undefined) {
      cookies = [];
      this.#taken.set(key, cookies);
    }
    return cookies;
  }

  /** A row in which one is taken. */
  take({ a, b, c, d, index }: Row): void {
    this.#of(d).push({ word: b, second: a >= FULL ? c : undefined, index });
  }

  /** A row in which one is true: that cookie, the oldest of equal ones, taken off. */
  use({ a, b, c, d }: Row): Cookie | undefined {
    const cookies = this.#of(d);
    const second = a >= FULL ? c : undefined;
    const at = cookies.findIndex((cookie) => cookie.word === b && cookie.second === second);
    return at < 0 ? undefined : cookies.splice(at, 1)[0];
  }
}
