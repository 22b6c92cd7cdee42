import { Select } from '../../ui/Select.tsx';
import { useConfig, useSession, useView } from '../session.ts';
import { fullScenarioName, useScenario, useScenarioGroups } from '../useScenarios.ts';

/** Which scenario, variants included. */
export function ScenarioSelect() {
  const { config } = useSession();
  const name = useConfig((state) => fullScenarioName(state.scenario));
  const isChanged = useConfig((state) => Object.keys(state.overrides).length > 0);
  const isLocked = useView((view) => view.isLocked);
  const chosen = useScenario();
  const groups = useScenarioGroups();
  const title =
    chosen === undefined ? 'A run of its own' : `${chosen.scenario.title}: ${chosen.variant.title}`;
  return (
    <Select
      label="Scenario"
      value={name}
      groups={groups}
      shown={`${title}${isChanged ? ' · changed' : ''}`}
      onChange={(id) => config.choose({ scenario: id, overrides: {} })}
      isDisabled={isLocked}
      className="app-scenario-select"
    />
  );
}
