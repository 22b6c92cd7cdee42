import './reader-counters.css';
import { useMemo } from 'react';
import { DomainPicker, domainState } from '../DomainPicker.tsx';
import { formatCount } from '../format.ts';
import { requesterNote } from '../modelNote.ts';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelProps } from '../panelProps.ts';
import { COUNTERS_NOTES, type CountersView, countersView, type IndexView, type ReaderView } from './model.ts';

/** lock - unlock per CPU and index, the sums the kernel compares, and who is waited for. */
export function ReaderCountersPanel({ data, actions, tools }: PanelProps) {
  const state = domainState(data);
  const info = data.run?.info;
  const requester = info?.config.machine.requester;
  const notes = useMemo(() => [requesterNote(requester), ...COUNTERS_NOTES], [requester]);
  return (
    <PanelFrame
      title="Reader counters"
      subtitle={
        <>
          <span className="panel-hint">lock − unlock </span>
          <DomainPicker data={data} actions={actions} />
        </>
      }
      look="card"
      notes={notes}
      tools={tools}
    >
      {state === undefined || info === undefined ? (
        <PanelEmpty>No counters yet: the run has not reached the cursor.</PanelEmpty>
      ) : (
        <Counters view={countersView(state, info)} onSeek={actions.seekRow} />
      )}
    </PanelFrame>
  );
}

function IndexHead({ index, colSpan }: { readonly index: IndexView; readonly colSpan: number }) {
  return (
    <th scope="colgroup" colSpan={colSpan} className={index.role === 'being drained' ? 'drained' : undefined}>
      idx {index.idx} {index.role === 'being drained' ? '←' : ''}
      <span className="index-role">{index.role}</span>
    </th>
  );
}

function CountCells({ count, full }: { readonly count: number; readonly full: number }) {
  const share = Math.min(1, Math.abs(count) / full);
  return (
    <>
      <td className="count-bar" aria-hidden="true">
        <div
          className={count < 0 ? 'count-fill negative' : 'count-fill'}
          style={{ inlineSize: `${share * 100}%` }}
        />
      </td>
      <td className="count">{formatCount(count)}</td>
    </>
  );
}

function CounterTable({ view }: { readonly view: CountersView }) {
  const [zero, one] = view.indexes;
  return (
    <table className="counters">
      <caption className="ui-visually-hidden">Locks minus unlocks per CPU and index</caption>
      <thead>
        <tr>
          <th scope="col" className="muted">
            CPU
          </th>
          <IndexHead index={zero} colSpan={2} />
          <IndexHead index={one} colSpan={2} />
        </tr>
      </thead>
      <tbody>
        {view.rows.map(({ cpu, counts }) => (
          <tr key={cpu}>
            <th scope="row">{cpu}</th>
            <CountCells count={counts[0]} full={view.full} />
            <CountCells count={counts[1]} full={view.full} />
          </tr>
        ))}
      </tbody>
      <tfoot>
        {(['lock', 'unlock'] as const).map((sum) => (
          <tr key={sum}>
            <th scope="row">Σ {sum}</th>
            <td colSpan={2}>{formatCount(zero[sum])}</td>
            <td colSpan={2}>{formatCount(one[sum])}</td>
          </tr>
        ))}
      </tfoot>
    </table>
  );
}

function ReaderLine({
  reader,
  onSeek,
}: {
  readonly reader: ReaderView;
  readonly onSeek: (row: number) => void;
}) {
  return (
    <li>
      <button type="button" className="line-button reader-line" onClick={() => onSeek(reader.row)}>
        <span className={`swatch tone-${reader.isWaitedFor ? 'reader' : 'quiet'}`} aria-hidden="true" />
        <span>
          <code>{reader.name}</code> on CPU {reader.cpu}, idx {reader.idx}
          {reader.isOwn ? <b> (the requester's own section)</b> : null}
          {reader.isWaitedFor ? <b className="tone-reader tone-text"> waited for</b> : null}
        </span>
        <span className="line-value">{reader.sinceText}</span>
      </button>
    </li>
  );
}

function Counters({ view, onSeek }: { readonly view: CountersView; readonly onSeek: (row: number) => void }) {
  return (
    <>
      <p className={`counters-verdict tone-text tone-${view.verdictTone}`}>{view.verdict}</p>
      <CounterTable view={view} />
      {view.omitted === '' ? null : <p className="muted counters-omitted">{view.omitted}</p>}
      {view.readers.length === 0 ? null : (
        <ul className="reader-list" aria-label="Readers in their sections, with their age">
          {view.readers.map((reader) => (
            <ReaderLine key={reader.row} reader={reader} onSeek={onSeek} />
          ))}
          {view.moreReaders === 0 ? null : (
            <li className="muted">and {formatCount(view.moreReaders)} more</li>
          )}
        </ul>
      )}
    </>
  );
}
