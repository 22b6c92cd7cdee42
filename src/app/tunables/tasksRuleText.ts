import type { TASKS_RULE_VALUES } from '../../engine/profiles/tasksRules.ts';
import type { RuleTexts } from './kvfreeRuleText.ts';

/** The rules of RCU Tasks. */
export const TASKS_RULE_TEXT: RuleTexts<keyof typeof TASKS_RULE_VALUES> = {
  'tasks.backoff': {
    what: 'sleeps between two scans for holdouts',
    values: [
      '1 s',
      '0.1 s once, in any case, then 1 s',
      'HZ/10, HZ/9 and so on up to 1 s',
      'HZ/10 jiffies, one more each time',
    ],
  },
  'tasks.lazy': {
    what: 'call_rcu_tasks() may wait for others',
    values: ['no: it starts a grace period', 'yes: up to 0.25 s'],
  },
  'tasks.exit': {
    what: 'how tasks that exit are waited for',
    values: ['with an SRCU domain', 'as holdouts, from lists per CPU'],
  },
  'tasks.info': { what: 'messages about old grace periods', values: ['only stalls', 'from 10 s on'] },
  'tasks.innerGp': {
    what: 'grace period before and after the scans',
    values: ['synchronize_sched()', 'synchronize_rcu()'],
  },
};
