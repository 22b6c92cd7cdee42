/** All panels, in the order in which they stand. */
import type { FunctionComponent } from 'react';
import { CallbacksPanel } from './callbacks/Panel.tsx';
import { HeadlinePanel } from './headline/Panel.tsx';
import { LatencyPanel } from './latency/Panel.tsx';
import { NarratedLogPanel } from './narrated-log/Panel.tsx';
import type { PanelData, PanelProps } from './panelProps.ts';
import { ReaderCountersPanel } from './reader-counters/Panel.tsx';
import { ScenarioNotePanel } from './scenario-note/Panel.tsx';
import { SrcuPhasesPanel } from './srcu-phases/Panel.tsx';
import { WhyPanel } from './why/Panel.tsx';

export type PanelRegion = 'headline' | 'mechanism' | 'side';

/** A panel as the host needs to know it. */
export interface PanelEntry {
  /** Name in the link (`panel`); never changes. */
  readonly id: string;
  readonly title: string;
  readonly region: PanelRegion;
  /** What of PanelData it draws: it is rendered again when one of these changes, and only then. */
  readonly needs: readonly (keyof PanelData)[];
  readonly Component: FunctionComponent<PanelProps>;
}

/** What each panel at the cursor reads. */
const AT_CURSOR = ['run', 'state', 'domain'] as const;

export const PANELS: readonly PanelEntry[] = [
  {
    id: 'headline',
    title: 'Headline figures',
    region: 'headline',
    needs: ['run', 'scenario'],
    Component: HeadlinePanel,
  },
  {
    id: 'srcu-phases',
    title: 'SRCU phases',
    region: 'mechanism',
    needs: [...AT_CURSOR, 'rows', 'cursor'],
    Component: SrcuPhasesPanel,
  },
  {
    id: 'reader-counters',
    title: 'Reader counters',
    region: 'mechanism',
    needs: AT_CURSOR,
    Component: ReaderCountersPanel,
  },
  { id: 'callbacks', title: 'Callbacks', region: 'mechanism', needs: AT_CURSOR, Component: CallbacksPanel },
  {
    id: 'narrated-log',
    title: 'Narrated log',
    region: 'mechanism',
    needs: ['run', 'rows', 'cursor', 'isStepped'],
    Component: NarratedLogPanel,
  },
  {
    id: 'why',
    title: 'Why did it take so long?',
    region: 'side',
    needs: ['run', 'why', 'slowest'],
    Component: WhyPanel,
  },
  { id: 'latency', title: 'Latency', region: 'side', needs: ['run', 'selection'], Component: LatencyPanel },
  {
    id: 'scenario-note',
    title: 'Scenario',
    region: 'side',
    needs: ['run', 'scenario'],
    Component: ScenarioNotePanel,
  },
];
