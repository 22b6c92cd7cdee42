import { describe, expect, it } from 'vitest';
import type { SimConfig } from '../engine/config.ts';
import { KIND } from '../engine/core/eventKinds.ts';
import { presetMachine } from '../engine/machine/presets.ts';
import type { ProfileId } from '../engine/profiles/profiles.ts';
import { kvfreeFigures } from './kvfreeFigures.ts';
import { KVFREE_SAMPLES, kfree, kvfreeSample } from './kvfreeRuns.testkit.ts';
import { createRunIndex } from './runIndex.ts';
import { config, MS, reader, run, updater } from './runs.testkit.ts';

function figuresOf(sample: SimConfig) {
  const { log, info } = run(sample);
  const figures = kvfreeFigures(log, createRunIndex(log, info));
  if (figures === undefined) throw new Error('no kvfree_rcu()');
  return { log, figures };
}

describe('figures of kvfree_rcu()', () => {
  it('are there only where something was given to it', () => {
    const { log, info } = run(config([updater()]));
    expect(kvfreeFigures(log, createRunIndex(log, info))).toBeUndefined();
  });

  it('count the blocks by the records that their free says', () => {
    const { log, figures } = figuresOf(kvfreeSample('flood'));
    let blocks = 0;
    let objects = 0;
    log.forEach(({ kind, a }) => {
      if (kind !== KIND.rcu_invoke_kfree_bulk_callback) return;
      blocks++;
      objects += a;
    });
    const counted = figures.blocksByRecords;
    expect(counted).toHaveLength(508);
    expect(counted.reduce((sum, count) => sum + count, 0)).toBe(blocks);
    expect(counted.reduce((sum, count, held) => sum + count * held, 0)).toBe(objects);
    expect(counted[507]).toBeGreaterThan(0.8 * blocks);
    expect(figures.queued).toBe(4 * 20 * 4000);
    expect(figures.peakBytes).toBeGreaterThan(figures.footprintBytes);
  });

  for (const name of Object.keys(KVFREE_SAMPLES).filter((sample) => sample !== 'old attach')) {
    it(`nothing is freed too early: ${name}`, () => {
      expect(figuresOf(kvfreeSample(name)).figures.freedEarly).toBe(0);
    });
  }

  it('tell the real bug from the false alarm', () => {
    // the first flood fills the head channel only, as its page cache is not filled before it is over
    const two = (kernel: ProfileId) => {
      const flood = { cpu: 1, count: 1, loops: 1, sizes: [64], nice: 0 };
      const late = kfree({ ...flood, allocs: 1200, start: 34 * MS });
      const held = reader({ domain: 'rcu', cpu: 2, start: MS, hold: 80 * MS, times: 1 });
      return config([kfree({ ...flood, allocs: 600 }), late, held], {
        ...{ kernel, cpus: 4, preempt: 'none', rules: { 'kvfree.attach': 'v5.18' } },
        machine: presetMachine('typical'),
      });
    };
    const old = figuresOf(two('v5.18')).figures;
    expect(old.freedEarly).toBeGreaterThan(1000);
    expect(old.debug).toEqual({ freeActive: 0, doubleQueue: 0, leaked: 0 });
    const checked = figuresOf(two('v6.12')).figures;
    expect(checked.freedEarly).toBe(0);
    expect(checked.debug.leaked).toBeGreaterThan(1000);
    const alarm = figuresOf({
      ...kvfreeSample('flood'),
      rules: { 'kvfree.debugBulk': 'kfree-bulk-2019-12-31' },
      kconfig: { DEBUG_OBJECTS_RCU_HEAD: true },
    }).figures;
    const inBlocks = alarm.blocksByRecords.reduce((sum, count, held) => sum + count * held, 0);
    expect(alarm).toMatchObject({ freedEarly: 0, debug: { freeActive: inBlocks, leaked: 0 } });
  });
});
