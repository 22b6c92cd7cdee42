import { memo } from 'react';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSession, useView } from '../session.ts';

interface PanelToolsProps {
  readonly id: string;
  readonly title: string;
  readonly canHide?: boolean;
}

/** What can be done with every panel: fill the window, and go away. It does not follow what the panel shows. */
export const PanelTools = memo(function PanelTools({ id, title, canHide = true }: PanelToolsProps) {
  const { view } = useSession();
  const isFull = useView((state) => state.fullPanel === id);
  return (
    <span className="panel-tools">
      <IconButton
        label={isFull ? `${title}: back into the page` : `${title}: full screen`}
        icon={<Icon name={isFull ? 'small' : 'full'} />}
        look="plain"
        className="panel-tool"
        onPress={() => view.toggleFullPanel(id)}
      />
      {canHide && !isFull && (
        <IconButton
          label={`Hide ${title}`}
          icon={<Icon name="hide" />}
          look="plain"
          className="panel-tool"
          onPress={() => view.togglePanel(id)}
        />
      )}
    </span>
  );
});
