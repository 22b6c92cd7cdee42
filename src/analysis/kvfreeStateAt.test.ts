import { describe, expect, it } from 'vitest';
import { KIND, KVFREE_DEBUG, WORK_FN } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { createCheckpoints } from './checkpoints.ts';
import { KVFREE_SAMPLES, kvfreeSample } from './kvfreeRuns.testkit.ts';
import type { KvfreeStateAt } from './kvfreeStateTypes.ts';
import { sliceRows } from './rowWindow.ts';
import { config, run, updater } from './runs.testkit.ts';
import { stateAt } from './stateAt.ts';

/** The state after row `row`, at its time or at `timeNs`; the window reaches to the end of the log. */
function statesOf({ log, info }: { log: EventLog; info: RunInfo }) {
  const checkpoints = createCheckpoints(log, info, 256);
  const whole = sliceRows(log, 0, log.length);
  return (row: number, timeNs = log.timeNs(row)): KvfreeStateAt => {
    const { kvfree } = stateAt(whole, checkpoints.before(row), { row, timeNs }, info);
    if (kvfree === undefined) throw new Error('no kvfree_rcu()');
    return kvfree;
  };
}

function rowsOf(log: EventLog, kind: number): number[] {
  return Array.from({ length: log.length }, (_, row) => row).filter((row) => log.kind(row) === kind);
}

describe('kvfree_rcu() at a cursor', () => {
  it('is there from the start, and only in runs that have it', () => {
    const { log, info } = run(kvfreeSample('plain'));
    const window = sliceRows(log, 0, log.length);
    const first = stateAt(window, createCheckpoints(log, info).before(-1), { row: -1, timeNs: 0 }, info);
    expect(first.kvfree).toMatchObject({ krcs: [], queued: 0, records: 507, isBatching: true });
    const srcu = run(config([updater()]));
    const before = createCheckpoints(srcu.log, srcu.info).before(0);
    const other = stateAt(sliceRows(srcu.log, 0, 1), before, { row: 0, timeNs: 0 }, srcu.info);
    expect(other.kvfree).toBeUndefined();
  });

  it('tells plain floods, one object a nanosecond, exactly', () => {
    const { log, info } = run(kvfreeSample('plain'));
    const kvfreeAt = statesOf({ log, info });
    const [first, second, third] = rowsOf(log, KIND.kvfree_unit_open).filter(
      (row) => log.row(row).track === 0,
    );
    // object 1 goes to the head channel, its run ends when there is a block
    expect(kvfreeAt(first as number).krcs[0]).toMatchObject({
      ...{ cpu: 0, objects: 1, bytes: 256, monitor: { state: 'idle' }, cache: { blocks: 0, max: 5 } },
    });
    expect(kvfreeAt((first as number) + 1).krcs[0]?.monitor).toMatchObject({
      ...{ state: 'armed', delay: 1250, untilJiffy: 1280, leftJiffies: 1280 },
    });
    const atNs = log.timeNs(second as number) + 100;
    const krc = kvfreeAt(second as number, atNs).krcs[0];
    expect(krc?.channels.head).toMatchObject({ units: 1, objects: 1 });
    expect(krc?.channels.bulk).toMatchObject({ units: 1, objects: 101, bytes: 101 * 256 });
    expect(krc?.channels.bulk.newest[0]).toMatchObject({ capacity: 507, count: 101, isOpen: true });
    expect(krc?.cache).toMatchObject({ blocks: 4, fill: 'idle' });
    const later = kvfreeAt(third as number).krcs[0];
    expect(later?.channels.bulk.newest.map(({ count, isFull }) => [count, isFull])).toEqual([
      [1, false],
      [507, true],
    ]);
    expect(later?.monitor).toMatchObject({ state: 'armed', delay: 1, leftJiffies: 2 });
    const end = kvfreeAt(log.length - 1);
    expect(end).toMatchObject({ queued: 0, waiting: 0, freeing: 0, freed: 24_000, leaked: 0 });
    expect(end.memory).toMatchObject({ queued: 0, waiting: 0, freeing: 0, blocks: 10 * 4096 });
  });

  it('follows a batch from attach to free', () => {
    const { log, info } = run(kvfreeSample('flood'));
    const kvfreeAt = statesOf({ log, info });
    const attach = rowsOf(log, KIND.kvfree_attach)[0] as number;
    const { track: cpu, b: objects, c: number } = log.row(attach);
    const krw = (row: number) => kvfreeAt(row).krcs.find((krc) => krc.cpu === cpu)?.krw[0];
    expect(krw(attach)).toMatchObject({ state: 'waiting', batch: { number, objects, gpNumber: Number.NaN } });
    const queued = rowsOf(log, KIND.workqueue_queue_work).find((row) => {
      const { a, b } = log.row(row);
      return row > attach && a === WORK_FN.kfree_rcu_work && b === cpu;
    }) as number;
    const before = krw(queued - 2)?.batch;
    expect(before?.state).toBe('gpOver');
    expect(krw(queued)).toMatchObject({ state: 'queued', batch: { number, listCpu: cpu } });
    const numbers = new Set<number>();
    for (let row = attach; row < queued; row += 7) numbers.add(krw(row)?.batch?.gpNumber ?? Number.NaN);
    expect([...numbers].filter((gp) => !Number.isNaN(gp)).length).toBeGreaterThan(0);
    const start = rowsOf(log, KIND.workqueue_execute_start).find(
      (row) => log.row(row).c === number && row > queued,
    );
    expect(krw(start as number)).toMatchObject({ state: 'freeing', reclaim: { number, objects } });
    const free = rowsOf(log, KIND.rcu_invoke_kfree_bulk_callback).find((row) => row > (start as number));
    const { a: records, d: lengthNs, c: owner } = log.row(free as number);
    const half = kvfreeAt(free as number, log.timeNs(free as number) + Math.floor(lengthNs / 2));
    const reclaims = half.krcs.find((krc) => krc.cpu === owner)?.krw.map(({ reclaim }) => reclaim);
    const inHand = reclaims?.find((reclaim) => reclaim?.inHand !== undefined)?.inHand;
    expect(inHand?.unit.count).toBe(records);
    expect(inHand?.done).toBeCloseTo(0.5, 2);
  });

  for (const [name, sample] of Object.entries(KVFREE_SAMPLES)) {
    it(`agrees with the rows that state it: ${name}`, () => {
      const { log, info } = run(sample());
      const kvfreeAt = statesOf({ log, info });
      let checks = 0;
      // between its first object and its last a unit may be wrong by this
      const largest = Math.max(...rowsOf(log, KIND.kvfree_unit_close).map((row) => log.row(row).b));
      for (const row of rowsOf(log, KIND.kvfree_attach)) {
        const { track: cpu, b: objects, a } = log.row(row);
        const state = kvfreeAt(row).krcs.find((krc) => krc.cpu === cpu);
        const was = kvfreeAt(row - 1, log.timeNs(row)).krcs.find((krc) => krc.cpu === cpu);
        const old = was?.krw[a & 1]?.batch?.objects ?? 0;
        expect(state?.krw[a & 1]?.batch?.objects).toBe(old + objects);
        if (info.rules['kvfree.attach'] === 'empty-batch') expect(state?.objects).toBe(0);
        checks++;
      }
      for (const row of rowsOf(log, KIND.workqueue_execute_start)) {
        const { a: fn, b: cpu, c: count } = log.row(row);
        if (fn !== WORK_FN.kfree_rcu_monitor) continue;
        const krc = kvfreeAt(row).krcs.find((other) => other.cpu === cpu);
        expect(Math.abs((krc?.objects ?? 0) - count)).toBeLessThan(largest);
        expect(krc?.monitor.state).toBe('running');
        checks++;
      }
      for (const row of rowsOf(log, KIND.kvfree_memory)) {
        const { c: objectBytes, d: blockBytes } = log.row(row);
        const { memory, krcs } = kvfreeAt(row);
        const objects = memory.queued + memory.waiting + memory.freeing + memory.leaked + memory.retained;
        expect(Math.abs(objects - objectBytes)).toBeLessThan(krcs.length * largest * 256 + 1);
        expect(Math.abs(memory.blocks - blockBytes)).toBeLessThanOrEqual(krcs.length * 4096);
        checks++;
      }
      expect(checks).toBeGreaterThan(3);
      const end = kvfreeAt(log.length - 1);
      const all = rowsOf(log, KIND.kvfree_unit_close).reduce((sum, row) => sum + log.row(row).b, 0);
      const found = (what: number) =>
        rowsOf(log, KIND.kvfree_debug).reduce(
          (sum, row) => sum + (log.row(row).a === what ? log.row(row).c : 0),
          0,
        );
      const leaked = found(KVFREE_DEBUG.leaked);
      const freed = all - leaked;
      expect(end.debug).toEqual({
        freeActive: found(KVFREE_DEBUG.freeActive),
        doubleQueue: found(KVFREE_DEBUG.doubleQueue),
      });
      expect(end).toMatchObject({ queued: 0, waiting: 0, freeing: 0, freed, leaked, inline: [] });
    });

    it(`is the same from any checkpoint: ${name}`, () => {
      const { log, info } = run(sample());
      const near = createCheckpoints(log, info, 64);
      const far = createCheckpoints(log, info, 2 ** 24);
      const step = Math.max(17, Math.floor(log.length / 24));
      for (let row = -1; row < log.length; row += step) {
        const at = (checkpoints: typeof near) => {
          const checkpoint = structuredClone(checkpoints.before(row));
          const cursor = { row, timeNs: row < 0 ? 0 : log.timeNs(row) };
          return stateAt(sliceRows(log, checkpoint.row, log.length), checkpoint, cursor, info).kvfree;
        };
        expect(at(near)).toEqual(at(far));
      }
    });
  }

  it('counts what the monitor frees without waiting', () => {
    const { log, info } = run(kvfreeSample('expedited beside it'));
    const kvfreeAt = statesOf({ log, info });
    const drains = rowsOf(log, KIND.kvfree_drain_ready);
    expect(drains.length).toBeGreaterThan(0);
    const objects = drains.reduce((sum, row) => sum + log.row(row).a, 0);
    expect(kvfreeAt(log.length - 1).freedWithoutWaiting).toBe(objects);
    const first = drains[0] as number;
    const { track: cpu, a } = log.row(first);
    const krc = kvfreeAt(first).krcs.find((other) => other.cpu === cpu);
    expect(krc?.monitor.reclaim).toMatchObject({ number: -1, objects: a });
  });
});
