import { lazy, Suspense } from 'react';
import { useView } from '../session.ts';
import { ActionButton } from './ActionButton.tsx';
import { MachineButton } from './MachineButton.tsx';
import { ScenarioSelect } from './ScenarioSelect.tsx';
import { Scrub } from './Scrub.tsx';
import { Transport } from './Transport.tsx';
import './header.css';

// With the panels that it lists, not before them.
const PanelMenu = lazy(async () => ({ default: (await import('../layout/PanelMenu.tsx')).PanelMenu }));

const themeIcon = { system: 'system', dark: 'moon', light: 'sun' } as const;

function ThemeButton() {
  const theme = useView((view) => view.theme);
  return <ActionButton id="theme" icon={themeIcon[theme]} label={`Theme: ${theme}`} />;
}

/** The top of the page. */
export function Header() {
  return (
    <header className="app-header">
      <h1 className="app-brand">
        <span className="app-brand-rcu">rcu</span>scope
      </h1>
      <div className="app-choose">
        <ScenarioSelect />
        <MachineButton />
      </div>
      <Transport />
      <div className="app-page-actions" role="group" aria-label="Page">
        <Suspense>
          <PanelMenu />
        </Suspense>
        <ActionButton id="share" icon="share" text="Share" />
        <ThemeButton />
        <ActionButton id="help" icon="help" />
      </div>
      <Scrub />
    </header>
  );
}
