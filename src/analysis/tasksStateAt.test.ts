import { describe, expect, it } from 'vitest';
import { KIND, RTGS, TASKS_FLAVOR, TASKS_HOLDOUT, TASKS_WHY } from '../engine/core/eventKinds.ts';
import type { EventLog } from '../engine/core/eventLog.ts';
import type { RunInfo } from '../engine/core/info.ts';
import type { EventRow } from '../engine/core/rows.ts';
import { createCheckpoints } from './checkpoints.ts';
import { sliceRows } from './rowWindow.ts';
import { config, MS, run, updater } from './runs.testkit.ts';
import { stateAt } from './stateAt.ts';
import { TASKS_SAMPLES, tasksSample } from './tasksRuns.testkit.ts';
import type { TasksFlavorAt, TasksStateAt } from './tasksStateTypes.ts';

function tasksAt(log: EventLog, info: RunInfo, row: number): TasksStateAt {
  const checkpoint = createCheckpoints(log, info).before(row);
  const cursor = { row, timeNs: row < 0 ? 0 : log.timeNs(row) };
  const { tasks } = stateAt(sliceRows(log, checkpoint.row, row + 1), checkpoint, cursor, info);
  if (tasks === undefined) throw new Error('no RCU Tasks');
  return tasks;
}

function flavorAt(log: EventLog, info: RunInfo, row: number): TasksFlavorAt {
  return tasksAt(log, info, row).flavors[0] as TasksFlavorAt;
}

/** The first row that is so, from a row on. */
function rowWhere(log: EventLog, isIt: (event: EventRow) => boolean, from = 0): number {
  for (let row = from; row < log.length; row++) if (isIt(log.row(row))) return row;
  throw new Error('no such row');
}

const stateRow = (log: EventLog, state: number, from = 0) =>
  rowWhere(log, ({ kind, a }) => kind === KIND.rcu_tasks_state && a === state, from);

describe('state of RCU Tasks at a cursor', () => {
  it('is there from the beginning, and only in runs that have it', () => {
    const { log, info } = run(tasksSample('plain, kernel holdout'));
    expect(flavorAt(log, info, -1)).toMatchObject({
      ...{ flavor: TASKS_FLAVOR.classic, gpState: RTGS.WAIT_CBS, gpSeq: 0, gpNumber: 0, isRunning: false },
      callbacks: { waiting: 0, taken: 0, ready: 0 },
    });
    const other = run(config([updater()]));
    const checkpoint = createCheckpoints(other.log, other.info).before(-1);
    const cursor = { row: -1, timeNs: 0 };
    expect(stateAt(sliceRows(other.log, 0, 1), checkpoint, cursor, other.info).tasks).toBeUndefined();
  });

  it('follows one grace period with a holdout in the kernel', () => {
    const { log, info } = run(tasksSample('plain, kernel holdout'));
    const pre = stateRow(log, RTGS.PRE_WAIT_GP);
    const inPre = flavorAt(log, info, stateRow(log, RTGS.SCAN_TASKLIST) - 1);
    expect(inPre).toMatchObject({ gpNumber: 1, isRunning: true, callbacks: { taken: 1, waiting: 0 } });
    expect(inPre.inner).toMatchObject({ which: 'pre', row: pre, isExpedited: false });

    const sleeping = rowWhere(
      log,
      ({ kind, d }) => kind === KIND.timer_start && d === inPre.track,
      stateRow(log, RTGS.WAIT_SCAN_HOLDOUTS),
    );
    const wait = flavorAt(log, info, sleeping);
    expect(wait).toMatchObject({ gpState: RTGS.WAIT_SCAN_HOLDOUTS, left: 1, inner: undefined });
    expect(wait.sleep).toMatchObject({ of: 'scan', delay: 25, leftJiffies: 26 });
    expect(wait.holdouts).toMatchObject([{ cpu: 1, state: 'holdout', doing: 'kernel', why: -1 }]);
    expect(wait.phase).toMatchObject({ sleeps: 1, scanCount: 0 });

    const post = stateRow(log, RTGS.POST_GP);
    const after = flavorAt(log, info, post);
    expect(after).toMatchObject({ left: 0, holdouts: [{ state: 'off' }] });
    // scans at 100, 204 and 312 ms (4.4) and the holdout leaves after 250 ms
    expect(after.phase?.scans.map(({ before, left }) => [before, left])).toEqual([
      [1, 1],
      [1, 1],
      [1, 0],
    ]);
    const ended = flavorAt(log, info, stateRow(log, RTGS.INVOKE_CBS));
    expect(ended).toMatchObject({ gpSeq: 4, gpNumber: 1, isRunning: false, callbacks: { ready: 1 } });
  });

  it('tells a task in user mode, its release at a tick, and its switches', () => {
    const { log, info } = run(tasksSample('user load'));
    const released = rowWhere(
      log,
      ({ kind, a, c }) =>
        kind === KIND.rcu_tasks_holdout && a === TASKS_HOLDOUT.released && c === TASKS_WHY.userTick,
    );
    const holdout = (row: number) => flavorAt(log, info, row).holdouts.find(({ cpu }) => cpu === 1);
    expect(holdout(released - 1)).toMatchObject({ state: 'holdout', doing: 'user' });
    expect(holdout(released)).toMatchObject({
      ...{ state: 'released', why: TASKS_WHY.userTick, releasedNs: log.timeNs(released) },
    });
    expect(holdout(released)?.nvcsw).toBe(holdout(released)?.snapshot);
  });

  it('knows laziness: the timer, and looks that are left', () => {
    const { log, info } = run(tasksSample('lazy'));
    const armed = rowWhere(log, ({ kind, a }) => kind === KIND.timer_start && a === 7);
    const lazy = flavorAt(log, info, armed);
    expect(lazy).toMatchObject({ lazyJiffies: 63, urgentGp: 0 });
    expect(lazy.lazyTimer?.leftJiffies).toBeGreaterThanOrEqual(63);
    expect(lazy.lazyTimer?.leftJiffies).toBeLessThanOrEqual(71);
    const start = stateRow(log, RTGS.WAIT_GP);
    expect(flavorAt(log, info, start)).toMatchObject({ urgentGp: 0 });
    expect(log.timeNs(start) - log.timeNs(armed)).toBeGreaterThan(250 * MS);
  });

  it('has gp_sleep, exits, work items of Rude and sections of Trace', () => {
    const classic = run(tasksSample('exit srcu'));
    const track = flavorAt(classic.log, classic.info, -1).track;
    const nap = rowWhere(
      classic.log,
      ({ kind, d }) => kind === KIND.timer_start && d === track,
      stateRow(classic.log, RTGS.INVOKE_CBS),
    );
    expect(flavorAt(classic.log, classic.info, nap).sleep).toMatchObject({ of: 'gpSleep', delay: 25 });
    const exits = rowWhere(classic.log, ({ kind }) => kind === KIND.rcu_tasks_exit);
    expect(tasksAt(classic.log, classic.info, exits).exiting).toMatchObject([
      { cpu: 2, state: 'exiting', isOnList: false },
    ]);
    const exitWait = stateRow(classic.log, RTGS.POST_SCAN_TASKLIST);
    expect(flavorAt(classic.log, classic.info, exitWait).inner?.which).toBe('exit');

    const rude = run(tasksSample('rude'));
    const end = stateRow(rude.log, RTGS.INVOKE_CBS);
    expect(flavorAt(rude.log, rude.info, end).rude.map(({ cpu, state }) => [cpu, state])).toEqual(
      [0, 1, 2, 3].map((cpu) => [cpu, 'ran']),
    );

    const trace = run(tasksSample('trace'));
    const noted = rowWhere(trace.log, ({ kind, a }) => kind === KIND.rcu_tasks_ipi && a === 2);
    const reader = flavorAt(trace.log, trace.info, noted).holdouts.find(({ isNoted }) => isNoted);
    expect(reader).toMatchObject({ isInSection: true, hasIpi: false, state: 'holdout' });
  });

  for (const [name, sample] of Object.entries(TASKS_SAMPLES)) {
    it(`agrees with the rows that state it: ${name}`, () => {
      const { log, info } = run(sample());
      let checks = 0;
      for (let row = 0; row < log.length; row++) {
        const { kind, track, a, b, c, d } = log.row(row);
        const flavorBefore = () => tasksAt(log, info, row - 1).flavors.find(({ flavor }) => flavor === b);
        if (kind === KIND.rcu_tasks_scan) {
          const flavor = tasksAt(log, info, row).flavors.find((one) => one.flavor === b) as TasksFlavorAt;
          expect({ row, left: flavor.left }).toEqual({ row, left: c });
          expect(flavor.phase?.scans.at(-1)).toMatchObject({ row, before: a, left: c });
          checks++;
        }
        if (kind === KIND.rcu_tasks_callback) {
          const { waiting, taken, ready } = (flavorBefore() as TasksFlavorAt).callbacks;
          // those that are being invoked count until all of them have been
          expect(waiting + taken + ready).toBeLessThanOrEqual(d);
          checks++;
        }
        const isSwitch = a === TASKS_HOLDOUT.released && c === TASKS_WHY.voluntarySwitch;
        if (kind === KIND.rcu_tasks_holdout && isSwitch && info.contended) {
          const holdouts = tasksAt(log, info, row + 1).flavors.find(({ flavor }) => flavor === b)?.holdouts;
          const holdout = holdouts?.find(({ track: one }) => one === track);
          expect({ row, nvcsw: holdout?.nvcsw }).toEqual({ row, nvcsw: (holdout?.snapshot ?? 0) + 1 });
          checks++;
        }
        if (kind === KIND.rcu_tasks_invoke_callback) {
          expect(flavorBefore()?.callbacks.ready).toBeGreaterThan(0);
          checks++;
        }
      }
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
          return stateAt(sliceRows(log, checkpoint.row, row + 1), checkpoint, cursor, info).tasks;
        };
        expect(at(near)).toEqual(at(far));
      }
    });
  }
});
