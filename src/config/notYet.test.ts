/** What is refused until the engine simulates it. */
import { describe, expect, it } from 'vitest';
import { TASKS_ARE_SIMULATED } from './notYet.ts';
import { CALL, messagesOf } from './parseConfig.testkit.ts';

describe.skipIf(TASKS_ARE_SIMULATED)('RCU Tasks is not simulated yet', () => {
  it.each<[string, object]>([
    ['actors[0].kind: "holdout"', { actors: [{ kind: 'holdout', spin: 5, sleep: 5 }] }],
    ['actors[0].kind: "exiter"', { actors: [{ kind: 'exiter', gap: 5 }] }],
    ['actors[0].api: "call_rcu_tasks"', { actors: [{ ...CALL, api: 'call_rcu_tasks' }] }],
    ['actors[0].domain: "tasks-trace"', { actors: [{ kind: 'reader', hold: 5, domain: 'tasks-trace' }] }],
    ['rules.tasks.backoff: "v4.17"', { rules: { 'tasks.backoff': 'v4.17' }, actors: [CALL] }],
    ['initial.tasksUrgent: 2', { initial: { tasksUrgent: 2 }, actors: [CALL] }],
  ])('%s', (what, json) => {
    expect(messagesOf(json)).toEqual([`${what}: RCU Tasks is not simulated yet`]);
  });
});
