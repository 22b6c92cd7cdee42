import './gp-kthread.css';
import { Facts } from '../Facts.tsx';
import type { PanelProps } from '../panelProps.ts';
import { RcuCard } from '../RcuCard.tsx';
import { KTHREAD_NOTES, type KthreadView, kthreadView } from './model.ts';

/** What the grace-period kthread does, and how long it will still wait. */
export function GpKthreadPanel({ data, tools }: PanelProps) {
  const track = data.state?.rcu?.kthread.track ?? -1;
  return (
    <RcuCard
      title="GP kthread"
      subtitle={<code>{data.run?.info.tracks[track]?.name}</code>}
      notes={KTHREAD_NOTES}
      data={data}
      tools={tools}
    >
      {(state) => <Kthread view={kthreadView(state)} />}
    </RcuCard>
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
