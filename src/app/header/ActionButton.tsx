import type { ReactNode } from 'react';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon, type IconName } from '../../ui/Icon.tsx';
import { Tooltip } from '../../ui/Tooltip.tsx';
import { type ActionId, actionOf, keyLabel } from '../actions.ts';
import { useSession } from '../session.ts';
import { useEnabled } from '../useEnabled.ts';

interface ActionButtonProps {
  readonly id: ActionId;
  readonly icon: IconName;
  /** A text beside the icon; without one the button shows the icon alone. */
  readonly text?: string;
  readonly look?: 'framed' | 'primary' | 'plain';
  readonly label?: string;
  readonly after?: ReactNode;
}

/** The button of an action, with its shortcut in the tooltip. */
export function ActionButton({ id, icon, text, look = 'framed', label, after }: ActionButtonProps) {
  const session = useSession();
  const action = actionOf(id);
  const isEnabled = useEnabled(action);
  const keys = action.keys[0] === undefined ? undefined : keyLabel(action.keys[0]);
  const name = label ?? action.label;
  const press = () => action.perform(session);
  if (text === undefined) {
    return (
      <IconButton
        label={name}
        icon={<Icon name={icon} />}
        look={look}
        isDisabled={!isEnabled}
        onPress={press}
        {...(keys === undefined ? {} : { keys })}
      />
    );
  }
  // The name may say more than the text, but must hold it: that is what people speak or search for.
  const isTextInName = name.toLowerCase().includes(text.toLowerCase());
  return (
    <Tooltip text={keys === undefined ? name : `${name} (${keys})`}>
      <Button
        {...(isTextInName ? { 'aria-label': name } : {})}
        look={look}
        isDisabled={!isEnabled}
        onPress={press}
      >
        <Icon name={icon} />
        <span className="action-text">{text}</span>
        {after}
      </Button>
    </Tooltip>
  );
}
