import './panel.css';
import { type ReactNode, useCallback, useId, useRef, useState } from 'react';
import { ModelBadge, ModelNotes } from './ModelBadge.tsx';
import type { ModelNote } from './modelNote.ts';

export interface PanelFrameProps {
  readonly title: ReactNode;
  /** Said after the title in a quieter voice. */
  readonly subtitle?: ReactNode;
  /** 'card' stands in the mechanism row, 'side' in the right column, 'bare' has no visible heading. */
  readonly look: 'card' | 'side' | 'bare';
  /** What of the panel is modelled how (product requirement 10). */
  readonly notes: readonly ModelNote[];
  /** Buttons of the host: hide, full screen. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

/**
 * Heading, model badge and body: the same for every panel, so that all of them are named regions. What the badge opens
 * scrolls with the body of a card; elsewhere there is room for it.
 */
export function PanelFrame({ title, subtitle, look, notes, tools, children }: PanelFrameProps) {
  const titleId = useId();
  const listId = useId();
  const [isOpen, setIsOpen] = useState(false);
  const bodyRef = useRef<HTMLDivElement>(null);
  const toggle = useCallback(() => {
    setIsOpen((was) => !was);
    bodyRef.current?.scrollTo({ top: 0 });
  }, []);
  const list = isOpen && notes.length > 0 ? <ModelNotes notes={notes} id={listId} /> : null;
  return (
    <section className={`panel panel-${look}`} aria-labelledby={titleId}>
      <header className="panel-head">
        <h2 className="panel-title" id={titleId}>
          {title}
          {subtitle === undefined ? null : <span className="panel-subtitle">{subtitle}</span>}
        </h2>
        <ModelBadge notes={notes} isOpen={isOpen} onToggle={toggle} listId={listId} />
        {tools}
        {look === 'bare' ? list : null}
      </header>
      {look === 'side' ? list : null}
      {look === 'card' ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard
        <div className="panel-body" role="group" ref={bodyRef} aria-labelledby={titleId} tabIndex={0}>
          {list}
          {children}
        </div>
      ) : (
        <div className="panel-body">{children}</div>
      )}
    </section>
  );
}

/** What a panel says when it has nothing to draw: a sentence, never a blank box. */
export function PanelEmpty({ children }: { readonly children: ReactNode }) {
  return <p className="panel-empty">{children}</p>;
}
