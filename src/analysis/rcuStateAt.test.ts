import { describe, expect, it } from 'vitest';
import { KIND, RCU_GP } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import { createCheckpoints } from './checkpoints.ts';
import { RcuReplay } from './rcuReplay.ts';
import { RCU_SAMPLES, sampleOf } from './rcuRuns.testkit.ts';
import { initialRcu, type RcuSnapshot } from './rcuSnapshot.ts';
import { RCU_STAGE, type RcuStateAt } from './rcuStateTypes.ts';
import { sliceRows } from './rowWindow.ts';
import { config, run, updater } from './runs.testkit.ts';
import { stateAt } from './stateAt.ts';

function rcuAt(log: EventLog, info: RunInfo, row: number): RcuStateAt {
  const checkpoint = createCheckpoints(log, info).before(row);
  const cursor = { row, timeNs: row < 0 ? 0 : log.timeNs(row) };
  const { rcu } = stateAt(sliceRows(log, checkpoint.row, row + 1), checkpoint, cursor, info);
  if (rcu === undefined) throw new Error('no Tree RCU');
  return rcu;
}

/** The first row of a rcu_grace_period string, from a row on. */
function gpRow(log: EventLog, what: keyof typeof RCU_GP, from = 0): number {
  for (let row = from; row < log.length; row++) {
    const { kind, a } = log.row(row);
    if (kind === KIND.rcu_grace_period && a === RCU_GP[what]) return row;
  }
  throw new Error(`no ${what}`);
}

describe('state of Tree RCU at a cursor', () => {
  it('is there from the beginning, and only in runs that have it', () => {
    const { log, info } = run(sampleOf('plain, idle'));
    expect(rcuAt(log, info, -1)).toMatchObject({ gpSeq: -1200, isRunning: false, gpNumber: -300 });
    const srcu = run(config([updater()]));
    const [checkpoint, cursor] = [createCheckpoints(srcu.log, srcu.info).before(-1), { row: -1, timeNs: 0 }];
    expect(stateAt(sliceRows(srcu.log, 0, 1), checkpoint, cursor, srcu.info).rcu).toBeUndefined();
  });

  it('follows one grace period of an idle machine', () => {
    const { log, info } = run(sampleOf('plain, idle'));
    const start = gpRow(log, 'start');
    const before = rcuAt(log, info, start - 1);
    expect(before.kthread.isRequested).toBe(true);
    expect(before.callbacks).toMatchObject([{ cpu: 0, wait: 1, waitSeq: -1196, next: 0, len: 1 }]);
    expect(before.callers).toMatchObject([
      { waitsFor: 'gp', segment: 'wait', target: -1196, api: 'synchronize_rcu' },
    ]);

    const wait = rcuAt(log, info, gpRow(log, 'fqswait', start) + 1);
    expect(wait).toMatchObject({ gpSeq: -1199, isRunning: true, gpNumber: -300, owing: 4 });
    expect(wait.nodes.qsmaskLo[0]).toBe(0xf);
    expect(wait.kthread).toMatchObject({ gpState: 'WAIT_FQS', scans: 0, cpu: 0 });
    expect(wait.kthread.wait).toMatchObject({ number: 1, delay: 1, leftJiffies: 2, untilJiffy: 3 });
    expect([...wait.cpus.stage]).toEqual([RCU_STAGE.learned, RCU_STAGE.owes, RCU_STAGE.owes, RCU_STAGE.owes]);

    const end = gpRow(log, 'end', start);
    const atEnd = rcuAt(log, info, end - 1);
    expect(atEnd.owing).toBe(0);
    expect(atEnd.kthread).toMatchObject({ gpState: 'CLEANUP', scans: 1 });
    expect([...atEnd.cpus.stage]).toEqual([
      RCU_STAGE.reported,
      RCU_STAGE.found,
      RCU_STAGE.found,
      RCU_STAGE.found,
    ]);
    const after = rcuAt(log, info, end);
    expect(after).toMatchObject({ gpSeq: -1196, isRunning: false, ageJiffies: 0 });
    // over, and the kthread has advanced the list of its own CPU
    expect(after.callers).toMatchObject([{ waitsFor: 'callback', segment: 'done' }]);
  });

  it.each(['several callers', 'offloaded', 'callbacks and barrier'])(
    'a callback that is waited for is in a segment that holds something, with its number: %s',
    (name) => {
      const { log, info } = run(sampleOf(name));
      const seen = new Set<string>();
      for (let row = 0; row < log.length; row += 7) {
        const { callers, callbacks } = rcuAt(log, info, row);
        for (const { segment, cpu, target, waitsFor } of callers) {
          const list = callbacks.find((one) => one.cpu === cpu);
          if (segment === undefined || list === undefined) continue;
          seen.add(segment);
          expect(list[segment]).toBeGreaterThan(0);
          if (waitsFor === 'gp') expect(target).toBe(segment === 'wait' ? list.waitSeq : list.nextReadySeq);
        }
      }
      expect(seen).toContain('wait');
    },
  );

  for (const [name, sample] of Object.entries(RCU_SAMPLES)) {
    it(`agrees with the rows that state it: ${name}`, () => {
      const { log, info } = run(sample());
      const rcu = new RcuReplay(initialRcu(info) as RcuSnapshot, info);
      let checks = 0;
      log.forEach((event, row) => {
        if (event.kind === KIND.rcu_grace_period && event.a === RCU_GP.end) {
          expect([...rcu.nodes.qsmaskLo, ...rcu.nodes.qsmaskHi].every((half) => half === 0)).toBe(true);
          expect(rcu.nodes.gpTasks.every((count) => count === 0)).toBe(true);
          checks++;
        }
        if (event.kind === KIND.rcu_callback) {
          expect({ row, len: (rcu.lists.get(event.track)?.len ?? 0) + 1 }).toEqual({ row, len: event.c });
          checks++;
        }
        if (event.kind === KIND.rcu_batch_start) {
          expect({ row, len: rcu.lists.get(event.c)?.len }).toEqual({ row, len: event.a });
          checks++;
        }
        if (event.kind === KIND.rcu_batch_end) {
          const list = rcu.lists.get(event.c);
          expect({ row, n: list?.invokedInBatch, more: (list?.invoking ?? 0) > 0 }).toEqual({
            ...{ row, n: event.a, more: (event.b & 1) === 1 },
          });
          checks++;
        }
        rcu.apply(event, row);
      });
      if (info.config.actors.some((actor) => actor.kind === 'updater' && actor.api === 'synchronize_rcu'))
        expect(checks).toBeGreaterThan(0);
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
          return stateAt(sliceRows(log, checkpoint.row, row + 1), checkpoint, cursor, info).rcu;
        };
        expect(at(near)).toEqual(at(far));
      }
    });
  }
});
