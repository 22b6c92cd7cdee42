import { type Actor, usesKvfree, usesSrcu, usesTasks } from '../../engine/index.ts';

/**
 * Panels that a scenario does not show at first: three mechanism panels side by side can be read from afar, and the
 * others wait for a scenario that is about them.
 */
const ABOUT: Readonly<Record<string, readonly string[]>> = {
  callbacks: ['callbacks-and-barrier'],
  'rcu-callbacks': ['callback-flood', 'lazy-boot-staircase', 'looping-caller', 'android-launch'],
  expedited: ['normal-vs-expedited', 'expedited-jitter', 'missed-grace-period'],
  'sr-normal': ['convoy'],
};
/** Gives way to a panel that the scenario is about. */
const GIVES_WAY = 'gp-kthread';

/** Gives way to the batches of kfree_rcu(), and to the loop of RCU Tasks, which stand beside the kthread. */
const GIVES_WAY_TO_OTHERS = 'rcu-tree';

/** Of the SRCU domain inside RCU Tasks up to 6.8: about tasks that exit, of which most runs have none. */
const OF_EXIT_SRCU = ['srcu-phases', 'reader-counters'];

/** Panels hidden at first in "id" or "id:variant", or in a run of one's own; `actors`: what runs there. */
export function hiddenAtFirst(scenario: string, actors: readonly Actor[]): readonly string[] {
  const id = scenario.split(':')[0] as string;
  if (usesKvfree(actors) || usesTasks(actors)) {
    const hidden = [...Object.keys(ABOUT), GIVES_WAY_TO_OTHERS];
    return usesTasks(actors) && !usesSrcu(actors) ? [...hidden, ...OF_EXIT_SRCU] : hidden;
  }
  const hidden = Object.keys(ABOUT).filter((panel) => !ABOUT[panel]?.includes(id));
  return hidden.length === Object.keys(ABOUT).length || id === 'callbacks-and-barrier'
    ? hidden
    : [...hidden, GIVES_WAY];
}
