import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelProps } from '../panelProps.ts';
import { useNotes } from '../useNotes.ts';
import { Cards } from './Cards.tsx';
import { headlineCards } from './model.ts';
import { HEADLINE_NOTES } from './notes.ts';

/** What the run comes to, in five figures, beside what was reported. */
export function HeadlinePanel({ data, tools }: PanelProps) {
  const notes = useNotes(HEADLINE_NOTES, data.run?.info);
  return (
    <PanelFrame title="Headline figures" look="bare" notes={notes} tools={tools}>
      {data.run === undefined ? (
        <PanelEmpty>The first run has not finished yet.</PanelEmpty>
      ) : (
        <Cards cards={headlineCards(data.run, data.scenario)} />
      )}
    </PanelFrame>
  );
}
