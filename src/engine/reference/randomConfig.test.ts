import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SRCU_APIS } from '../config.ts';
import { KIND, STOP_REASON } from '../core/eventKinds.ts';
import { PRESET_IDS } from '../machine/presets.ts';
import { PROFILES, RULE_IDS } from '../profiles/profiles.ts';
import { randomConfig } from './randomConfig.testkit.ts';
import { runToEnd } from './simConfig.testkit.ts';

describe('randomConfig', () => {
  const drawn = fc.sample(randomConfig(), { numRuns: 400, seed: 1 });

  it('draws every kernel, preset, api and actor, and rules of other kernels', () => {
    const actors = drawn.flatMap((config) => config.actors);
    const apis = actors.flatMap((actor) => (actor.kind === 'updater' ? [actor.api] : []));
    expect(new Set(drawn.map((config) => config.kernel)).size).toBe(PROFILES.length);
    expect(new Set(drawn.map((config) => config.machine.preset)).size).toBe(PRESET_IDS.length);
    expect(new Set(apis).size).toBe(SRCU_APIS.length);
    expect(new Set(actors.map((actor) => actor.kind))).toEqual(new Set(['reader', 'updater', 'load']));
    expect(new Set(drawn.flatMap((config) => Object.keys(config.rules))).size).toBe(RULE_IDS.length);
  });

  it('draws runs that end, most of them with grace periods, some with readers in their way', () => {
    const counts = drawn.slice(0, 150).map((config) => {
      const run = runToEnd(config, { maxEvents: 20_000 });
      const kinds: number[] = [];
      run.log.forEach((event) => {
        kinds.push(event.kind);
      });
      const last = run.log.row(run.log.length - 1);
      return {
        graceperiods: kinds.filter((kind) => kind === KIND.srcu_gp_end).length,
        fetches: kinds.filter((kind) => kind === KIND.srcu_fetch).length,
        stuck: last.a === STOP_REASON.stuck,
      };
    });
    expect(counts.filter((count) => count.stuck)).toEqual([]);
    expect(counts.filter((count) => count.graceperiods > 1).length).toBeGreaterThan(60);
    expect(counts.filter((count) => count.fetches > 0).length).toBeGreaterThan(10);
  });
});
