import { describe, expect, it } from 'vitest';
import { parseConfig } from '../config/parseConfig.ts';
import { createRun } from '../engine/index.ts';
import { headlineCards } from '../panels/headline/model.ts';
import { noteView } from '../panels/scenario-note/model.ts';
import { SCENARIOS, scenarioSource } from '../scenarios/registry.ts';
import { STORIES } from '../scenarios/stories.ts';
import { RunSession } from '../worker/runSession.ts';
import { scenarioText } from './scenarioText.ts';

const names = SCENARIOS.flatMap(({ id, variants }) => variants.map((variant) => `${id}:${variant.id}`));

/** The summary of a scenario that is stopped after 1 ms. */
function stoppedEarly(name: string) {
  const parsed = parseConfig({ scenario: name, stop: { afterNs: '1ms' } }, scenarioSource);
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  const run = createRun(parsed.config);
  const status = run.advance(10_000_000);
  if (status.state !== 'ended') throw new Error('1 ms has too many events');
  return new RunSession(run.log, run.info).summary({ ...status, simulateMs: 0, indexMs: 0 });
}

describe('a scenario that a limit has stopped early', () => {
  it.each(names)('%s: panels show no figure that it does not come to', (name) => {
    const summary = stoppedEarly(name);
    const text = scenarioText(summary, false, STORIES);
    if (text === undefined) throw new Error(`${name} has no text`);
    const note = noteView(text);
    expect(note.rows.filter(({ simulated }) => simulated !== 'not reached in this run')).toEqual([]);
    const shown = JSON.stringify({ note: note.rows, cards: headlineCards(summary, text) });
    expect(shown).not.toMatch(/NaN|Infinity|∞|undefined|null/);
    expect(shown).not.toMatch(/%, (fitted|predicted)/);
  });
});
