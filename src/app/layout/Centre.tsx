import { Group, Panel } from 'react-resizable-panels';
import { PANELS, type PanelRegion } from '../../panels/registry.ts';
import { useView } from '../session.ts';
import { TimelineHost } from '../timeline/TimelineHost.tsx';
import { useMechanisms } from '../tunables/mechanisms.ts';
import { Divider } from './Divider.tsx';
import { PanelHost } from './PanelHost.tsx';
import { ScenarioStrip } from './ScenarioStrip.tsx';

/** The panels of a region that are not hidden. */
export function useShownPanels(region: PanelRegion) {
  const hidden = useView((view) => view.hiddenPanels);
  const mechanisms = useMechanisms();
  return PANELS.filter(
    ({ id, region: own, mechanism }) =>
      own === region && !hidden.includes(id) && (mechanism === undefined || mechanisms[mechanism]),
  );
}

/** The headline figures. */
export function Headline() {
  return useShownPanels('headline').map((panel) => <PanelHost key={panel.id} panel={panel} />);
}

/** Percent of the row for each panel while these three are shown: sentences need more room than counters. */
const MECHANISM_SHARES: readonly Readonly<Record<string, number>>[] = [
  { 'srcu-phases': 30, 'reader-counters': 32, 'narrated-log': 38 },
  { 'rcu-tree': 33, 'gp-kthread': 29, 'narrated-log': 38 },
  { 'gp-kthread': 26, 'kfree-batches': 42, 'narrated-log': 32 },
  { 'gp-kthread': 22, 'tasks-loop': 46, 'narrated-log': 32 },
];

/** The mechanism panels side by side, each as wide as one likes. */
function MechanismRow() {
  const panels = useShownPanels('mechanism');
  const ids = panels.map(({ id }) => id).join();
  const shares = MECHANISM_SHARES.find((usual) => Object.keys(usual).join() === ids) ?? {};
  return (
    <Group orientation="horizontal" id="mechanism" className="mechanism-row">
      {panels.flatMap((panel, i) => [
        ...(i === 0 ? [] : [<Divider key={`${panel.id}-divider`} label={`Width of ${panel.title}`} />]),
        <Panel
          key={panel.id}
          id={panel.id}
          minSize="9rem"
          {...(shares[panel.id] === undefined ? {} : { defaultSize: `${shares[panel.id]}%` })}
          className="mechanism-cell"
        >
          <PanelHost panel={panel} />
        </Panel>,
      ])}
    </Group>
  );
}

/** Headline figures, timeline, mechanism panels, from top to bottom. */
export function Centre() {
  const hasMechanisms = useShownPanels('mechanism').length > 0;
  return (
    <div className="centre">
      <Headline />
      <ScenarioStrip />
      <Group orientation="vertical" id="centre" className="centre-group">
        <Panel id="timeline" minSize="12rem" defaultSize="59%" className="centre-cell">
          <TimelineHost />
        </Panel>
        {hasMechanisms && <Divider label="Height of the timeline" />}
        {hasMechanisms && (
          <Panel id="mechanism-panels" minSize="8rem" className="centre-cell">
            <MechanismRow />
          </Panel>
        )}
      </Group>
    </div>
  );
}
