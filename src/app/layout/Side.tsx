import { useShownPanels } from './Centre.tsx';
import { PanelHost } from './PanelHost.tsx';

/** The right column: why, latency, what was reported. */
export function Side() {
  const panels = useShownPanels('side');
  return (
    <section className="side" aria-label="Explanations">
      {panels.map((panel) => (
        <PanelHost key={panel.id} panel={panel} />
      ))}
      {panels.length === 0 && (
        <p className="panel-empty">These panels are hidden; the panels button brings them back.</p>
      )}
    </section>
  );
}
