/** Versions of the link format. Links shipped once decode for ever: an old one is upgraded step by step. */

/** A link's keys and texts. */
export type LinkEntries = readonly (readonly [key: string, text: string])[];

/** The version that is written. */
export const LINK_VERSION = 1;

/** UPGRADE_STEPS[i] turns a link of version i + 1 into one of version i + 2. */
const UPGRADE_STEPS: readonly ((entries: LinkEntries) => LinkEntries)[] = [];

if (UPGRADE_STEPS.length !== LINK_VERSION - 1) {
  throw new Error(`link format ${LINK_VERSION} needs ${LINK_VERSION - 1} upgrade steps`);
}

/** The entries of a link of `version` (1..LINK_VERSION) as those of the present version. */
export function upgradeLink(entries: LinkEntries, version: number): LinkEntries {
  return UPGRADE_STEPS.slice(version - 1).reduce((upgraded, step) => step(upgraded), entries);
}
