import { useState } from 'react';
import { countChanges } from '../../state/configStore.ts';
import { Button } from '../../ui/Button.tsx';
import { SearchField } from '../../ui/SearchField.tsx';
import { ActionButton } from '../header/ActionButton.tsx';
import { useConfig, useSession, useView } from '../session.ts';
import { BootArguments } from './BootArguments.tsx';
import { BootTunables } from './BootTunables.tsx';
import { CostTunables, RequesterTunables } from './CostTunables.tsx';
import { FilterContext } from './filter.ts';
import { Group } from './Group.tsx';
import { MachineTunables } from './MachineTunables.tsx';
import { ParamTunables } from './ParamTunables.tsx';
import { RuleTunables } from './RuleTunables.tsx';
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

/** The left column: everything that decides a run. */
export function TunablesColumn() {
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
            <BootTunables />
          </Group>
          <Group title="SRCU · srcutree.*">
            <ParamTunables />
          </Group>
          <Group title="Single rules" note="what if" isCollapsed>
            <RuleTunables />
          </Group>
          <Group title="Workload">
            <WorkloadTunables />
          </Group>
          <Group title="Requester model & costs">
            <RequesterTunables />
          </Group>
          <Group title="Costs, one by one" isCollapsed>
            <CostTunables />
          </Group>
        </div>
      </FilterContext>
      <BootArguments />
    </section>
  );
}
