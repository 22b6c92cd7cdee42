import type { ReactNode } from 'react';
import { Switch as AriaSwitch } from 'react-aria-components/Switch';
import './Switch.css';

interface SwitchProps {
  readonly children: ReactNode;
  readonly isSelected: boolean;
  readonly onChange: (isSelected: boolean) => void;
  readonly isDisabled?: boolean;
}

/** On or off, at once. */
export function Switch({ children, isDisabled = false, ...rest }: SwitchProps) {
  return (
    <AriaSwitch {...rest} isDisabled={isDisabled} className="ui-switch">
      <span className="ui-switch-track" aria-hidden="true">
        <span className="ui-switch-knob" />
      </span>
      {children}
    </AriaSwitch>
  );
}
