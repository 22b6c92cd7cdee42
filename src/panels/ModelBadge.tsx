import { memo, useId, useState } from 'react';
import { countFidelities, type Fidelity, type ModelNote, overallFidelity } from './modelNote.ts';

/** Told by form as well as by word: full, half, empty. */
const SIGNS: Readonly<Record<Fidelity, string>> = { exact: '●', simplified: '◐', 'not modelled': '○' };

/** A small button that says how exact the panel is, and opens the list of its elements. */
export const ModelBadge = memo(function ModelBadge({ notes }: { readonly notes: readonly ModelNote[] }) {
  const [isOpen, setIsOpen] = useState(false);
  const listId = useId();
  const overall = overallFidelity(notes);
  if (overall === undefined) return null;
  return (
    <>
      <button
        type="button"
        className="badge"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-label={`Model: ${countFidelities(notes)}`}
        title={`Model: ${countFidelities(notes)}`}
        onClick={() => setIsOpen(!isOpen)}
      >
        <span aria-hidden="true">{SIGNS[overall]}</span> <span className="badge-word">{overall}</span>
      </button>
      {isOpen ? (
        <ul className="badge-notes" id={listId}>
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
      ) : null}
    </>
  );
});
