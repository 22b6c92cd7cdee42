import { useState } from 'react';
import { Group, Panel } from 'react-resizable-panels';
import { PANELS } from '../../panels/registry.ts';
import { Tabs } from '../../ui/Tabs.tsx';
import { useView } from '../session.ts';
import { TimelineHost } from '../timeline/TimelineHost.tsx';
import { TunablesColumn } from '../tunables/TunablesColumn.tsx';
import { useMediaQuery } from '../useMediaQuery.ts';
import { MEDIUM, WIDE } from './breakpoints.ts';
import { Centre, Headline, useShownPanels } from './Centre.tsx';
import { Divider } from './Divider.tsx';
import { Later } from './Later.tsx';
import { PanelHost } from './PanelHost.tsx';
import { ScenarioStrip } from './ScenarioStrip.tsx';
import { Side } from './Side.tsx';

/** Three columns. */
function WideBody() {
  return (
    <Group orientation="horizontal" id="columns" className="body-columns">
      <Panel id="tunables" defaultSize="18.75rem" minSize="14rem" maxSize="34rem" className="body-column">
        <Later>
          <TunablesColumn />
        </Later>
      </Panel>
      <Divider label="Width of the tunables" />
      <Panel id="main" minSize="30rem" className="body-column">
        <Centre />
      </Panel>
      <Divider label="Width of the explanations" />
      <Panel id="side" defaultSize="20.5rem" minSize="14rem" maxSize="40rem" className="body-column">
        <Later>
          <Side />
        </Later>
      </Panel>
    </Group>
  );
}

/** Two columns, tunables and explanations in turn in the left one. */
function MediumBody() {
  const [tab, setTab] = useState('tunables');
  return (
    <Group orientation="horizontal" id="columns-two" className="body-columns">
      <Panel id="left" defaultSize="17.5rem" minSize="13rem" maxSize="30rem" className="body-column">
        <Later>
          <Tabs
            label="Left column"
            selected={tab}
            onSelect={setTab}
            tabs={[
              { id: 'tunables', title: 'Tunables', content: <TunablesColumn /> },
              { id: 'side', title: 'Why, latency', content: <Side /> },
            ]}
          />
        </Later>
      </Panel>
      <Divider label="Width of the left column" />
      <Panel id="main" minSize="24rem" className="body-column">
        <Centre />
      </Panel>
    </Group>
  );
}

/** The mechanism panels one below the other. */
function MechanismStack() {
  const panels = useShownPanels('mechanism');
  return (
    <div className="mechanism-stack">
      {panels.map((panel) => (
        <PanelHost key={panel.id} panel={panel} />
      ))}
    </div>
  );
}

/** One column: a tab each. */
function NarrowBody() {
  const [tab, setTab] = useState('timeline');
  const timeline = (
    <div className="narrow-main">
      <ScenarioStrip />
      <div className="narrow-timeline">
        <TimelineHost />
      </div>
      <Headline />
    </div>
  );
  return (
    <div className="body-narrow">
      <Tabs
        label="Parts of the page"
        selected={tab}
        onSelect={setTab}
        tabs={[
          { id: 'timeline', title: 'Timeline', content: timeline },
          { id: 'side', title: 'Why', content: <Side /> },
          { id: 'mechanism', title: 'Panels', content: <MechanismStack /> },
          { id: 'tunables', title: 'Tunables', content: <TunablesColumn /> },
        ]}
      />
    </div>
  );
}

/** A panel that fills the window. */
function FullBody({ id }: { readonly id: string }) {
  const panel = PANELS.find((entry) => entry.id === id);
  return (
    <div className="body-full">{panel === undefined ? <TimelineHost /> : <PanelHost panel={panel} />}</div>
  );
}

/** Everything below the header, in the layout that fits the window. */
export function Body() {
  const isWide = useMediaQuery(WIDE);
  const isMedium = useMediaQuery(MEDIUM);
  // A link may name a panel that does not exist (any more): then nothing is full.
  const full = useView(({ fullPanel }) =>
    fullPanel === 'timeline' || PANELS.some(({ id }) => id === fullPanel) ? fullPanel : undefined,
  );
  const fitting = isWide ? <WideBody /> : isMedium ? <MediumBody /> : <NarrowBody />;
  return <main className="body">{full === undefined ? fitting : <FullBody id={full} />}</main>;
}
