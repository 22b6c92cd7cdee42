import { memo } from 'react';
import { countFidelities, type Fidelity, type ModelNote, overallFidelity } from './modelNote.ts';

/** Told by form as well as by word: full, half, empty. */
const SIGNS: Readonly<Record<Fidelity, string>> = { exact: '●', simplified: '◐', 'not modelled': '○' };

interface ModelBadgeProps {
  readonly notes: readonly ModelNote[];
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Id of the list that it opens. */
  readonly listId: string;
}

/** A small button that says how exact the panel is, and opens the list of its elements. */
export const ModelBadge = memo(function ModelBadge({ notes, isOpen, onToggle, listId }: ModelBadgeProps) {
  const overall = overallFidelity(notes);
  if (overall === undefined) return null;
  return (
    <button
      type="button"
      className="badge"
      aria-expanded={isOpen}
      aria-controls={isOpen ? listId : undefined}
      aria-label={`Model: ${countFidelities(notes)}`}
      title={`Model: ${countFidelities(notes)}`}
      onClick={onToggle}
    >
      <span aria-hidden="true">{SIGNS[overall]}</span> <span className="badge-word">{overall}</span>
    </button>
  );
});

/** The elements of a panel: how exact, which kernel function, which rule. */
export const ModelNotes = memo(function ModelNotes({
  notes,
  id,
}: {
  readonly notes: readonly ModelNote[];
  readonly id: string;
}) {
  return (
    <ul className="badge-notes" id={id}>
      {notes.map((note) => (
        <li key={note.what}>
          <span className="badge-sign" aria-hidden="true">
            {SIGNS[note.fidelity]}
          </span>
          <span>
            {note.what}: <b>{note.fidelity}</b>, <code>{note.kernel}</code>, rule {note.rule}
          </span>
        </li>
      ))}
    </ul>
  );
});
