import { Facts } from '../Facts.tsx';
import { plural } from '../format.ts';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelProps } from '../panelProps.ts';
import { EXPEDITED_NOTES, type ExpeditedView, expeditedView } from './model.ts';

/** Who has been interrupted for an expedited grace period, and who is still waited for. */
export function ExpeditedPanel({ data, tools }: PanelProps) {
  const state = data.state?.rcu;
  return (
    <PanelFrame
      title="Expedited"
      subtitle="IPIs and answers"
      look="card"
      notes={EXPEDITED_NOTES}
      tools={tools}
    >
      {state === undefined ? (
        <PanelEmpty>No state yet: the run has not reached the cursor.</PanelEmpty>
      ) : (
        <Expedited view={expeditedView(state)} />
      )}
    </PanelFrame>
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
      {view.moreCpus > 0 && <p className="muted fact-more">and {plural(view.moreCpus, 'more CPU')}</p>}
    </>
  );
}
