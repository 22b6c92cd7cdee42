/** What is said of something that is not there: by the kernel, or by a rule that the configuration has set. */
import { describe, expect, it } from 'vitest';
import type { ConfigInput } from './configInput.ts';
import { CALL, messagesOf } from './parseConfig.testkit.ts';
import { parseConfig } from './parseConfig.ts';

const LAZY_LIM = 'rcupdate.rcu_task_lazy_lim';
const TASKS = { ...CALL, api: 'synchronize_rcu_tasks' };

describe('what a rule takes away from a kernel that has it', () => {
  it.each([
    [
      'actors[0].api: "kvfree_rcu_barrier": kernel v6.12 has it, but rules.kvfree.barrier takes that away',
      { actors: [{ ...CALL, api: 'kvfree_rcu_barrier' }], rules: { 'kvfree.barrier': 'v6.6' } },
    ],
    [
      'actors[0].api: "start_poll_synchronize_rcu": kernel v6.12 has it, but rules.tree.polled takes that away',
      { actors: [{ ...CALL, api: 'start_poll_synchronize_rcu' }], rules: { 'tree.polled': 'v5.10' } },
    ],
    [
      'actors[0].cookie: "full": kernel v6.12 has full cookies, but rules.tree.polled takes that away',
      {
        actors: [{ ...CALL, api: 'get_state_synchronize_rcu', cookie: 'full' }],
        rules: { 'tree.polled': 'v5.18' },
      },
    ],
    [
      'actors[0].form: "mixed": "double": kernel v6.6 has the one-argument form, but rules.kvfree.oneArg takes that away',
      {
        kernel: 'v6.6',
        actors: [{ kind: 'kfree', loops: 1, allocs: 1, form: 'mixed' }],
        rules: { 'kvfree.oneArg': 'v5.4' },
      },
    ],
    [
      `params.${LAZY_LIM}: 5: kernel v6.12 has it, but rules.tasks.lazy takes that away`,
      { actors: [TASKS], rules: { 'tasks.lazy': 'v5.18' }, params: { [LAZY_LIM]: 5 } },
    ],
  ])('is no fault of the kernel: %s', (message, json) => {
    expect(messagesOf(json)).toEqual([message]);
  });

  it('also where a scenario has set the parameter', () => {
    const lazy: ConfigInput = {
      params: { [LAZY_LIM]: 5 },
      actors: [{ kind: 'updater', api: 'synchronize_rcu_tasks', calls: 1 }],
    };
    const source = { names: ['lazy'], find: () => lazy, variantsOf: () => undefined };
    const parsed = parseConfig({ scenario: 'lazy', rules: { 'tasks.lazy': 'v5.18' } }, source);
    expect(parsed.ok && parsed.notices.map(({ message }) => message)).toEqual([
      `params.${LAZY_LIM}: 5: left out: kernel v6.12 has it, but rules.tasks.lazy takes that away`,
    ]);
  });

  it('but a kernel that would not have it by itself is what is named', () => {
    const actors = [{ ...CALL, api: 'start_poll_synchronize_rcu_expedited' }];
    expect(messagesOf({ kernel: 'v5.19', actors, rules: { 'tree.polled': 'v5.10' } })).toEqual([
      'actors[0].api: "start_poll_synchronize_rcu_expedited": kernel v5.19 does not have it (v6.1 and later)',
    ]);
  });
});
