import { type ReactNode, useState } from 'react';

interface DisclosureProps {
  readonly summary: string;
  readonly className: string;
  /** Called while it is open: what nobody sees is not drawn either. */
  readonly children: () => ReactNode;
}

/** A part that opens on request. */
export function Disclosure({ summary, className, children }: DisclosureProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className={className} open={isOpen} onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen && children()}
    </details>
  );
}
