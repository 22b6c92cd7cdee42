/** A bug in the engine's RCU Tasks for every invariant T1 to T11, and the checker that must find it. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type Actor, domainOfApi, type SimConfig, type TasksApi, type UpdaterActor } from '../../config.ts';
import { RTGS, TASKS_WHY } from '../../core/eventKinds.ts';
import { load, reader, simConfig, updater } from '../../reference/simConfig.testkit.ts';
import { Backoff } from '../../tasks/backoff.ts';
import { CallbackQueue } from '../../tasks/callbackQueue.ts';
import { ClassicOps } from '../../tasks/classic.ts';
import { tasksConstants } from '../../tasks/constants.ts';
import { TasksFlavor } from '../../tasks/flavor.ts';
import { isHoldout, isRunnable, TaskList } from '../../tasks/taskList.ts';
import { TasksRcu } from '../../tasks/tasksRcu.ts';
import { createSynchronizeRcu } from '../../tree/synchronizeRcu.ts';
import { idsFound } from '../found.testkit.ts';

vi.mock('../../tasks/constants.ts', { spy: true });
vi.mock('../../tasks/taskList.ts', { spy: true });
vi.mock('../../tree/synchronizeRcu.ts', { spy: true });

const real = await vi.importActual<typeof import('../../tasks/constants.ts')>('../../tasks/constants.ts');

afterEach(() => {
  vi.restoreAllMocks();
  vi.resetAllMocks();
});

const MS = 1_000_000;
const SECOND = 1_000_000_000;
const EVERY = { count: 1, start: 0, stagger: 0 } as const;

function call(api: TasksApi, part: Partial<UpdaterActor> = {}): UpdaterActor {
  return updater({ api, domain: domainOfApi(api), calls: 3, start: MS, ...part });
}
/** In the kernel, preempted at most: it is waited for until it sleeps. */
const holdout: Actor = { kind: 'holdout', cpu: 1, ...EVERY, spin: 250 * MS, sleep: MS };
const spinner = load({ cpu: 2, spin: 10 * MS });
const user = load({ cpu: 3, mode: 'user' });
const exiter: Actor = { kind: 'exiter', cpu: 2, ...EVERY, gap: 3 * MS, exit: MS, tail: 5000 };

const shared = { preset: 'virtual-1gips', stop: { afterNs: 2 * SECOND } } as const;
const stop = { afterNs: 2 * SECOND };
/** Callers, callbacks that nobody waits for, a holdout, a task in user mode, tasks that exit. */
const busyActors = [call('synchronize_rcu_tasks'), call('call_rcu_tasks', { cpu: 3 }), holdout, user, exiter];
const busy = simConfig({ ...shared, actors: busyActors });
const plain = simConfig({ actors: busyActors, stop });
/** Nobody to wait for. */
const idle = simConfig({ actors: [call('synchronize_rcu_tasks')], stop });
const lazy = simConfig({ actors: [call('call_rcu_tasks')], stop });
const trace = simConfig({
  actors: [
    call('synchronize_rcu_tasks_trace'),
    reader({ domain: 'tasks-trace', cpu: 1, hold: 100 * MS, holdMode: 'sleep', idle: MS }),
    reader({ domain: 'tasks-trace', cpu: 2, hold: 70 * MS, idle: MS }),
  ],
  stop,
});
const rude = simConfig({ ...shared, actors: [call('synchronize_rcu_tasks_rude'), holdout] });
const KERNELS = ['v4.17', 'tasks-2018-05-20', 'v5.10', 'v6.1', 'v6.6', 'v6.12'] as const;

describe('without a bug', () => {
  it.each<[string, SimConfig]>([
    ...KERNELS.flatMap((kernel): [string, SimConfig][] => [
      [`busy, ${kernel}`, simConfig({ ...shared, kernel, actors: busyActors })],
      [`plain, ${kernel}`, simConfig({ kernel, actors: busyActors, stop })],
    ]),
    ['idle', idle],
    ['lazy', lazy],
    ['trace', trace],
    ['rude', rude],
    ['PREEMPT_RT', simConfig({ ...shared, kconfig: { PREEMPT_RT: true }, actors: busyActors })],
  ])('nothing is found: %s', (_, config) => {
    expect(idsFound(config)).toEqual([]);
  });
});

describe('T1: a callback runs after everybody who was runnable', () => {
  it('finds a task that the scan of the task list does not see', () => {
    vi.mocked(isHoldout).mockImplementation(
      (record, kthread) => record.task !== kthread && record.task.userMode && isRunnable(record),
    );
    expect(idsFound(busy)).toContain('T1');
  });

  it('finds a section of Trace that is not counted', () => {
    const { lockTrace, unlockTrace } = TasksRcu.prototype;
    vi.spyOn(TasksRcu.prototype, 'lockTrace').mockImplementation(function (this: TasksRcu, task) {
      lockTrace.call(this, task);
      this.list.record(task).traceNesting = 0;
    });
    vi.spyOn(TasksRcu.prototype, 'unlockTrace').mockImplementation(function (this: TasksRcu, task) {
      this.list.record(task).traceNesting = 1;
      unlockTrace.call(this, task);
    });
    expect(idsFound(trace)).toContain('T1');
  });
});

it('T2 finds a callback that runs with the grace period under way', () => {
  const { look, advance } = CallbackQueue.prototype;
  vi.spyOn(CallbackQueue.prototype, 'advance').mockImplementation(function (this: CallbackQueue) {
    look.call(this);
    advance.call(this);
  });
  expect(idsFound(busy)).toContain('T2');
});

describe('T3: holdouts', () => {
  it('finds the end of the loop with holdouts on the list', () => {
    vi.spyOn(ClassicOps.prototype, 'holdouts', 'get').mockReturnValue(0);
    expect(idsFound(plain)).toContain('T3');
  });

  it('finds one that is added by a later scan', () => {
    const { scanHoldouts, scanTasks } = ClassicOps.prototype;
    vi.spyOn(ClassicOps.prototype, 'scanHoldouts').mockImplementation(function (this: ClassicOps, report) {
      return scanHoldouts.call(this, report) + (this.holdouts === 1 ? scanTasks.call(this) : 0);
    });
    expect(idsFound(simConfig({ actors: [...busyActors, spinner], stop }))).toContain('T3');
  });
});

describe('T4: the states', () => {
  const withoutState = (lost: number) => {
    const { setState } = TasksFlavor.prototype;
    vi.spyOn(TasksFlavor.prototype, 'setState').mockImplementation(function (this: TasksFlavor, state) {
      if (state !== lost) setState.call(this, state);
    });
  };

  it.each([RTGS.PRE_WAIT_GP, RTGS.SCAN_HOLDOUTS, RTGS.WAIT_CBS])(
    'finds that state %i is left out',
    (state) => {
      withoutState(state);
      expect(idsFound(plain)).toContain('T4');
    },
  );

  it('finds a sleep where nobody is to be waited for', () => {
    vi.spyOn(Backoff.prototype, 'sleepsFirst', 'get').mockReturnValueOnce(true).mockReturnValueOnce(true);
    expect(idsFound(idle)).toContain('T4');
  });
});

it('T5 finds a grace period without synchronize_rcu()', () => {
  vi.mocked(createSynchronizeRcu).mockReturnValue({ begin: () => {}, step: () => false });
  expect(idsFound(idle)).toContain('T5');
  expect(idsFound(trace)).toContain('T5');
});

it('T6 finds a back-off that does not back off', () => {
  vi.spyOn(Backoff.prototype, 'advance').mockImplementation(() => {});
  expect(idsFound(plain)).toContain('T6');
});

it('T6, T7 find a kthread that does not sleep long enough after a grace period', () => {
  vi.mocked(tasksConstants).mockImplementation((...of) => ({ ...real.tasksConstants(...of), gpSleep: 1 }));
  expect(idsFound(idle)).toEqual(['T6', 'T7']);
});

it('T8 finds a preemption that is taken for a voluntary switch', () => {
  vi.mocked(TaskList.prototype.contextSwitch).mockImplementation(function (this: TaskList, task) {
    const record = this.record(task);
    record.nvcsw++;
    this.clear(record, TASKS_WHY.voluntarySwitch);
  });
  const crowded = simConfig({ ...shared, actors: [...busyActors, load({ cpu: 1, spin: MS, idle: MS })] });
  expect(idsFound(crowded)).toContain('T8');
});

it('T9 finds a kthread that waits for itself', () => {
  vi.mocked(isHoldout).mockImplementation((record) => isRunnable(record));
  expect(idsFound(plain)).toContain('T9');
});

describe('T10: laziness', () => {
  it('finds a synchronous caller whom the kthread does not hear', () => {
    vi.spyOn(CallbackQueue.prototype, 'look').mockReturnValueOnce({ needsGp: false, hasReady: false });
    expect(idsFound(idle)).toContain('T10');
  });

  it('finds a callback that is not lazy', () => {
    const { enqueue } = CallbackQueue.prototype;
    vi.spyOn(CallbackQueue.prototype, 'enqueue').mockImplementation(function (this: CallbackQueue, ...of) {
      const arms = enqueue.apply(this, of);
      this.urgentGp = 3;
      return arms;
    });
    expect(idsFound(lazy)).toEqual(['T10']);
  });

  it('finds a lazy timer of another length', () => {
    vi.mocked(tasksConstants).mockImplementation((...of) => ({
      ...real.tasksConstants(...of),
      lazyJiffies: 5,
    }));
    expect(idsFound(lazy)).toEqual(['T10']);
  });
});

it('T11 finds a grace period that is counted twice', () => {
  const { startGp } = TasksFlavor.prototype;
  vi.spyOn(TasksFlavor.prototype, 'startGp').mockImplementation(function (this: TasksFlavor) {
    this.gpSeq += 4;
    startGp.call(this);
  });
  expect(idsFound(idle)).toEqual(['T11']);
});
