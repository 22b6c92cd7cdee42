import { describe, expect, it } from 'vitest';
import { KIND, RTGS } from '../engine/core/eventKinds.ts';
import { blame } from './blame.ts';
import type { Blame, BlameTarget } from './blameTypes.ts';
import { createRunIndex } from './runIndex.ts';
import { config, MS, run } from './runs.testkit.ts';
import { exiter, TASKS_SAMPLES, tasksCall, tasksSample } from './tasksRuns.testkit.ts';
import { GP_FLAVOR } from './types.ts';

function explain(simConfig: ReturnType<typeof config>, target: BlameTarget): Blame {
  const { log, info } = run(simConfig);
  return blame(log, createRunIndex(log, info), target);
}

/** Kind and length in ms of each segment of a ms and more. */
function parts({ segments }: Blame): [kind: string, ms: number][] {
  return segments
    .map(({ kind, startNs, endNs }): [string, number] => [kind, (endNs - startNs) / MS])
    .filter(([, ms]) => ms >= 1);
}

const CALL: BlameTarget = { of: 'call', index: 0 };

describe('why, RCU Tasks', () => {
  it('a call from idle: inner grace period, held 250 ms, noticed at 312 (4.4), inner grace period', () => {
    const simConfig = tasksSample('plain, kernel holdout');
    const why = explain(simConfig, CALL);
    expect(why.title).toMatch(/^Why did call 0 of updater\/0, synchronize_rcu_tasks\(\), take \d+/);
    expect(parts(why).map(([kind]) => kind)).toEqual([
      ...['tasksInner', 'tasksHeld', 'tasksScanWait', 'tasksInner'],
    ]);
    const { log } = run(simConfig);
    const states = Array.from({ length: log.length }, (_, row) => log.row(row)).filter(
      ({ kind }) => kind === KIND.rcu_tasks_state,
    );
    const at = (state: number) => states.find(({ a }) => a === state)?.timeNs as number;
    const held = why.segments.find(({ kind }) => kind === 'tasksHeld');
    expect(held).toMatchObject({ startNs: at(RTGS.WAIT_SCAN_HOLDOUTS), endNs: 250 * MS, cpu: 1 });
    expect(held?.text).toMatch(/^holdout\/0 kept running in the kernel on CPU 1/);
    const unnoticed = why.segments.find(({ kind }) => kind === 'tasksScanWait');
    expect(unnoticed).toMatchObject({ startNs: 250 * MS, endNs: at(RTGS.POST_GP) });
    expect(unnoticed?.text).toMatch(/^holdout\/0 had left, which nothing noticed before scan 3: /);
    // all scans but the first
    expect(held?.remedy?.savesNs).toBe(at(RTGS.POST_GP) - (at(RTGS.SCAN_HOLDOUTS) as number));
  });

  it('a loop in user mode on 4.17 takes a second, and says which back-off would not have', () => {
    const why = explain(tasksSample('user load, v4.17'), CALL);
    const wait = why.segments.find(({ kind }) => kind === 'tasksScanWait');
    expect(((wait?.endNs ?? 0) - (wait?.startNs ?? 0)) / MS).toBeGreaterThan(990);
    expect(wait?.remedy?.text).toMatch(/^The back-off of .* would have looked earlier: 9\d\d/);
    const after = explain(
      { ...tasksSample('user load, v4.17'), rules: { ...tasksSample('user load, v4.17').rules } },
      CALL,
    );
    expect(after.endNs).toBe(why.endNs);
  });

  it('back to back: the rest of another grace period, then gp_sleep', () => {
    const why = explain(tasksSample('several callers'), { of: 'call', index: 6 });
    const kinds = why.segments.map(({ kind }) => kind);
    expect(kinds.includes('tasksSleep') || kinds.includes('earlierGp')).toBe(true);
    const second = explain(tasksSample('kernel holdout'), { of: 'call', index: 1 });
    const sleep = second.segments.find(({ kind }) => kind === 'tasksSleep');
    expect(((sleep?.endNs ?? 0) - (sleep?.startNs ?? 0)) / MS).toBeGreaterThan(90);
  });

  it('a task that exits runs no loop, and an idle CPU is named once', () => {
    const exits = [tasksCall('synchronize_rcu_tasks', { start: 2 * MS }), exiter({ gap: 0, exit: 90 * MS })];
    const held = explain(config(exits, { kernel: 'v6.12', cpus: 3 }), CALL).segments.find(
      ({ kind }) => kind === 'tasksHeld',
    );
    expect(held?.text).toMatch(/^exiter\/0 was exiting on CPU 2 until its last schedule: /);
    expect(held?.remedy).toBeUndefined();
    const idle = explain(config([tasksCall('synchronize_rcu_tasks_trace')], { cpus: 2 }), CALL);
    expect(idle.segments.find(({ kind }) => kind === 'tasksHeld')?.text).toMatch(
      /^Nobody had looked at CPU \d: /,
    );
  });

  it('laziness: what it says is saved without it, and callbacks that nobody waits for', () => {
    const calls = (params: Record<string, number>) =>
      explain(config([tasksCall('call_rcu_tasks')], { cpus: 2, params }), CALL);
    const lazy = calls({});
    const wait = lazy.segments.find(({ kind }) => kind === 'tasksLazy');
    const { name, value } = wait?.remedy?.param ?? { name: '', value: -1 };
    expect([name, value]).toEqual(['rcupdate.rcu_tasks_lazy_ms', 0]);
    const saved = lazy.endNs - calls({ [name]: value }).endNs;
    expect(Math.abs(saved - (wait?.remedy?.savesNs ?? 0))).toBeLessThanOrEqual(4 * MS);
    const callback = explain(tasksSample('barrier beside others'), CALL);
    expect(callback.title).toMatch(
      /^Why did the callback of call 0 of updater\/0, call_rcu_tasks\(\), take /,
    );
    expect(callback.endNs - callback.startNs).toBeGreaterThan(250 * MS);
  });

  for (const [name, sample] of Object.entries(TASKS_SAMPLES)) {
    it(`segments are without gaps and sum to the whole, with a sentence each: ${name}`, () => {
      const { log, info } = run(sample());
      const index = createRunIndex(log, info);
      const check = (why: Blame) => {
        let atNs = why.startNs;
        for (const { startNs, endNs, text, row, remedy } of why.segments) {
          expect(startNs).toBe(atNs);
          expect(endNs).toBeGreaterThan(startNs);
          atNs = endNs;
          expect(text).toMatch(/^[A-Za-z].*[a-z0-9)]\.$/);
          expect(text).not.toMatch(/undefined|NaN|Infinity|CPU -1|nobody (?!on index)/);
          expect(row >= 0 && row < log.length).toBe(true);
          if (remedy !== undefined) expect(remedy.savesNs).toBeGreaterThanOrEqual(0);
        }
        expect(atNs).toBe(why.endNs);
      };
      for (let gp = 0; gp < index.gps.length; gp++) check(blame(log, index, { of: 'gp', index: gp }));
      for (let call = 0; call < index.calls.length; call++)
        check(blame(log, index, { of: 'call', index: call }));
      const row = Array.from({ length: log.length }, (_, at) => at).find(
        (at) => log.kind(at) === KIND.rcu_tasks_invoke_callback,
      ) as number;
      const why = blame(log, index, { of: 'row', row });
      expect(index.gps.flavor[why.index]).toBe(GP_FLAVOR.tasks + log.row(row).b);
    });
  }
});
