/** Every call of an updater runs its own machine: its name in the log, and rows of its own mechanism, on every kernel that has it. */
import { describe, expect, it } from 'vitest';
import { type Actor, APIS, domainOfApi, type UpdaterApi } from '../engine/config.ts';
import {
  CALLBACK,
  KIND,
  type KindName,
  KVFREE_BARRIER,
  RCU_BARRIER,
  RCU_EXP,
  RCU_FUNC,
  TASKS_FLAVOR,
} from '../engine/core/eventKinds.ts';
import { PROFILES, type ProfileId } from '../engine/profiles/profiles.ts';
import { kfree } from '../engine/reference/randomKfreeConfig.testkit.ts';
import { runToEnd, simConfig, updater } from '../engine/reference/simConfig.testkit.ts';
import { POLL } from '../engine/tree/polled.ts';
import { kernelHasApi } from './kernelApis.ts';

/** What only this call leaves: a kind of row, and a payload by its letter. */
type Trace = readonly [kind: KindName, payload: Readonly<Partial<Record<'a' | 'b' | 'c' | 'd', number>>>];

const POLLED = ({ a }: { a: number }): Trace => ['rcu_poll', { a }];
const QUEUED = (d: number): Trace => ['srcu_cb_queue', { d }];
const TASKS = (b: number, c: number): Trace => ['rcu_tasks_callback', { b, c }];
const { classic, rude, trace } = TASKS_FLAVOR;

/** One of these is there. */
const TRACES: Readonly<Record<UpdaterApi, readonly Trace[]>> = {
  synchronize_srcu_expedited: [['srcu_request', { b: 1 }]],
  synchronize_srcu: [QUEUED(CALLBACK.wakeme)],
  call_srcu: [QUEUED(CALLBACK.call)],
  srcu_barrier: [QUEUED(CALLBACK.barrier)],
  start_poll_synchronize_srcu: [['srcu_request', { d: -1 }]],
  synchronize_rcu: [
    ['rcu_sr_normal', { a: 0 }],
    ['rcu_callback', { b: RCU_FUNC.wakeme_after_rcu }],
  ],
  synchronize_rcu_expedited: [['rcu_exp_grace_period', { a: RCU_EXP.start }]],
  call_rcu: [['rcu_callback', { b: RCU_FUNC.call_rcu }]],
  rcu_barrier: [['rcu_barrier', { a: RCU_BARRIER.Begin }]],
  cond_synchronize_rcu: [POLLED({ a: POLL.getState })],
  get_state_synchronize_rcu: [POLLED({ a: POLL.getState })],
  start_poll_synchronize_rcu: [POLLED({ a: POLL.startPoll })],
  start_poll_synchronize_rcu_expedited: [POLLED({ a: POLL.startPollExpedited })],
  synchronize_rcu_tasks: [TASKS(classic, CALLBACK.wakeme)],
  call_rcu_tasks: [TASKS(classic, CALLBACK.call)],
  // up to 5.16 it is synchronize_rcu_tasks()
  rcu_barrier_tasks: [TASKS(classic, CALLBACK.barrier), TASKS(classic, CALLBACK.wakeme)],
  synchronize_rcu_tasks_rude: [TASKS(rude, CALLBACK.wakeme)],
  synchronize_rcu_tasks_trace: [TASKS(trace, CALLBACK.wakeme)],
  call_rcu_tasks_trace: [TASKS(trace, CALLBACK.call)],
  kvfree_rcu_barrier: [['kvfree_barrier', { a: KVFREE_BARRIER.begin }]],
};

/** Calls that wait for what others ask for. */
const NEEDS_OTHERS: Readonly<Partial<Record<UpdaterApi, UpdaterApi>>> = {
  srcu_barrier: 'call_srcu',
  get_state_synchronize_rcu: 'call_rcu',
  rcu_barrier_tasks: 'call_rcu_tasks',
};

const CALLER_CPU = 1;

function runOf(kernel: ProfileId, api: UpdaterApi, beside: readonly Actor[]) {
  const domain = domainOfApi(api);
  const needed = NEEDS_OTHERS[api];
  const others: Actor[] =
    needed === undefined
      ? []
      : [updater({ cpu: 2, api: needed, domain, calls: 200, gap: 300_000, wait: 'none' })];
  const call = updater({ cpu: CALLER_CPU, api, domain, calls: 2, gap: 1_000_000, wait: 'none' });
  const preset = 'virtual-1gips';
  return runToEnd(
    simConfig({ kernel, preset, actors: [call, ...beside, ...others], stop: { whenDone: true } }),
  );
}

type Run = ReturnType<typeof runOf>;

/** Names of the calls whose rows the thread of actor 0 has. */
function namesOf({ log, info }: Run): string[] {
  const names: string[] = [];
  for (let i = 0; i < log.length; i++) {
    const { kind, track, a } = log.row(i);
    if (kind !== KIND.api_call && kind !== KIND.api_return) continue;
    if (info.tracks[track]?.actor === 0) names.push(APIS[a] as string);
  }
  return names;
}

function hasTrace({ log }: Run, [name, payload]: Trace): boolean {
  for (let i = 0; i < log.length; i++) {
    const row = log.row(i);
    if (row.kind !== KIND[name]) continue;
    const letters = Object.keys(payload) as (keyof typeof payload)[];
    if (letters.every((letter) => row[letter] === payload[letter])) return true;
  }
  return false;
}

/** Where the calls of actor 0 say that they went. */
function domainsOf({ log, info }: Run): string[] {
  const domains = new Set<string>();
  for (let i = 0; i < log.length; i++) {
    const { kind, track, c } = log.row(i);
    if (kind === KIND.api_call && info.tracks[track]?.actor === 0)
      domains.add(info.tracks[c]?.name as string);
  }
  return [...domains];
}

const TRACK_OF_DOMAIN: Readonly<Record<string, string>> = {
  srcu: 'srcu',
  rcu: 'rcu',
  tasks: 'rcu_tasks_kthread',
  'tasks-rude': 'rcu_tasks_rude_kthread',
  'tasks-trace': 'rcu_tasks_trace_kthread',
};

const FLOOD = kfree({ cpu: 3, loops: 2, allocs: 600 });

describe.each(APIS.map((api) => [api] as const))('%s', (api) => {
  const kernels = PROFILES.map(({ id }) => id).filter((kernel) => kernelHasApi(kernel, api));

  it.each([
    ['by itself', []],
    ['beside a flood of kfree_rcu()', [FLOOD]],
  ])('is what the log calls it, and what runs, %s', (_, beside) => {
    expect(kernels.length).toBeGreaterThan(0);
    for (const kernel of kernels) {
      const run = runOf(kernel, api, beside);
      expect(namesOf(run), kernel).toEqual([api, api, api, api]);
      expect(domainsOf(run), kernel).toEqual([TRACK_OF_DOMAIN[domainOfApi(api)]]);
      expect(
        TRACES[api].some((trace) => hasTrace(run, trace)),
        kernel,
      ).toBe(true);
    }
  });

  it('brings no SRCU domain of its own, unless it is a call of SRCU', () => {
    const run = runOf('v6.12', api, []);
    const srcu = run.info.tracks.filter(({ kind }) => kind === 'srcu');
    expect(srcu.length).toBe(domainOfApi(api) === 'srcu' ? 1 : 0);
  });
});
