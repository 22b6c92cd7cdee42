/** "8 ms: the next tick ...", "21.5 ms: ...". */
const BEGINS_WITH = /^(\d+(?:\.\d+)?) ms: /;

/** The moment that a sentence of a scenario begins with, ns; undefined: it is about no single one. */
export function storyTimeNs(sentence: string): number | undefined {
  const [, ms] = BEGINS_WITH.exec(sentence) ?? [];
  return ms === undefined ? undefined : Math.round(Number(ms) * 1e6);
}
