import './scenario-note.css';
import { memo, useMemo } from 'react';
import { areOfSrcu } from '../../analysis/mechanisms.ts';
import { keepCase } from '../keepCase.tsx';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelProps } from '../panelProps.ts';
import { useNotes } from '../useNotes.ts';
import { type NoteView, noteView, type ReportedRow } from './model.ts';
import { noteNotes } from './notes.ts';

/** What to look at, what is fitted and what is predicted, reported beside simulated. */
export function ScenarioNotePanel({ data, tools }: PanelProps) {
  const { scenario, run } = data;
  const config = run?.info.config;
  const requester = config && areOfSrcu(config.actors) ? config.machine.requester : undefined;
  const view = useMemo(() => (scenario === undefined ? undefined : noteView(scenario)), [scenario]);
  const notes = useNotes(
    useMemo(() => noteNotes(requester), [requester]),
    run?.info,
  );
  return (
    <PanelFrame title={keepCase(view?.title ?? 'Scenario')} look="side" notes={notes} tools={tools}>
      {view === undefined ? (
        <PanelEmpty>
          {run === undefined
            ? 'Nothing has run yet.'
            : 'This is a workload of your own: nothing was reported to compare it with.'}
        </PanelEmpty>
      ) : (
        <Note view={view} />
      )}
    </PanelFrame>
  );
}

/** Stays as it is while the reported figures and what is simulated of them do. */
const Note = memo(function Note({ view }: { readonly view: NoteView }) {
  return (
    <div className="note">
      {view.lookAt.map((paragraph) => (
        <p key={paragraph}>{paragraph}</p>
      ))}
      {view.rows.length === 0 ? null : <ReportedTable rows={view.rows} />}
      {view.caveat === undefined ? null : <p className="note-caveat">{view.caveat}</p>}
      {view.fitted.length === 0 ? null : (
        <details className="note-fitted">
          <summary>What is fitted, what is predicted</summary>
          {view.fitted.map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
        </details>
      )}
    </div>
  );
});

function ReportedTable({ rows }: { readonly rows: readonly ReportedRow[] }) {
  return (
    <table className="reported">
      <caption className="ui-visually-hidden">Reported and simulated figures</caption>
      <thead>
        <tr>
          <th scope="col">reported</th>
          <th scope="col">here</th>
          <th scope="col">distance</th>
        </tr>
      </thead>
      {rows.map((row) => (
        <tbody key={row.what}>
          <tr>
            <th scope="rowgroup" colSpan={3}>
              {row.what} <span className={`reported-kind ${row.kind}`}>{row.kind}</span>{' '}
              <span className="muted">{row.source}</span>
              {row.remark === '' ? null : <span className="reported-remark">{row.remark}</span>}
            </th>
          </tr>
          <tr>
            <td>{row.reported}</td>
            <td>{row.simulated}</td>
            <td>{row.distance}</td>
          </tr>
        </tbody>
      ))}
    </table>
  );
}
