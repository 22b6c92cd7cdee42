import { type KeyboardEvent, type ReactNode, useLayoutEffect, useRef } from 'react';

/** Where a key leads from button `at`, or undefined: not one of these keys. A row is as long as buttons lie side by side. */
function targetOf(key: string, at: number, buttons: readonly HTMLElement[]): number | undefined {
  const perRow = buttons.findIndex(({ offsetTop }) => offsetTop !== buttons[0]?.offsetTop);
  const row = perRow < 0 ? buttons.length : perRow;
  const steps: Readonly<Record<string, number>> = {
    ArrowLeft: at - 1,
    ArrowRight: at + 1,
    ArrowUp: at - row,
    ArrowDown: at + row,
    Home: 0,
    End: buttons.length - 1,
  };
  return steps[key];
}

interface RovingProps {
  readonly label: string;
  readonly className: string;
  /** With buttons in it that set no tabIndex. */
  readonly children: ReactNode;
}

/** Many buttons as one stop of the Tab key; the arrow keys go from one to the next, also up and down in rows. */
export function Roving({ label, className, children }: RovingProps) {
  const group = useRef<HTMLDivElement>(null);
  const last = useRef<Element>(undefined);
  const buttons = () => [...(group.current?.querySelectorAll('button') ?? [])];
  const setStop = () => {
    const all = buttons();
    const stop = all.find((button) => button === last.current) ?? all[0];
    for (const button of all) button.tabIndex = button === stop ? 0 : -1;
  };
  useLayoutEffect(setStop);
  const onKeyDown = (event: KeyboardEvent) => {
    const all = buttons();
    const at = all.indexOf(event.target as HTMLButtonElement);
    const to = at < 0 ? undefined : targetOf(event.key, at, all);
    if (to === undefined) return;
    // also at the ends: the page moves its cursor by the same keys
    event.preventDefault();
    all[to]?.focus();
  };
  return (
    <div
      ref={group}
      className={className}
      role="toolbar"
      aria-label={label}
      onKeyDown={onKeyDown}
      onFocus={({ target }) => {
        last.current = target;
        setStop();
      }}
    >
      {children}
    </div>
  );
}
