import { describe, expect, test, vi } from 'vitest';
import { parseConfig } from '../src/config/parseConfig.ts';
import { createRun } from '../src/engine/index.ts';
import { type WindowInput, windowPasses } from '../src/engine/srcu/window.ts';
import { bootStorm } from '../src/scenarios/bootStorm.ts';
import { scenarioSource } from '../src/scenarios/registry.ts';

/** What the full rules start with above G: 2 ms * F of credit at 8 CPUs (docs/model, 8.6 S5, C7, 11.2). */
const START_CREDIT_NS = 12_000_000;

/**
 * CR3 takes W = k* P for the time that the worker keeps the CPU, also where its last pass makes two checks instead of
 * three (4.1). The worker of the full rules has the CPU for the passes that it really makes. With the window of the
 * credit form shortened accordingly, both are the same machine.
 */
vi.mock('../src/engine/srcu/window.ts', async (importOriginal) => {
  const original = await importOriginal<typeof import('../src/engine/srcu/window.ts')>();
  const retryNs = 5000;
  const windowNs = (input: WindowInput) => {
    const { byPhase, byJiffy, byAge } = windowPasses(input);
    const passes = Math.min(byPhase, byJiffy, byAge);
    if (!Number.isFinite(passes)) return passes;
    const { passNs, oncePerTry, phaseLimit, delayRule } = input;
    const ageNs = delayRule === 'age-1' ? input.firstTickNs : input.secondTickNs;
    const startNs = (passes - 1) * passNs;
    const firstCheckNs = startNs + 9100;
    const early = oncePerTry
      ? 2 * passes - 1 > phaseLimit || firstCheckNs >= ageNs
      : 4 * (passes - 1) + 2 > phaseLimit || firstCheckNs + retryNs >= ageNs;
    // The second busy-wait of a pass falls away: everything but c and the first.
    return passes * passNs - (early ? passNs - 9100 - retryNs : 0);
  };
  return { ...original, windowNs };
});

function virtualNs(variant: string, machine: Readonly<Record<string, unknown>>): number {
  const parsed = parseConfig({ v: 1, scenario: `boot-storm:${variant}`, machine }, scenarioSource);
  if (!parsed.ok) throw new Error(parsed.problems.map(({ message }) => message).join('\n'));
  const run = createRun(parsed.config);
  while (run.advance(1_000_000).state === 'running');
  return run.nowNs;
}

describe('full scheduler rules with plain costs are the credit form', () => {
  const variants = bootStorm.variants.map(({ id }) => id).filter((id) => !id.startsWith('second-'));

  test('all 23 runs are there', () => {
    expect(variants).toHaveLength(23);
  });

  test('boot-storm:v5.18 within 0.01 %: a tick frees the requester, not the end of the window', () => {
    const full = virtualNs('v5.18', { requester: 'scheduler' });
    const credit = virtualNs('v5.18', { creditStartNs: START_CREDIT_NS });
    expect(Math.abs(full / credit - 1)).toBeLessThan(0.0001);
  });

  test.each(variants.filter((id) => id !== 'v5.18'))(
    'boot-storm:%s to the nanosecond, for equal start credit',
    (variant) => {
      const full = virtualNs(variant, { requester: 'scheduler' });
      expect(full).toBe(virtualNs(variant, { creditStartNs: START_CREDIT_NS }));
    },
  );
});
