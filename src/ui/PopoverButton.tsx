import type { ReactNode } from 'react';
import { Dialog, DialogTrigger } from 'react-aria-components/Dialog';
import { Popover } from 'react-aria-components/Popover';
import { Button } from './Button.tsx';
import { cx } from './cx.ts';
import './PopoverButton.css';
import './Select.css';

interface PopoverButtonProps {
  /** Accessible name of what opens. */
  readonly label: string;
  readonly shown: ReactNode;
  readonly children: ReactNode;
  readonly className?: string;
}

/** A button that opens a small panel of controls beside it. */
export function PopoverButton({ label, shown, children, className }: PopoverButtonProps) {
  return (
    <DialogTrigger>
      <Button className={cx('ui-mono', className)}>
        {shown}
        <span aria-hidden="true" className="ui-select-arrow">
          ▾
        </span>
      </Button>
      <Popover className="ui-popover" placement="bottom start">
        <Dialog aria-label={label} className="ui-popover-dialog">
          {/* A landmark of its own: it stands outside those of the page. */}
          <section aria-label={label} className="ui-popover-panel">
            {children}
          </section>
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
