import { memo, type ReactNode, type Ref } from 'react';
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from 'react-aria-components/Button';
import { ToggleButton as AriaToggleButton, type ToggleButtonProps } from 'react-aria-components/ToggleButton';
import { cx } from './cx.ts';
import { Tooltip } from './Tooltip.tsx';
import './Button.css';

interface ButtonProps extends Omit<AriaButtonProps, 'className' | 'children'> {
  readonly children: ReactNode;
  /** `primary`: the one main action of a view. `plain`: without a frame until hovered. */
  readonly look?: 'framed' | 'primary' | 'plain';
  readonly className?: string;
  readonly ref?: Ref<HTMLButtonElement>;
}

/** A button with a text. */
export const Button = memo(function Button({ look = 'framed', className, ...rest }: ButtonProps) {
  return <AriaButton {...rest} className={cx('ui-button', `ui-button-${look}`, className)} />;
});

interface IconButtonProps extends Omit<ButtonProps, 'children'> {
  /** What it does; the accessible name, and the tooltip together with `keys`. */
  readonly label: string;
  readonly icon: ReactNode;
  /** Its shortcut, for the tooltip. */
  readonly keys?: string;
}

/** A button that shows a sign only. */
export function IconButton({ label, icon, keys, className, ...rest }: IconButtonProps) {
  return (
    <Tooltip text={keys === undefined ? label : `${label} (${keys})`}>
      <Button {...rest} aria-label={label} className={cx('ui-icon-button', className)}>
        <span aria-hidden="true">{icon}</span>
      </Button>
    </Tooltip>
  );
}

interface ToggleProps extends Omit<ToggleButtonProps, 'className' | 'children'> {
  readonly children: ReactNode;
  readonly className?: string;
}

/** A button that stays down. */
export const ToggleButton = memo(function ToggleButton({ className, ...rest }: ToggleProps) {
  return (
    <AriaToggleButton {...rest} className={cx('ui-button', 'ui-button-framed', 'ui-toggle', className)} />
  );
});
