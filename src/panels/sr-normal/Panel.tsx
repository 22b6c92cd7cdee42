import { Facts } from '../Facts.tsx';
import { plural } from '../format.ts';
import type { PanelActions, PanelProps } from '../panelProps.ts';
import { RcuCard } from '../RcuCard.tsx';
import { SR_NORMAL_NOTES, type SrNormalView, srNormalView } from './model.ts';

/** Who waits for the kthread itself, and how the list is cut. */
export function SrNormalPanel({ data, actions, tools }: PanelProps) {
  return (
    <RcuCard
      title="sr_normal list"
      subtitle="woken by the kthread"
      notes={SR_NORMAL_NOTES}
      data={data}
      tools={tools}
    >
      {(state, info) => <List view={srNormalView(state, info)} onSeek={actions.seekRow} />}
    </RcuCard>
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
