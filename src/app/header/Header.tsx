import { PanelMenu } from '../layout/PanelMenu.tsx';
import { useView } from '../session.ts';
import { ActionButton } from './ActionButton.tsx';
import { MachineButton } from './MachineButton.tsx';
import { ScenarioSelect } from './ScenarioSelect.tsx';
import { Scrub } from './Scrub.tsx';
import { Transport } from './Transport.tsx';
import './header.css';

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
        <PanelMenu />
        <ActionButton id="share" icon="share" text="Share" />
        <ThemeButton />
        <ActionButton id="help" icon="help" />
      </div>
      <Scrub />
    </header>
  );
}
