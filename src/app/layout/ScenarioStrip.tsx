import { useState } from 'react';
import { IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSession, useStories } from '../session.ts';
import { useScenario } from '../useScenarios.ts';
import { storyTimeNs } from './storyTime.ts';

/** What to look at in this scenario, sentence by sentence. */
export function ScenarioStrip() {
  const chosen = useScenario();
  const stories = useStories();
  if (chosen === undefined) return null;
  const { scenario, variant } = chosen;
  const sentences = [
    ...(stories[scenario.id]?.lookAt ?? []),
    ...(variant.note === undefined ? [] : [`${variant.note}.`]),
  ];
  return <Story key={`${scenario.id}:${variant.id}`} sentences={sentences} />;
}

/** One sentence at a time; a step to one that begins with a time takes the cursor there. */
function Story({ sentences }: { readonly sentences: readonly string[] }) {
  const { navigate } = useSession();
  const [at, setAt] = useState(0);
  const go = (to: number) => {
    setAt(to);
    const timeNs = storyTimeNs(sentences[to] ?? '');
    if (timeNs !== undefined) navigate.seekTime(timeNs);
  };
  return (
    <section className="scenario-strip" aria-label="What to look at">
      <span className="scenario-strip-label">Look at</span>
      <p className="scenario-strip-sentence" aria-live="polite">
        {sentences[at]}
      </p>
      {sentences.length > 1 && (
        <span className="scenario-strip-steps">
          <IconButton
            label="Previous thing to look at"
            icon={<Icon name="previousGp" />}
            look="plain"
            isDisabled={at === 0}
            onPress={() => go(at - 1)}
          />
          <span className="ui-mono">
            {at + 1}/{sentences.length}
          </span>
          <IconButton
            label="Next thing to look at"
            icon={<Icon name="nextGp" />}
            look="plain"
            isDisabled={at === sentences.length - 1}
            onPress={() => go(at + 1)}
          />
        </span>
      )}
    </section>
  );
}
