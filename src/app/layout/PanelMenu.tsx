import { PANELS } from '../../panels/registry.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { useSession, useView } from '../session.ts';
import { useMechanisms } from '../tunables/mechanisms.ts';

/** Every panel with whether it is shown; the way back for one that was hidden. */
export function PanelMenu() {
  const { view } = useSession();
  const mechanisms = useMechanisms();
  const panels = PANELS.filter(({ mechanism }) => mechanism === undefined || mechanisms[mechanism]);
  const all = useView((state) => state.hiddenPanels);
  const hidden = all.filter((id) => panels.some((panel) => panel.id === id));
  return (
    <Menu
      label="Panels"
      button={
        <Button aria-label={hidden.length === 0 ? 'Panels' : `Panels, ${hidden.length} hidden`}>
          <Icon name="panels" />
        </Button>
      }
      entries={panels.map(({ id, title }) => ({
        id,
        label: title,
        note: hidden.includes(id) ? 'hidden' : 'shown',
      }))}
      onAction={view.togglePanel}
    />
  );
}
