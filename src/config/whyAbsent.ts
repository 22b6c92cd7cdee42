/** Why a kernel has not got something that others have, in words. */
import type { ProfileId, RuleId } from '../engine/profiles/profiles.ts';

/** Something that a kernel lacks. */
export interface Absence {
  readonly kernel: ProfileId;
  /** Those that have it: "v5.18 and later". */
  readonly releases: string;
  /** The rule without which this kernel would have it, where the configuration has set that. */
  readonly takenBy: RuleId | undefined;
}

/** "kernel v5.7 does not have it (v5.10 and later)", or the rule of the configuration that takes it away. */
export function whyAbsent({ kernel, releases, takenBy }: Absence, what = 'it'): string {
  return takenBy === undefined
    ? `kernel ${kernel} does not have ${what} (${releases})`
    : `kernel ${kernel} has ${what}, but rules.${takenBy} takes that away`;
}
