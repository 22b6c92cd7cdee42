import { Facts } from '../Facts.tsx';
import { plural } from '../format.ts';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelActions, PanelProps } from '../panelProps.ts';
import { SR_NORMAL_NOTES, type SrNormalView, srNormalView } from './model.ts';

/** Who waits for the kthread itself, and how the list is cut. */
export function SrNormalPanel({ data, actions, tools }: PanelProps) {
  const state = data.state?.rcu;
  const info = data.run?.info;
  return (
    <PanelFrame
      title="sr_normal list"
      subtitle="woken by the kthread"
      look="card"
      notes={SR_NORMAL_NOTES}
      tools={tools}
    >
      {state === undefined || info === undefined ? (
        <PanelEmpty>No state yet: the run has not reached the cursor.</PanelEmpty>
      ) : (
        <List view={srNormalView(state, info)} onSeek={actions.seekRow} />
      )}
    </PanelFrame>
  );
}

interface ListProps {
  readonly view: SrNormalView;
  readonly onSeek: PanelActions['seekRow'];
}

function List({ view, onSeek }: ListProps) {
  return (
    <>
      <p className={`fact-lead ${view.isEnabled ? '' : 'muted'}`}>{view.lead}</p>
      <Facts facts={view.facts} />
      <ul className="fact-list">
        {view.callers.map(({ key, row, text, age }) => (
          <li key={key}>
            <button type="button" className="line-button" onClick={() => onSeek(row)}>
              <span>{text}</span>
              <span className="line-value muted">{age}</span>
            </button>
          </li>
        ))}
      </ul>
      {view.more > 0 && <p className="muted fact-more">and {plural(view.more, 'more caller')}</p>}
    </>
  );
}
