/** Configurations of RCU Tasks: actors, calls, parameters. */
import { describe, expect, it } from 'vitest';
import { createRun, type SimConfig } from '../engine/index.ts';
import { checkConfig } from './checkConfig.ts';
import { completeConfig } from './completeConfig.ts';
import { describeParam } from './describeParam.ts';
import { findLinkKey } from './link/linkKeys.ts';
import { CALL } from './parseConfig.testkit.ts';
import { parseConfig } from './parseConfig.ts';
import { readInput } from './schema.ts';

/** The complete configuration, and what is wrong with it. */
function read(json: object): { config: SimConfig | undefined; messages: string[] } {
  const result = readInput(json);
  if (!result.ok) return { config: undefined, messages: result.problems.map(({ message }) => message) };
  const config = completeConfig(result.input);
  return { config, messages: checkConfig(config, result.input).map(({ message }) => message) };
}
function configOf(json: object): SimConfig {
  const { config, messages } = read({ stop: { afterNs: 5 }, ...json });
  expect(messages).toEqual([]);
  return config as SimConfig;
}
const HOLDOUT = { kind: 'holdout', spin: '1s', sleep: '1ms' };
const EXITER = { kind: 'exiter', gap: '10ms' };
const SYNC = { ...CALL, api: 'synchronize_rcu_tasks' };

describe('actors of RCU Tasks', () => {
  it('have the defaults of docs/configuration.md', () => {
    const { actors } = configOf({ actors: [HOLDOUT, EXITER, { kind: 'exiter', gap: 0, exit: 0, tail: 9 }] });
    expect(actors).toMatchObject([
      { kind: 'holdout', cpu: 0, count: 1, spin: 1_000_000_000, sleep: 1_000_000 },
      { kind: 'exiter', gap: 10_000_000, exit: 50_000, tail: 5000 },
      { gap: 0, exit: 0, tail: 9 },
    ]);
  });

  it('can be read again', () => {
    const reader = { kind: 'reader', domain: 'tasks-trace', hold: 5, holdMode: 'sleep' };
    const config = configOf({ actors: [HOLDOUT, EXITER, SYNC, reader], initial: { tasksUrgent: 3 } });
    expect(read(JSON.parse(JSON.stringify(config)))).toEqual({ config, messages: [] });
  });

  it.each<[string, object, RegExp]>([
    ['no sleep', { ...HOLDOUT, sleep: undefined }, /^actors\[0\]\.sleep: missing: a duration/],
    [
      'no time',
      { ...HOLDOUT, spin: 0, sleep: 0 },
      /^actors\[0\]\.spin: 0: spin and sleep may not both be 0$/,
    ],
    ['no gap', { kind: 'exiter' }, /^actors\[0\]\.gap: missing: a duration/],
    ['no time to exit', { ...EXITER, gap: 0, exit: 0, tail: 0 }, /^actors\[0\]\.gap: 0: gap, exit and tail/],
    ['key', { ...EXITER, spin: 1 }, /^actors\[0\]\.spin: 1: unknown key; allowed: kind, cpu, .*tail$/],
    [
      'readers of no flavour',
      { kind: 'reader', domain: 'tasks', hold: 5 },
      /^actors\[0\]\.domain: "tasks": .*, "rcu" or "tasks-trace"$/,
    ],
    [
      'counting',
      { kind: 'reader', domain: 'tasks-trace', hold: 5, incDelay: 1 },
      /^actors\[0\]\.incDelay: 1: 0 with domain "tasks-trace"/,
    ],
    [
      'domain',
      { ...SYNC, domain: 'tasks-rude' },
      /^actors\[0\]\.domain: "tasks-rude": "tasks" with api synch/,
    ],
  ])('refuse %s', (_what, actor, message) => {
    expect(read({ actors: [actor], stop: { afterNs: 5 } }).messages).toEqual([
      expect.stringMatching(message),
    ]);
  });

  it('without an updater do not end by themselves', () => {
    expect(read({ actors: [HOLDOUT, EXITER] }).messages).toEqual([
      expect.stringMatching(/^stop: .*give afterNs/),
    ]);
    expect(read({ actors: [HOLDOUT, SYNC] }).messages).toEqual([]);
  });

  it('are written in links with the text forms of their keys', () => {
    const parse = (key: string, text: string) => findLinkKey(key)?.form.parse(text);
    expect(parse('a0.sleep', '0..3ms')).toEqual({ uniform: ['0ms', '3ms'] });
    expect(parse('a0.tail', 'exp:5us')).toEqual({ exp: '5us' });
    expect(parse('a0.exit', '50000')).toBe(50_000);
    expect(parse('initial.tasksUrgent', '2')).toBe(2);
  });
});

describe('calls of RCU Tasks', () => {
  it.each([
    ['synchronize_rcu_tasks', 'tasks'],
    ['call_rcu_tasks', 'tasks'],
    ['rcu_barrier_tasks', 'tasks'],
    ['synchronize_rcu_tasks_rude', 'tasks-rude'],
    ['synchronize_rcu_tasks_trace', 'tasks-trace'],
    ['call_rcu_tasks_trace', 'tasks-trace'],
  ])('%s waits in domain %s', (api, domain) => {
    expect(configOf({ actors: [{ ...CALL, api }] }).actors[0]).toMatchObject({ api, domain });
    const batch = { ...CALL, api, batch: 4, wait: 'none' };
    const messages = read({ actors: [batch] }).messages.map((message) => message.split(':')[0]);
    expect(messages).toEqual(api.startsWith('call') ? [] : ['actors[0].batch', 'actors[0].wait']);
  });

  it('Rude and Trace came with 5.7', () => {
    const json = { kernel: 'v5.6', stop: { afterNs: 5 } };
    const why = 'kernel v5.6 does not have it (v5.7 and later)';
    expect(read({ ...json, actors: [{ ...CALL, api: 'synchronize_rcu_tasks_rude' }] }).messages).toEqual([
      `actors[0].api: "synchronize_rcu_tasks_rude": ${why}`,
    ]);
    expect(read({ ...json, actors: [{ kind: 'reader', domain: 'tasks-trace', hold: 5 }] }).messages).toEqual([
      `actors[0].domain: "tasks-trace": ${why}`,
    ]);
    expect(read({ ...json, kernel: 'v4.17', actors: [SYNC] }).messages).toEqual([]);
  });
});

it('left-over urgency means nothing without laziness, and a notice says so', () => {
  const noticesOf = (kernel: string) => {
    const json = { kernel, actors: [SYNC], initial: { tasksUrgent: 2 } };
    const parsed = parseConfig(json);
    return parsed.ok ? parsed.notices.filter(({ path }) => path.startsWith('initial')) : undefined;
  };
  expect(noticesOf('v6.12')).toEqual([]);
  expect(noticesOf('v6.3')).toMatchObject([
    { message: expect.stringMatching(/no effect: .* v6\.3 knows no/) },
  ]);
});

it('srcutree.* counts where classic RCU Tasks waits in SRCU for tasks that exit, and only there', () => {
  const name = 'srcutree.srcu_max_nodelay_phase';
  const exiter = { kind: 'exiter', cpu: 1, gap: { list: ['5ms', '60s'] }, exit: '300ms' };
  const call = { ...SYNC, start: '8ms' };
  const runOf = (kernel: string, value: number, actors: object[] = [exiter, call]) => {
    const parsed = parseConfig({
      kernel,
      params: { [name]: value },
      actors,
      machine: { preset: 'virtual-1gips' },
    });
    if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
    const run = createRun(parsed.config);
    while (run.advance(1_000_000).state === 'running');
    return {
      notices: parsed.notices.map(({ message }) => message),
      meaning: describeParam(name, parsed.config)?.meaning,
      endNs: run.nowNs,
    };
  };
  const [few, many] = [runOf('v6.6', 1), runOf('v6.6', 1000)];
  expect([few?.notices, many?.notices]).toEqual([[], []]);
  expect(few?.meaning).toMatch(/^polls for/);
  expect(few?.endNs).not.toBe(many?.endNs);
  const other = [runOf('v6.12', 1), runOf('v6.12', 1000)];
  expect(other[0]?.notices).toEqual([`params.${name}: 1: no effect: no actor uses SRCU`]);
  expect(other[0]?.endNs).toBe(other[1]?.endNs);
  const trace = [{ ...CALL, api: 'synchronize_rcu_tasks_trace' }];
  expect(runOf('v6.6', 1, trace).notices).toEqual([`params.${name}: 1: no effect: no actor uses SRCU`]);
});

describe('parameters of RCU Tasks', () => {
  const name = (short: string) => `rcupdate.rcu_task${short}`;
  const paramsOf = (json: object) => configOf({ actors: [SYNC], ...json }).params;

  it('have defaults by HZ and options, in the kernels that have them', () => {
    expect(paramsOf({ hz: 1000, kconfig: { TASKS_TRACE_RCU_READ_MB: true } })).toMatchObject({
      [name('_stall_timeout')]: 600_000,
      [name('_stall_info')]: 10_000,
      [name('_stall_info_mult')]: 3,
      [name('_ipi_delay')]: 500,
      [name('_lazy_lim')]: 32,
      [name('s_lazy_ms')]: -1,
      [name('s_trace_lazy_ms')]: -1,
    });
    expect(paramsOf({})[name('_ipi_delay')]).toBe(0);
    const has = (kernel: string) => {
      const params = paramsOf({ kernel });
      return ['_stall_timeout', '_ipi_delay', '_stall_info', '_lazy_lim'].filter(
        (short) => params[name(short)] !== undefined,
      ).length;
    };
    expect(['v4.17', 'v5.7', 'v5.10', 'v5.18', 'v6.3', 'v6.6', 'v6.12'].map(has)).toEqual([
      1, 2, 2, 3, 3, 4, 4,
    ]);
    expect(paramsOf({ rules: { 'tasks.lazy': 'v6.1' } })[name('_lazy_lim')]).toBeUndefined();
  });

  it('are cut as the kernel cuts them', () => {
    const messages = (short: string, value: number) =>
      read({ actors: [SYNC], params: { [name(short)]: value } }).messages;
    expect(messages('_stall_info_mult', 11)).toEqual([
      expect.stringMatching(/1 to 10; the kernel makes it 10$/),
    ]);
    expect(messages('s_lazy_ms', -2)).toEqual([
      expect.stringMatching(/-1 to 2\^31-1 \(ms\); .* makes it -1$/),
    ]);
    expect(messages('_stall_timeout', -1)).toEqual([]);
    expect(messages('_stall_timeout', 2 ** 31)).toEqual([
      expect.stringMatching(/-2\^31 to 2\^31-1 \(jiffies\)$/),
    ]);
  });

  it('come to something', () => {
    const meaning = (short: string, params: object = {}) =>
      describeParam(name(short), configOf({ actors: [SYNC], params }))?.meaning;
    expect(meaning('_stall_info')).toMatch(/since 10 s, 40 s, 130 s and so on/);
    expect(meaning('_stall_info', { [name('_stall_info')]: 0 })).toMatch(/^no line/);
    expect(meaning('_stall_timeout')).toMatch(/since 600 s$/);
    expect(meaning('s_lazy_ms')).toBe('call_rcu_tasks() waits 252 ms for more callbacks');
    expect(meaning('s_trace_lazy_ms', { [name('s_trace_lazy_ms')]: 0 })).toMatch(
      /asks for its grace period at once/,
    );
    expect(meaning('_enqueue_lim')).toMatch(
      /^no effect: the callbacks of RCU Tasks are simulated as one list/,
    );
    const srcu = configOf({ actors: [{ ...CALL, api: 'synchronize_rcu' }] });
    expect(describeParam(name('_lazy_lim'), srcu)?.meaning).toBe('no effect: no actor uses RCU Tasks');
  });
});
