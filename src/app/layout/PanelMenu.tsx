import { PANELS } from '../../panels/registry.ts';
import { Button } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { Menu } from '../../ui/Menu.tsx';
import { useSession, useView } from '../session.ts';

/** Every panel with whether it is shown; the way back for one that was hidden. */
export function PanelMenu() {
  const { view } = useSession();
  const hidden = useView((state) => state.hiddenPanels);
  return (
    <Menu
      label="Panels"
      button={
        <Button aria-label={hidden.length === 0 ? 'Panels' : `Panels, ${hidden.length} hidden`}>
          <Icon name="panels" />
        </Button>
      }
      entries={PANELS.map(({ id, title }) => ({
        id,
        label: title,
        note: hidden.includes(id) ? 'hidden' : 'shown',
      }))}
      onAction={view.togglePanel}
    />
  );
}
