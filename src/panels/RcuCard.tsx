import type { ReactNode } from 'react';
import type { RcuStateAt } from '../analysis/rcuStateTypes.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { ModelNote } from './modelNote.ts';
import { PanelEmpty, PanelFrame } from './PanelFrame.tsx';
import type { PanelProps } from './panelProps.ts';

interface RcuCardProps extends Pick<PanelProps, 'data' | 'tools'> {
  readonly title: string;
  readonly subtitle: ReactNode;
  readonly notes: readonly ModelNote[];
  /** Draws Tree RCU at the cursor, once the run has got there. */
  readonly children: (state: RcuStateAt, info: RunInfo) => ReactNode;
}

/** A mechanism panel of Tree RCU. */
export function RcuCard({ title, subtitle, notes, data, tools, children }: RcuCardProps) {
  const state = data.state?.rcu;
  const info = data.run?.info;
  return (
    <PanelFrame title={title} subtitle={subtitle} look="card" notes={notes} tools={tools}>
      {state === undefined || info === undefined ? (
        <PanelEmpty>No state yet: the run has not reached the cursor.</PanelEmpty>
      ) : (
        children(state, info)
      )}
    </PanelFrame>
  );
}
