import './callbacks.css';
import { DomainPicker, domainState } from '../DomainPicker.tsx';
import { formatCount, plural } from '../format.ts';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelActions, PanelProps } from '../panelProps.ts';
import { CALLBACKS_NOTES, type CallbackGroup, type CallbacksView, callbacksView } from './model.ts';

/** Pending callbacks per CPU, each with the srcu_gp_seq it waits for. */
export function CallbacksPanel({ data, actions, tools }: PanelProps) {
  const state = domainState(data);
  return (
    <PanelFrame
      title="Callbacks"
      subtitle={<DomainPicker data={data} actions={actions} />}
      look="card"
      notes={CALLBACKS_NOTES}
      tools={tools}
    >
      {state === undefined ? (
        <PanelEmpty>No callbacks yet: the run has not reached the cursor.</PanelEmpty>
      ) : (
        <Lists view={callbacksView(state)} gpSeq={state.gpSeq} onSeek={actions.seekRow} />
      )}
    </PanelFrame>
  );
}

interface ListsProps {
  readonly view: CallbacksView;
  readonly gpSeq: number;
  readonly onSeek: PanelActions['seekRow'];
}

function Lists({ view, gpSeq, onSeek }: ListsProps) {
  return (
    <>
      <p className="callbacks-head">
        <b>{view.summary}</b>
        <span className="muted">
          <code>srcu_gp_seq</code> {formatCount(gpSeq)}; one is ready once it reaches its target
        </span>
        <span className="muted">{view.sizeText}</span>
      </p>
      {view.total === 0 ? (
        <PanelEmpty>No callback waits at the cursor.</PanelEmpty>
      ) : (
        <div>
          {view.lists.map(({ cpu, count, groups }) => (
            <div key={cpu}>
              <h3 className="callbacks-cpu">
                CPU {cpu} <span className="muted">{plural(count, 'callback')}</span>
              </h3>
              <ol className="callbacks-list">
                {groups.map((group) => (
                  <GroupLine key={group.row} group={group} onSeek={onSeek} />
                ))}
              </ol>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

function GroupLine({
  group,
  onSeek,
}: {
  readonly group: CallbackGroup;
  readonly onSeek: PanelActions['seekRow'];
}) {
  return (
    <li>
      <button type="button" className="line-button" onClick={() => onSeek(group.row)}>
        <span className={`diamond tone-${group.isReady ? 'gp' : 'callback'}`} aria-hidden="true">
          {group.isReady ? '◆' : '◇'}
        </span>
        <span>
          {group.count === 1 ? '' : `${formatCount(group.count)} × `}
          {group.purpose}, target {formatCount(group.target)} <span className="muted">{group.text}</span>
        </span>
        <span className="line-value muted">{group.ageText}</span>
      </button>
    </li>
  );
}
