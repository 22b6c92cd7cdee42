import type { ReactNode } from 'react';
import { Menu as AriaMenu, MenuItem, MenuTrigger } from 'react-aria-components/Menu';
import { Popover } from 'react-aria-components/Popover';
import './Menu.css';
import './Select.css';

export interface MenuEntry {
  readonly id: string;
  readonly label: string;
  /** Its shortcut or state, at the right. */
  readonly note?: string;
  readonly isDisabled?: boolean;
}

interface MenuProps {
  readonly label: string;
  /** The button that opens it: a `Button` or an `IconButton`'s `Button`. */
  readonly button: ReactNode;
  readonly entries: readonly MenuEntry[];
  readonly onAction: (id: string) => void;
}

/** Actions in a list that opens. */
export function Menu({ label, button, entries, onAction }: MenuProps) {
  return (
    <MenuTrigger>
      {button}
      <Popover className="ui-popover">
        <AriaMenu className="ui-listbox" aria-label={label} onAction={(key) => onAction(String(key))}>
          {entries.map(({ id, label: text, note, isDisabled = false }) => (
            <MenuItem
              key={id}
              id={id}
              textValue={text}
              className="ui-option ui-menu-item"
              isDisabled={isDisabled}
            >
              <span>{text}</span>
              {note !== undefined && <span className="ui-option-note">{note}</span>}
            </MenuItem>
          ))}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  );
}
