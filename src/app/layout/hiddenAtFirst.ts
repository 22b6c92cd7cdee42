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
/** Scenarios about kfree_rcu(): its batches stand beside the kthread, and the tree gives way. */
const ABOUT_KFREE: readonly string[] = [
  'kfree-bulk',
  'kfree-polled',
  'drain-interval',
  'kmemleak-false-alarm',
  'both-batches-busy',
  'page-cache-pressure',
  'single-argument',
  'old-attach-bug',
  'odebug-splat',
];
/** Gives way to a panel that the scenario is about. */
const GIVES_WAY = 'gp-kthread';

/** Panels hidden at first in "id" or "id:variant". */
export function hiddenAtFirst(scenario: string): readonly string[] {
  const id = scenario.split(':')[0] as string;
  if (ABOUT_KFREE.includes(id)) return [...Object.keys(ABOUT), 'rcu-tree'];
  const hidden = Object.keys(ABOUT).filter((panel) => !ABOUT[panel]?.includes(id));
  return hidden.length === Object.keys(ABOUT).length || id === 'callbacks-and-barrier'
    ? hidden
    : [...hidden, GIVES_WAY];
}
