import './srcu-phases.css';
import { rowOf } from '../../analysis/rowWindow.ts';
import { DomainPicker, domainState } from '../DomainPicker.tsx';
import { Meter } from '../Meter.tsx';
import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelProps } from '../panelProps.ts';
import { PHASES_NOTES, phasesView } from './model.ts';
import { StateMachine } from './StateMachine.tsx';

/** Where the grace period stands, how much polling it has left, and what its worker does. */
export function SrcuPhasesPanel({ data, actions, tools }: PanelProps) {
  const state = domainState(data);
  const info = data.run?.info;
  return (
    <PanelFrame
      title="SRCU phases"
      subtitle={<DomainPicker data={data} actions={actions} />}
      look="card"
      notes={PHASES_NOTES}
      tools={tools}
    >
      {state === undefined || info === undefined ? (
        <PanelEmpty>No state yet: the run has not reached the cursor.</PanelEmpty>
      ) : (
        <Phases view={phasesView(state, info, cursorKind(data))} />
      )}
    </PanelFrame>
  );
}

/** Kind of the row that the cursor stands on; -1 if it is not there. */
function cursorKind({ rows, cursor }: PanelProps['data']): number {
  if (rows === undefined || cursor === undefined) return -1;
  return rowOf(rows, cursor.row)?.kind ?? -1;
}

function Phases({ view }: { readonly view: ReturnType<typeof phasesView> }) {
  return (
    <div className="phases">
      <div>
        <StateMachine states={view.states} label={view.label} />
        <p className={`phase-worker tone-${view.worker.tone}`}>
          <code>process_srcu</code> <b>{view.worker.state}</b>, {view.worker.text}
        </p>
        {view.meters.map((meter) => (
          <Meter key={meter.name} meter={meter} />
        ))}
      </div>
      <dl className="phase-facts">
        {view.facts.map(({ name, text }) => (
          <div className="phase-fact" key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
