/** Any gp_seq or cookie, pasted, in words (rcu_seq_*(), tree R1.1 to R1.4). */
import {
  parseSeqWord,
  seqWordCtr,
  seqWordDone,
  seqWordDoneExact,
  seqWordEnd,
  seqWordSnap,
  seqWordStarted,
  seqWordState,
  signedSeqWord,
} from '../../engine/tree/seqWord.ts';
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
/** RCU_GET_STATE_COMPLETED (tree R6.1). */
const COMPLETED = 1n;

function print(word: bigint): string {
  return `${signedSeqWord(word)} (0x${word.toString(16)})`;
}

function problemWith(text: string, what: string): string {
  return `${what} "${text.trim()}" is no number: decimal (with a minus if it was printed so) or 0x and up to 16 digits`;
}

/** What a pasted number says, and whether a cookie is done at that number; an empty cookie asks nothing. */
export function numberView(text: string, cookieText: string): NumberView {
  if (text.trim() === '') return { problem: undefined, facts: [] };
  const word = parseSeqWord(text);
  if (word === undefined) return { problem: problemWith(text, 'gp_seq'), facts: [] };
  const snap = seqWordSnap(word);
  const facts = [
    { name: 'word', text: print(word) },
    {
      name: 'counter',
      text: `${seqWordCtr(BigInt.asUintN(64, word))} (signed ${signedSeqWord(word) >> 2n})`,
    },
    { name: 'state', text: `${seqWordState(word)}: ${STATES[seqWordState(word)] ?? ''}` },
    { name: 'ends at', text: print(seqWordEnd(word)) },
    { name: 'snap', text: `${print(snap)}: the cookie that is taken now` },
  ];
  if (cookieText.trim() === '') return { problem: undefined, facts };
  const cookie = parseSeqWord(cookieText);
  if (cookie === undefined) return { problem: problemWith(cookieText, 'cookie'), facts };
  const yes = (holds: boolean) => (holds ? 'yes' : 'no');
  return {
    problem: undefined,
    facts: [
      ...facts,
      { name: 'started', text: `${yes(seqWordStarted(word, cookie))}: its grace period has begun` },
      { name: 'done', text: yes(cookie === COMPLETED || seqWordDone(word, cookie)) },
      {
        name: 'done_exact',
        text: `${yes(cookie === COMPLETED || seqWordDoneExact(word, cookie))}: also true where the counter has wrapped`,
      },
    ],
  };
}
