import { type ReactNode, useState } from 'react';
import { GroupContext, useFilter } from './filter.ts';

interface GroupProps {
  readonly title: string;
  /** Closed until asked for. */
  readonly isCollapsed?: boolean;
  /** Beside the title. */
  readonly note?: string;
  readonly children: ReactNode;
}

/**
 * Tunables of one mechanism. While the filter is used it is open, and gone where nothing in it is found (CSS). What is
 * closed is not drawn.
 */
export function Group({ title, isCollapsed = false, note, children }: GroupProps) {
  const isFiltered = useFilter() !== '';
  const [isOpen, setOpen] = useState(!isCollapsed);
  return (
    <GroupContext value={title}>
      <details
        className="tunable-group"
        open={isFiltered || isOpen}
        onToggle={(event) => {
          if (!isFiltered) setOpen(event.currentTarget.open);
        }}
      >
        <summary>
          <h2>{title}</h2>
          {note !== undefined && <span className="tunable-group-note">{note}</span>}
        </summary>
        {(isFiltered || isOpen) && <div className="tunable-list">{children}</div>}
      </details>
    </GroupContext>
  );
}
