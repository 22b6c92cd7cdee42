import { describe, expect, it } from 'vitest';
import { HEADLINE_NOTES } from './headline/notes.ts';
import { LATENCY_NOTES } from './latency/notes.ts';
import {
  countFidelities,
  type Fidelity,
  type NotesByMechanism,
  notesOf,
  overallFidelity,
  requesterNote,
} from './modelNote.ts';
import { LOG_NOTES } from './narrated-log/notes.ts';
import { noteNotes } from './scenario-note/notes.ts';
import { WHY_NOTES } from './why/notes.ts';

const notes = (...fidelities: Fidelity[]) =>
  fidelities.map((fidelity) => ({ what: fidelity, fidelity, kernel: 'f()', rule: 'srcu 1' }));

describe('model badge', () => {
  it('says what all elements agree on, else "simplified"', () => {
    expect(overallFidelity(notes('exact', 'exact'))).toBe('exact');
    expect(overallFidelity(notes('not modelled'))).toBe('not modelled');
    expect(overallFidelity(notes('exact', 'not modelled'))).toBe('simplified');
    expect(overallFidelity([])).toBeUndefined();
  });

  it('counts the rest of the sentence', () => {
    expect(countFidelities(notes('simplified', 'exact', 'exact'))).toBe('2 exact, 1 simplified');
  });

  it('the credit form is not the scheduler', () => {
    const fidelities = (['unseen', 'credit', 'scheduler'] as const).map((r) => requesterNote(r).fidelity);
    expect(fidelities).toEqual(['not modelled', 'simplified', 'exact']);
  });
});

describe('notes of panels that every run has', () => {
  const tables: readonly [string, NotesByMechanism][] = [
    ['headline', HEADLINE_NOTES],
    ['why', WHY_NOTES],
    ['latency', LATENCY_NOTES],
    ['narrated-log', LOG_NOTES],
    ['scenario-note', noteNotes('scheduler')],
  ];
  const all = { srcu: true, rcu: true, kvfree: true, tasks: true };

  it.each(tables)('%s: each mechanism cites its own rules, no element is named twice', (_, table) => {
    for (const [mechanism, word] of [
      ['srcu', /^srcu \d/],
      ['rcu', /^tree [R\d]/],
      ['kvfree', /^kvfree [K\d]/],
      ['tasks', /^tasks \d/],
    ] as const) {
      expect(table[mechanism].length).toBeGreaterThan(0);
      for (const { rule } of table[mechanism]) expect(rule).toMatch(word);
    }
    const names = notesOf(table, all).map(({ what }) => what);
    expect(new Set(names).size).toBe(names.length);
  });

  it('a run of Tree RCU says nothing of SRCU', () => {
    const none = { srcu: false, rcu: false, kvfree: false, tasks: false };
    const notes = notesOf(LOG_NOTES, { ...none, rcu: true, tasks: true });
    expect(notes).toEqual([...LOG_NOTES.rcu, ...LOG_NOTES.tasks]);
    expect(notesOf(LOG_NOTES, none)).toEqual([]);
  });

  it('a requester is a matter of SRCU that actors call, not of the domain inside RCU Tasks', () => {
    const named = (requester: 'credit' | undefined) =>
      noteNotes(requester).srcu.some(({ what }) => what.includes('requester'));
    expect([named('credit'), named(undefined)]).toEqual([true, false]);
  });
});
