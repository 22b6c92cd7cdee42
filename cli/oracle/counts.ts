/** How many records met what, and the stored table that `npm test` must not fall below. */

/** By criterion: how many met it, of how many it was asked. */
export type Counts = Record<string, { met: number; of: number }>;

/** Adds up what became of records. */
export function count(verdicts: readonly { readonly met: Readonly<Record<string, boolean>> }[]): Counts {
  const counts: Counts = {};
  for (const { met } of verdicts) {
    for (const [criterion, isMet] of Object.entries(met)) {
      counts[criterion] ??= { met: 0, of: 0 };
      const entry = counts[criterion];
      entry.of++;
      if (isMet) entry.met++;
    }
  }
  return counts;
}

/** "strict 23/24 95.8 %  mean 24/24 100.0 %". */
export function summary(counts: Counts): string {
  return Object.entries(counts)
    .map(([criterion, { met, of }]) => `${criterion} ${met}/${of} ${((100 * met) / of).toFixed(1)} %`)
    .join('  ');
}

/** By group: criterion to the count that `npm test` asks for. */
export type StoredTable = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Criteria of a table that fell below the stored one, as sentences. */
export function fallenBelow(table: Readonly<Record<string, Counts>>, stored: StoredTable): string[] {
  return Object.entries(stored).flatMap(([group, criteria]) =>
    Object.entries(criteria).flatMap(([criterion, least]) => {
      const met = table[group]?.[criterion]?.met ?? 0;
      return met < least ? [`${group}: ${criterion} ${met}, stored ${least}`] : [];
    }),
  );
}
