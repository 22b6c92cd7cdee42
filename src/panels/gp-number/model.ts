/** Any gp_seq or cookie, pasted, in words (rcu_seq_*(), tree R1.1 to R1.4). */
import { judgeCookie, readSeq, signedOf } from '../../analysis/seqReading.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import type { ModelNote } from '../modelNote.ts';

export interface NumberView {
  /** What is wrong with the text; undefined: nothing. */
  readonly problem: string | undefined;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
}

export const NUMBER_NOTES: readonly ModelNote[] = [
  {
    what: 'State, counter, snap, done',
    fidelity: 'exact',
    kernel: 'rcu_seq_snap(), rcu_seq_done()',
    rule: 'tree R1.1 to R1.4',
  },
];

const STATES = ['idle', 'a grace period runs', 'unused by Tree RCU', 'unused by Tree RCU'] as const;

function print(word: bigint): string {
  return `${signedOf(word)} (0x${word.toString(16)})`;
}

function problemWith(text: string, what: string): string {
  return `${what} "${text.trim()}" is no number: decimal (with a minus if it was printed so) or 0x and up to 16 digits`;
}

/**
 * What a pasted number says, and whether a cookie is done at that number in a kernel with these rules; an empty cookie
 * asks nothing.
 */
export function numberView(
  text: string,
  cookieText: string,
  rules: Pick<RunInfo['rules'], 'tree.srOrder'>,
): NumberView {
  if (text.trim() === '') return { problem: undefined, facts: [] };
  const seq = readSeq(text);
  if (seq === undefined) return { problem: problemWith(text, 'gp_seq'), facts: [] };
  const facts = [
    { name: 'word', text: print(seq.word) },
    { name: 'counter', text: `${seq.counter} (signed ${seq.number})` },
    { name: 'state', text: `${seq.state}: ${STATES[seq.state] ?? ''}` },
    { name: 'ends at', text: print(seq.end) },
    { name: 'snap', text: `${print(seq.snap)}: the cookie that is taken now` },
  ];
  if (cookieText.trim() === '') return { problem: undefined, facts };
  const cookie = readSeq(cookieText);
  if (cookie === undefined) return { problem: problemWith(cookieText, 'cookie'), facts };
  const { started, done, doneExact } = judgeCookie(seq, cookie, rules);
  const yes = (holds: boolean) => (holds ? 'yes' : 'no');
  return {
    problem: undefined,
    facts: [
      ...facts,
      { name: 'started', text: `${yes(started)}: its grace period has begun` },
      { name: 'done', text: yes(done) },
      { name: 'done_exact', text: `${yes(doneExact)}: also true where the counter has wrapped` },
    ],
  };
}
