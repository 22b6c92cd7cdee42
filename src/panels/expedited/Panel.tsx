import { Facts } from '../Facts.tsx';
import type { PanelProps } from '../panelProps.ts';
import { RcuCard } from '../RcuCard.tsx';
import { EXPEDITED_NOTES, type ExpeditedView, expeditedView } from './model.ts';

/** Who has been interrupted for an expedited grace period, and who is still waited for. */
export function ExpeditedPanel({ data, tools }: PanelProps) {
  return (
    <RcuCard title="Expedited" subtitle="IPIs and answers" notes={EXPEDITED_NOTES} data={data} tools={tools}>
      {(state) => <Expedited view={expeditedView(state)} />}
    </RcuCard>
  );
}

function Expedited({ view }: { readonly view: ExpeditedView }) {
  return (
    <>
      <p className={`fact-lead ${view.isRunning ? 'tone-ipi tone-text' : 'muted'}`}>{view.phase}</p>
      <Facts facts={view.facts} />
      <ul className="fact-list">
        {view.cpus.map(({ cpu, isDone, text }) => (
          <li key={cpu} className={isDone ? 'muted' : ''}>
            {isDone ? '✓' : '…'} CPU {cpu}: {text}
          </li>
        ))}
      </ul>
      {view.more !== '' && <p className="muted fact-more">{view.more}</p>}
    </>
  );
}
