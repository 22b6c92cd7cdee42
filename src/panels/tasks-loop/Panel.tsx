import './tasks-loop.css';
import { useState } from 'react';
import { Button } from '../../ui/Button.tsx';
import { Facts } from '../Facts.tsx';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelActions, PanelProps } from '../panelProps.ts';
import { Ladder } from './Ladder.tsx';
import {
  flavorChoices,
  type HoldoutLine,
  TASKS_LOOP_NOTES,
  type TasksLoopView,
  tasksLoopView,
} from './model.ts';

/** The kthread of a flavour of RCU Tasks: its loop, whom it waits for, when it looks again. */
export function TasksLoopPanel({ data, actions, tools }: PanelProps) {
  const [chosen, choose] = useState(0);
  const state = data.state?.tasks;
  const info = data.run?.info;
  const choices = state === undefined ? [] : flavorChoices(state);
  const flavor = state?.flavors.find((one) => one.flavor === chosen) ?? state?.flavors[0];
  return (
    <PanelFrame
      title="RCU Tasks"
      subtitle={
        choices.length > 1 ? (
          <select
            className="panel-select"
            aria-label="Flavour of RCU Tasks"
            value={flavor?.flavor}
            onChange={(event) => choose(Number(event.target.value))}
          >
            {choices.map(({ flavor: id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        ) : (
          <code>{info?.tracks[flavor?.track ?? -1]?.name}</code>
        )
      }
      look="card"
      notes={TASKS_LOOP_NOTES}
      tools={tools}
    >
      {state === undefined || flavor === undefined || info === undefined ? (
        <PanelEmpty>No state yet: the run has not reached the cursor.</PanelEmpty>
      ) : (
        <Loop view={tasksLoopView(flavor, state, info)} onSeek={actions.seekRow} />
      )}
      <Button className="panel-small" aria-haspopup="dialog" onPress={actions.showFlavours}>
        Which flavour am I waiting for?
      </Button>
    </PanelFrame>
  );
}

function Loop({ view, onSeek }: { readonly view: TasksLoopView; readonly onSeek: PanelActions['seekRow'] }) {
  return (
    <>
      <div className="tasks-boxes" role="img" aria-label={view.label}>
        {view.boxes.map(({ number, name, isActive, isRound }) => (
          <span key={number} className={`tasks-box${isActive ? ' active' : ''}${isRound ? ' round' : ''}`}>
            <b>{number}</b> {name}
          </span>
        ))}
      </div>
      <p className="tasks-doing">{view.doing}</p>
      {view.sleep !== undefined && (
        <div className="meter">
          <div className="meter-head">
            <span>{view.sleep.text}</span>
          </div>
          <div className="meter-track" aria-hidden="true">
            <div className="tasks-fill" style={{ inlineSize: `${view.sleep.share * 100}%` }} />
          </div>
        </div>
      )}
      {view.ladder !== undefined && <Ladder view={view.ladder} />}
      <p className="tasks-heading">{view.holdoutsText}</p>
      {view.holdouts.length > 0 && <Holdouts lines={view.holdouts} more={view.more} onSeek={onSeek} />}
      <Facts facts={view.facts} />
    </>
  );
}

interface HoldoutsProps {
  readonly lines: readonly HoldoutLine[];
  readonly more: string;
  readonly onSeek: PanelActions['seekRow'];
}

function Holdouts({ lines, more, onSeek }: HoldoutsProps) {
  return (
    <>
      <ul className="tasks-holdouts" aria-label="Holdouts">
        {lines.map((line) => (
          <li key={line.key} className={`tasks-holdout ${line.state}`}>
            <button
              type="button"
              className="line-button"
              title="Jump to where it was put on the list"
              onClick={() => onSeek(line.row)}
            >
              <code>{line.name}</code>
              <span>
                {line.cpu}
                {line.state === 'off' ? '' : `, ${line.doing}`}
              </span>
              <span className="mono">{line.switches}</span>
              <span className="tasks-release">{line.release}</span>
            </button>
          </li>
        ))}
      </ul>
      {more !== '' && <p className="tasks-doing muted">{more}</p>}
    </>
  );
}
