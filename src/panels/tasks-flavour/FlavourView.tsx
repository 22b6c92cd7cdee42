import './tasks-flavour.css';
import { useState } from 'react';
import type { SeriesSummary } from '../../analysis/types.ts';
import { callGroups, type FlavourSetting, flavourView } from './model.ts';

interface FlavourViewProps {
  /** The call shown at first. */
  readonly api: string;
  readonly setting: FlavourSetting;
  readonly series: readonly SeriesSummary[];
}

function Params({ title, names }: { readonly title: string; readonly names: readonly string[] }) {
  return (
    <section>
      <h3>{title}</h3>
      <ul className="flavour-params">
        {names.length === 0 ? (
          <li>no parameter</li>
        ) : (
          names.map((name) => (
            <li key={name}>
              <code>{name}</code>
            </li>
          ))
        )}
      </ul>
    </section>
  );
}

/** Choose a call: who serves it, and which parameters touch it. */
export function FlavourView({ api: first, setting, series }: FlavourViewProps) {
  const [api, choose] = useState(first);
  const view = flavourView(api, setting, series);
  return (
    <div className="flavour">
      <label className="flavour-call">
        <span>The call that waits</span>
        <select className="panel-select" value={api} onChange={(event) => choose(event.target.value)}>
          {callGroups().map(({ title, options }) => (
            <optgroup key={title} label={title}>
              {options.map(({ id, label }) => (
                <option key={id} value={id}>
                  {label}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      {view === undefined ? null : (
        <div aria-live="polite">
          <p className="flavour-lead">
            Served by <b>{view.mechanism}</b>. {view.note}
          </p>
          <p>
            {view.expedited} {view.here} {view.measured}
          </p>
          <div className="flavour-lists">
            <Params title="Changes how long it takes" names={view.touchedBy} />
            {view.innerOnly.length === 0 ? null : (
              <Params title="Changes only the grace periods inside it" names={view.innerOnly} />
            )}
            <Params title="Changes nothing here" names={view.untouched} />
            {view.absent.length === 0 ? null : (
              <Params title={`Not in ${setting.kernel}`} names={view.absent} />
            )}
          </div>
        </div>
      )}
    </div>
  );
}
