import { PanelEmpty, PanelFrame } from '../PanelFrame.tsx';
import type { PanelProps } from '../panelProps.ts';
import { Cards } from './Cards.tsx';
import { HEADLINE_NOTES, headlineCards } from './model.ts';

/** What the run comes to, in five figures, beside what was reported. */
export function HeadlinePanel({ data, tools }: PanelProps) {
  return (
    <PanelFrame title="Headline figures" look="bare" notes={HEADLINE_NOTES} tools={tools}>
      {data.run === undefined ? (
        <PanelEmpty>The first run has not finished yet.</PanelEmpty>
      ) : (
        <Cards cards={headlineCards(data.run, data.scenario)} />
      )}
    </PanelFrame>
  );
}
