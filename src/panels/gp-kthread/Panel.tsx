import './gp-kthread.css';
import { Facts } from '../Facts.tsx';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelProps } from '../panelProps.ts';
import { KTHREAD_NOTES, type KthreadView, kthreadView } from './model.ts';

/** What the grace-period kthread does, and how long it will still wait. */
export function GpKthreadPanel({ data, tools }: PanelProps) {
  const state = data.state?.rcu;
  const name = state === undefined ? undefined : data.run?.info.tracks[state.kthread.track]?.name;
  return (
    <PanelFrame
      title="GP kthread"
      subtitle={<code>{name}</code>}
      look="card"
      notes={KTHREAD_NOTES}
      tools={tools}
    >
      {state === undefined ? (
        <PanelEmpty>No state yet: the run has not reached the cursor.</PanelEmpty>
      ) : (
        <Kthread view={kthreadView(state)} />
      )}
    </PanelFrame>
  );
}

function Kthread({ view }: { readonly view: KthreadView }) {
  return (
    <>
      <div className="kthread-boxes" role="img" aria-label={view.label}>
        {view.boxes.map(({ name, isActive }) => (
          <span key={name} className={isActive ? 'kthread-box active' : 'kthread-box'}>
            {name}
          </span>
        ))}
      </div>
      <p className="kthread-doing">{view.doing}</p>
      {view.waited !== undefined && (
        <div className="meter">
          <div className="meter-head">
            <span>{view.waitText}</span>
          </div>
          <div className="meter-track" aria-hidden="true">
            <div className="kthread-fill" style={{ inlineSize: `${view.waited * 100}%` }} />
          </div>
        </div>
      )}
      <Facts facts={view.facts} />
    </>
  );
}
