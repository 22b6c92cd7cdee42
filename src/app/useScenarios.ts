import { useMemo } from 'react';
import { findScenario, SCENARIOS } from '../scenarios/registry.ts';
import type { Scenario, Story, Variant } from '../scenarios/scenario.ts';
import type { SelectGroup } from '../ui/Select.tsx';
import { useConfig, useStories } from './session.ts';

/** "reported 20.704 s": what was reported of a variant, in short; undefined where nothing was. */
function reportedText(story: Story | undefined, variant: Variant): string | undefined {
  const figure = story?.reported(variant.id)[0];
  return figure === undefined ? undefined : `reported ${figure.value} ${figure.unit}`;
}

/** Every scenario with its variants; ids are "scenario:variant". */
export function useScenarioGroups(): readonly SelectGroup[] {
  const stories = useStories();
  return useMemo(
    () =>
      SCENARIOS.map((scenario) => ({
        title: scenario.title,
        options: scenario.variants.map((variant) => {
          const note = [variant.note, reportedText(stories[scenario.id], variant)]
            .filter((text) => text !== undefined)
            .join('; ');
          return {
            id: `${scenario.id}:${variant.id}`,
            label: variant.title,
            ...(note === '' ? {} : { note }),
          };
        }),
      })),
    [stories],
  );
}

/** "boot-storm" stands for "boot-storm:row-200". */
export function fullScenarioName(name: string): string {
  const found = findScenario(name);
  return found === undefined ? name : `${found.scenario.id}:${found.variant}`;
}

/** The chosen scenario and variant; undefined in a run of one's own. */
export function useScenario(): { scenario: Scenario; variant: Variant } | undefined {
  const name = useConfig((state) => state.scenario);
  const found = findScenario(name);
  const variant = found?.scenario.variants.find(({ id }) => id === found.variant);
  return found === undefined || variant === undefined ? undefined : { scenario: found.scenario, variant };
}
