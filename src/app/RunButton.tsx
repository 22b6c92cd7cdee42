import { type ReactNode, useLayoutEffect, useRef } from 'react';
import { Button } from '../ui/Button.tsx';

/** Of the element that keeps the focus while there is no button about the run under way. */
export const RUN_PLACE = 'run-place';

interface RunButtonProps {
  readonly onPress: () => void;
  readonly look?: 'framed' | 'plain';
  readonly children: ReactNode;
}

/**
 * A button that is there while the run is in one state: Cancel, Run again. Vanishing with the focus it leaves it to
 * RUN_PLACE, where the next of them takes it, so that the keyboard stays with the run.
 */
export function RunButton({ onPress, look = 'framed', children }: RunButtonProps) {
  const ref = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const button = ref.current;
    const place = document.getElementById(RUN_PLACE);
    if (document.activeElement === place) button?.focus();
    return () => {
      if (document.activeElement === button) place?.focus();
    };
  }, []);
  return (
    <Button ref={ref} look={look} onPress={onPress}>
      {children}
    </Button>
  );
}
