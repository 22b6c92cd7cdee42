import { useMemo } from 'react';
import { mechanismsOf } from '../analysis/mechanisms.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { type ModelNote, type NotesByMechanism, notesOf } from './modelNote.ts';

/** What a panel's badge says in this run; the same list as long as the run has the same mechanisms. Nothing without a run. */
export function useNotes(notes: NotesByMechanism, info: RunInfo | undefined): readonly ModelNote[] {
  const none = { srcu: false, rcu: false, kvfree: false, tasks: false };
  const { srcu, rcu, kvfree, tasks } = info === undefined ? none : mechanismsOf(info.config);
  return useMemo(() => notesOf(notes, { srcu, rcu, kvfree, tasks }), [notes, srcu, rcu, kvfree, tasks]);
}
