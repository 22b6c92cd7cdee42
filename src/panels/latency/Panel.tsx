import './latency.css';
import { useState } from 'react';
import { ToggleButton } from '../../ui/Button.tsx';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Select } from '../../ui/Select.tsx';
import { Disclosure } from '../Disclosure.tsx';
import { formatCount, formatDuration, plural } from '../format.ts';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelProps } from '../panelProps.ts';
import { useNotes } from '../useNotes.ts';
import { HistogramChart } from './HistogramChart.tsx';
import { chooseSeries, type LatencyView, latencyView } from './model.ts';
import { LATENCY_NOTES } from './notes.ts';

/** How long the calls took: percentiles and a histogram of the run, or of the stretch that is selected. */
export function LatencyPanel({ data, tools }: PanelProps) {
  const [wanted, setWanted] = useState<string>();
  const [isLinear, setIsLinear] = useState(false);
  const [wantsSelection, setWantsSelection] = useState(true);
  const { run, selection } = data;
  const notes = useNotes(LATENCY_NOTES, run?.info);
  const isSelection = selection !== undefined && wantsSelection;
  const all = isSelection ? selection.series : (run?.series ?? []);
  const chosen = chooseSeries(all, wanted ?? run?.headline.latencyOf);
  const ofWhat = isSelection ? 'the selection' : 'the run';
  return (
    <PanelFrame
      title={chosen === undefined ? 'Latency' : `Latency of ${plural(chosen.stats.n, 'call')}`}
      subtitle={selection === undefined ? undefined : `in ${ofWhat}`}
      look="side"
      notes={notes}
      tools={tools}
    >
      {all.length === 0 && selection === undefined ? null : (
        <div className="latency-tools">
          <SeriesChoice
            names={all.map(({ name }) => name)}
            chosen={chosen?.name ?? ''}
            onChoose={setWanted}
          />
          <ToggleButton className="panel-small" isSelected={isLinear} onChange={setIsLinear}>
            linear bins
          </ToggleButton>
          {selection === undefined ? null : (
            <ToggleButton className="panel-small" isSelected={wantsSelection} onChange={setWantsSelection}>
              selection only
            </ToggleButton>
          )}
        </div>
      )}
      {chosen === undefined ? (
        <PanelEmpty>
          {run === undefined ? 'Nothing has run yet.' : `No update-side call has returned in ${ofWhat}.`}
        </PanelEmpty>
      ) : (
        <Latencies view={latencyView(chosen, isLinear ? 'linear' : 'log2')} ofWhat={ofWhat} />
      )}
    </PanelFrame>
  );
}

interface SeriesChoiceProps {
  readonly names: readonly string[];
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}

/** A list where there is a choice, else the one name. */
function SeriesChoice({ names, chosen, onChoose }: SeriesChoiceProps) {
  if (names.length < 2) return <code>{chosen}</code>;
  const options = names.map((name) => ({ id: name, label: name }));
  return (
    <Select label="Series" value={chosen} groups={[{ title: '', options }]} onChange={onChoose} isMono />
  );
}

function BarTable({ view }: { readonly view: LatencyView }) {
  return (
    <table className="latency-table">
      <caption className="ui-visually-hidden">Histogram of {view.name}</caption>
      <thead>
        <tr>
          <th scope="col">from</th>
          <th scope="col">to below</th>
          <th scope="col">calls</th>
          {view.tellsSleep && <th scope="col">slept</th>}
        </tr>
      </thead>
      <tbody>
        {view.bars.map((bar) => (
          <tr key={bar.loNs}>
            <td>{formatDuration(bar.loNs)}</td>
            <td>{formatDuration(bar.hiNs)}</td>
            <td>{formatCount(bar.count)}</td>
            {view.tellsSleep && <td>{formatCount(bar.slept)}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Latencies({ view, ofWhat }: { readonly view: LatencyView; readonly ofWhat: string }) {
  return (
    <>
      <dl className="latency-figures">
        {view.statistics.map(({ name, text }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <HistogramChart
        view={view}
        label={`Histogram of ${view.name} in ${ofWhat}: ${view.statistics.map(({ name, text }) => `${name} ${text}`).join(', ')}`}
      />
      {view.tellsSleep && (
        <p className="latency-key">
          <span className="swatch tone-gp" aria-hidden="true" /> never slept{' '}
          <span className="swatch tone-sleep" aria-hidden="true" /> slept at least a jiffy
        </p>
      )}
      <Disclosure className="latency-details" summary="Table and text">
        {() => (
          <>
            <BarTable view={view} />
            <div className="latency-text">
              <CopyButton text={view.text} label="Copy the histogram in funclatency's format">
                Copy as funclatency
              </CopyButton>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
              <pre tabIndex={0}>{view.text}</pre>
            </div>
          </>
        )}
      </Disclosure>
    </>
  );
}
