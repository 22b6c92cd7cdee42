import { useMemo } from 'react';
import { useStore } from 'zustand';
import { useShallow } from 'zustand/react/shallow';
import type { PanelData } from '../../panels/panelProps.ts';
import type { PanelEntry } from '../../panels/registry.ts';
import { ErrorBoundary } from '../ErrorBoundary.tsx';
import { useSession } from '../session.ts';
import { PanelTools } from './PanelTools.tsx';

/** Shows a panel with what it needs: it is drawn again when one of these things has changed, and only then. */
export function PanelHost({ panel }: { readonly panel: PanelEntry }) {
  const { panelData, panelActions } = useSession();
  const needed = useStore(
    panelData,
    useShallow((data: PanelData) => panel.needs.map((key) => data[key])),
  );
  // biome-ignore lint/correctness/useExhaustiveDependencies: the panel reads what it needs, and that is compared above
  const data = useMemo(() => panelData.getState(), [needed]);
  const { Component } = panel;
  // The row of figures has no heading to put buttons in; the panels button hides it.
  const hasTools = panel.region !== 'headline';
  return (
    <ErrorBoundary what={panel.title}>
      <Component
        data={data}
        actions={panelActions}
        tools={hasTools && <PanelTools id={panel.id} title={panel.title} />}
      />
    </ErrorBoundary>
  );
}
