import './rcu-callbacks.css';
import { useState } from 'react';
import { formatCount, plural } from '../format.ts';
import type { PanelActions, PanelProps } from '../panelProps.ts';
import { RcuCard } from '../RcuCard.tsx';
import {
  type ListView,
  RCU_CALLBACKS_NOTES,
  type RcuCallbacksView,
  rcuCallbacksView,
  type Shown,
} from './model.ts';

/** Which callbacks wait for which grace period, and who waits for them. */
export function RcuCallbacksPanel({ data, actions, tools }: PanelProps) {
  const [shown, setShown] = useState<Shown>('first');
  return (
    <RcuCard
      title="Callback lists"
      subtitle="segments and their grace periods"
      notes={RCU_CALLBACKS_NOTES}
      data={data}
      tools={tools}
    >
      {(state, info) => (
        <Lists
          view={rcuCallbacksView(state, info, shown)}
          shown={shown}
          onShow={setShown}
          onSeek={actions.seekRow}
        />
      )}
    </RcuCard>
  );
}

interface ListsProps {
  readonly view: RcuCallbacksView;
  readonly shown: Shown;
  readonly onShow: (shown: Shown) => void;
  readonly onSeek: PanelActions['seekRow'];
}

function Lists({ view, shown, onShow, onSeek }: ListsProps) {
  return (
    <>
      <p className="rcb-summary">
        {view.summary}
        {view.choices.length > 0 && <Choice choices={view.choices} shown={shown} onShow={onShow} />}
      </p>
      {view.lists.map((list) => (
        <List key={list.cpu} list={list} onSeek={onSeek} />
      ))}
      {view.lists.length === 0 && typeof shown === 'number' && (
        <p className="muted rcb-more">CPU {shown} has no callbacks.</p>
      )}
      {view.moreLists > 0 && <p className="muted rcb-more">and {plural(view.moreLists, 'more CPU')}</p>}
      <ul className="rcb-waiters">
        {view.waiters.map(({ key, row, text, age }) => (
          <li key={key}>
            <button type="button" className="line-button" onClick={() => onSeek(row)}>
              <span>{text}</span>
              <span className="line-value muted">{age}</span>
            </button>
          </li>
        ))}
      </ul>
      {view.moreWaiters > 0 && (
        <p className="muted rcb-more">and {plural(view.moreWaiters, 'more caller')}</p>
      )}
    </>
  );
}

interface ChoiceProps extends Pick<ListsProps, 'shown' | 'onShow'> {
  readonly choices: RcuCallbacksView['choices'];
}

function Choice({ choices, shown, onShow }: ChoiceProps) {
  return (
    <select
      className="panel-select"
      aria-label="CPUs whose callbacks are shown"
      value={shown}
      onChange={({ target }) => {
        const chosen = choices[target.selectedIndex];
        if (chosen !== undefined) onShow(chosen.shown);
      }}
    >
      {choices.map((choice) => (
        <option key={choice.shown} value={choice.shown}>
          {choice.name}
        </option>
      ))}
    </select>
  );
}

function List({ list, onSeek }: { readonly list: ListView; readonly onSeek: PanelActions['seekRow'] }) {
  return (
    <div className="rcb-list">
      <button type="button" className="line-button" onClick={() => onSeek(list.row)}>
        <b>{list.title}</b>
        <span className="line-value muted">{formatCount(list.total)}</span>
      </button>
      <div className="rcb-bar" aria-hidden="true">
        {list.segments.map(({ id, count }) => (
          <span key={id} className={`rcb-segment rcb-${id}`} style={{ flexGrow: count }}>
            {formatCount(count)}
          </span>
        ))}
      </div>
      <ul className="rcb-texts">
        {list.segments.map(({ id, name, count, text }) => (
          <li key={id}>
            <span className={`rcb-key rcb-${id}`} aria-hidden="true" />
            <code>{name}</code> {formatCount(count)}: <span className="muted">{text}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
