import { formatCount } from '../format.ts';
import { HistogramChart } from '../latency/HistogramChart.tsx';
import { PanelEmpty } from '../PanelFrame.tsx';
import type { RecordsView } from './records.ts';

/** How many records the blocks of the run held when they were freed. */
export function Records({ view }: { readonly view: RecordsView | undefined }) {
  if (view === undefined) return <PanelEmpty>No block has been freed in this run.</PanelEmpty>;
  const edge = (records: number) => (records > view.records ? '' : formatCount(records));
  return (
    <div className="kfb-records">
      <dl className="kfb-figures">
        {view.figures.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <HistogramChart view={{ bars: view.bars, marks: [] }} label={view.label} edge={edge} />
      <p className="muted kfb-note">
        Blocks of the whole run by the records in them at their free (<code>nr_records</code> of{' '}
        <code>rcu_invoke_kfree_bulk_callback</code>); the last bar has the full ones.
      </p>
    </div>
  );
}
