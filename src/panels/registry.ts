/** All panels, in the order in which they stand. */
import type { FunctionComponent } from 'react';
import { CallbacksPanel } from './callbacks/Panel.tsx';
import { ExpeditedPanel } from './expedited/Panel.tsx';
import { GpKthreadPanel } from './gp-kthread/Panel.tsx';
import { GpNumberPanel } from './gp-number/Panel.tsx';
import { HeadlinePanel } from './headline/Panel.tsx';
import { KfreeBatchesPanel } from './kfree-batches/Panel.tsx';
import { LatencyPanel } from './latency/Panel.tsx';
import { NarratedLogPanel } from './narrated-log/Panel.tsx';
import type { PanelId } from './panelIds.ts';
import type { PanelData, PanelProps } from './panelProps.ts';
import { RcuCallbacksPanel } from './rcu-callbacks/Panel.tsx';
import { RcuTreePanel } from './rcu-tree/Panel.tsx';
import { ReaderCountersPanel } from './reader-counters/Panel.tsx';
import { ScenarioNotePanel } from './scenario-note/Panel.tsx';
import { SrNormalPanel } from './sr-normal/Panel.tsx';
import { SrcuPhasesPanel } from './srcu-phases/Panel.tsx';
import { TasksLoopPanel } from './tasks-loop/Panel.tsx';
import { WhyPanel } from './why/Panel.tsx';

export type PanelRegion = 'headline' | 'mechanism' | 'side';

/** A panel as the host needs to know it. */
export interface PanelEntry {
  /** Name in the link (`panel`); never changes. */
  readonly id: PanelId;
  readonly title: string;
  readonly region: PanelRegion;
  /** Shown only where actors use this mechanism; undefined: always. */
  readonly mechanism?: 'srcu' | 'rcu' | 'kvfree' | 'tasks';
  /** What of PanelData it draws: it is rendered again when one of these changes, and only then. */
  readonly needs: readonly (keyof PanelData)[];
  readonly Component: FunctionComponent<PanelProps>;
}

/** What each panel at the cursor reads. */
const AT_CURSOR = ['run', 'state', 'domain'] as const;

const RCU_AT_CURSOR = ['run', 'state'] as const;

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
    mechanism: 'srcu',
    needs: [...AT_CURSOR, 'rows', 'cursor'],
    Component: SrcuPhasesPanel,
  },
  {
    id: 'reader-counters',
    title: 'Reader counters',
    region: 'mechanism',
    mechanism: 'srcu',
    needs: AT_CURSOR,
    Component: ReaderCountersPanel,
  },
  {
    id: 'callbacks',
    title: 'Callbacks',
    region: 'mechanism',
    mechanism: 'srcu',
    needs: AT_CURSOR,
    Component: CallbacksPanel,
  },
  {
    id: 'rcu-tree',
    title: 'rcu_node tree',
    region: 'mechanism',
    mechanism: 'rcu',
    needs: RCU_AT_CURSOR,
    Component: RcuTreePanel,
  },
  {
    id: 'gp-kthread',
    title: 'GP kthread',
    region: 'mechanism',
    mechanism: 'rcu',
    needs: RCU_AT_CURSOR,
    Component: GpKthreadPanel,
  },
  {
    id: 'rcu-callbacks',
    title: 'Callback lists',
    region: 'mechanism',
    mechanism: 'rcu',
    needs: RCU_AT_CURSOR,
    Component: RcuCallbacksPanel,
  },
  {
    id: 'expedited',
    title: 'Expedited',
    region: 'mechanism',
    mechanism: 'rcu',
    needs: RCU_AT_CURSOR,
    Component: ExpeditedPanel,
  },
  {
    id: 'sr-normal',
    title: 'sr_normal list',
    region: 'mechanism',
    mechanism: 'rcu',
    needs: RCU_AT_CURSOR,
    Component: SrNormalPanel,
  },
  {
    id: 'kfree-batches',
    title: 'kfree batches',
    region: 'mechanism',
    mechanism: 'kvfree',
    needs: [...RCU_AT_CURSOR, 'why', 'isLocked'],
    Component: KfreeBatchesPanel,
  },
  {
    id: 'tasks-loop',
    title: 'RCU Tasks',
    region: 'mechanism',
    mechanism: 'tasks',
    needs: RCU_AT_CURSOR,
    Component: TasksLoopPanel,
  },
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
    id: 'gp-number',
    title: 'Grace-period numbers',
    region: 'side',
    mechanism: 'rcu',
    needs: ['run'],
    Component: GpNumberPanel,
  },
  {
    id: 'scenario-note',
    title: 'Scenario',
    region: 'side',
    needs: ['run', 'scenario'],
    Component: ScenarioNotePanel,
  },
];
