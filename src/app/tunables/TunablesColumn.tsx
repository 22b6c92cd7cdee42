import { useState } from 'react';
import { countChanges } from '../../state/configStore.ts';
import { Button } from '../../ui/Button.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { ActionButton } from '../header/ActionButton.tsx';
import { useConfig, useSession, useView } from '../session.ts';
import { BootArguments } from './BootArguments.tsx';
import { BootTunables, OffloadTunables } from './BootTunables.tsx';
import { CostTunables, KvfreeCostTunables, RequesterTunables } from './CostTunables.tsx';
import { DrainDelayLine } from './DrainDelay.tsx';
import { FilterContext } from './filter.ts';
import { Group } from './Group.tsx';
import { InitialTunables } from './InitialTunables.tsx';
import { KconfigTunables } from './KconfigTunables.tsx';
import { MachineTunables } from './MachineTunables.tsx';
import { useAreOfSrcu, useMechanisms } from './mechanisms.ts';
import { ParamTunables, SRCU_PARAM_NAMES } from './ParamTunables.tsx';
import { CALLBACK_PARAMS, EXPERT_PARAMS, GRACE_PERIOD_PARAMS, KVFREE_PARAM_NAMES } from './paramGroups.ts';
import { RuleTunables } from './RuleTunables.tsx';
import { TasksTunables } from './TasksTunables.tsx';
import { WorkloadTunables } from './WorkloadTunables.tsx';

function Toolbar() {
  const changes = useConfig((state) => countChanges(state.overrides));
  return (
    <div className="tunables-toolbar">
      <span className="tunables-changes" role="status">
        {changes === 0 ? 'as the scenario has it' : `${changes} changed`}
      </span>
      <ActionButton id="undo" icon="undo" look="plain" />
      <ActionButton id="redo" icon="redo" look="plain" />
      <ActionButton id="resetAll" icon="reset" look="plain" />
    </div>
  );
}

function LockNote() {
  const { view } = useSession();
  const isLocked = useView((state) => state.isLocked);
  if (!isLocked) return null;
  return (
    <div className="tunables-lock">
      <p>This link has locked the controls.</p>
      <Button onPress={() => view.setState({ isLocked: false })}>Unlock</Button>
    </div>
  );
}

/** What decides a run of Tree RCU. */
function RcuGroups() {
  return (
    <>
      <Group title="RCU · grace periods">
        <ParamTunables names={GRACE_PERIOD_PARAMS} />
      </Group>
      <Group title="RCU · callbacks">
        <OffloadTunables />
        <ParamTunables names={CALLBACK_PARAMS} />
      </Group>
      <Group title="RCU · expert" isCollapsed>
        <ParamTunables names={EXPERT_PARAMS} />
      </Group>
    </>
  );
}

/** The left column: everything that decides a run. */
export function TunablesColumn() {
  const of = useMechanisms();
  const isOfSrcu = useAreOfSrcu();
  const [filter, setFilter] = useState('');
  return (
    <section className="tunables" aria-label="Tunables">
      <LockNote />
      <Toolbar />
      <SearchField label="Filter tunables" value={filter} onChange={setFilter} />
      <FilterContext value={filter.trim().toLowerCase()}>
        <div className="tunables-groups" data-filtered={filter !== '' || undefined}>
          <Group title="Machine">
            <MachineTunables />
            <BootTunables hasOffloading={of.rcu} />
          </Group>
          {of.rcu && <RcuGroups />}
          {of.kvfree && (
            <Group title="RCU · kvfree_rcu()">
              <DrainDelayLine />
              <ParamTunables names={KVFREE_PARAM_NAMES} />
              <KvfreeCostTunables />
            </Group>
          )}
          {of.tasks && (
            <Group title="RCU Tasks">
              <TasksTunables />
            </Group>
          )}
          {of.srcu && (
            <Group title="SRCU · srcutree.*">
              <ParamTunables names={SRCU_PARAM_NAMES} />
            </Group>
          )}
          <Group title="Build options" isCollapsed>
            <KconfigTunables />
          </Group>
          <Group title="Single rules" note="what if" isCollapsed>
            <RuleTunables of={of} />
          </Group>
          <Group title="Workload">
            <WorkloadTunables />
          </Group>
          {of.rcu && (
            <Group title="State at t = 0" isCollapsed>
              <InitialTunables />
            </Group>
          )}
          <Group title={isOfSrcu ? 'Requester model & costs' : 'Costs'}>
            <RequesterTunables of={of} />
          </Group>
          <Group title="Costs, one by one" isCollapsed>
            <CostTunables of={of} />
          </Group>
        </div>
      </FilterContext>
      <BootArguments />
    </section>
  );
}
