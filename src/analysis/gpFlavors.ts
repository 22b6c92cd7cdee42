/** Names of the flavours of grace periods. */
import { GP_FLAVOR } from './types.ts';

const NAMES: Readonly<Record<number, string>> = {
  [GP_FLAVOR.srcu]: 'SRCU',
  [GP_FLAVOR.rcu]: 'RCU, normal',
  [GP_FLAVOR.exp]: 'RCU, expedited',
  [GP_FLAVOR.tasks]: 'RCU Tasks',
  [GP_FLAVOR.tasksRude]: 'Tasks Rude',
  [GP_FLAVOR.tasksTrace]: 'Tasks Trace',
};

/** What a flavour (GP_FLAVOR) is called in lists and figures. */
export function gpFlavorName(flavor: number): string {
  return NAMES[flavor] ?? `flavour ${flavor}`;
}
