/** Names of the panels in links, in the order of the registry. Apart from it, so that a link is read before panels are loaded. */
export const PANEL_IDS = [
  'headline',
  'srcu-phases',
  'reader-counters',
  'callbacks',
  'rcu-tree',
  'gp-kthread',
  'rcu-callbacks',
  'expedited',
  'sr-normal',
  'kfree-batches',
  'tasks-loop',
  'narrated-log',
  'why',
  'latency',
  'gp-number',
  'scenario-note',
] as const;

export type PanelId = (typeof PANEL_IDS)[number];
