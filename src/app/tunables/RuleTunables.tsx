import type { Mechanisms } from '../../analysis/mechanisms.ts';
import { PROFILES, RULE_IDS, RULE_VALUES, type RuleId } from '../../engine/profiles/profiles.ts';
import { useSetup } from '../session.ts';
import { KVFREE_RULE_TEXT, type RuleTexts } from './kvfreeRuleText.ts';
import { useTarget } from './target.ts';
import { TASKS_RULE_TEXT } from './tasksRuleText.ts';
import { WordTunable } from './WordTunable.tsx';

/** What each rule decides, and what its values mean. */
const RULE_TEXT: RuleTexts<RuleId> = {
  'srcu.delay': {
    what: 'when srcu_get_delay() lets a grace period sleep',
    values: ['only if it is not expedited', 'from an age of one jiffy on', 'from an age of two jiffies on'],
  },
  'srcu.tryCheck': {
    what: 'how often try_check_zero() asks srcu_get_delay()',
    values: ['at every check', 'once'],
  },
  'srcu.cbdelay': {
    what: 'delay of the callbacks at the end of a grace period',
    values: ['as srcu_get_delay()', 'as srcu_get_delay(), at most one jiffy', 'none if expedited'],
  },
  'srcu.phaseLimit': {
    what: 'default of srcu_max_nodelay_phase',
    values: ['no limit', '1', '3', 'by HZ'],
  },
  'srcu.jiffyLimit': {
    what: 'default of srcu_max_nodelay',
    values: ['no limit', '100', 'the larger of 100 and the phase limit'],
  },
  'srcu.callbackCpu': {
    what: 'whose list a callback joins',
    values: ["the caller's CPU", 'the boot CPU until the domain is big'],
  },
  'tree.polled': {
    what: 'which polled grace periods of Tree RCU there are',
    values: [
      'get_state and cond_synchronize only',
      'cookies of normal grace periods',
      'expedited ones count too; full cookies',
    ],
  },
  'tree.oneCpu': {
    what: 'synchronize_rcu() of non-preemptible RCU with one CPU online',
    values: ['returns at once', 'waits for a grace period'],
  },
  'tree.lazy': { what: 'lazy callbacks', values: ['no', 'with CONFIG_RCU_LAZY'] },
  'tree.expWorkers': {
    what: 'who selects the CPUs of an expedited grace period',
    values: ['work items', 'a kthread per leaf'],
  },
  'tree.srNormal': {
    what: 'how synchronize_rcu() waits',
    values: ['for a callback', 'on the sr_normal list, with rcu_normal_wake_from_gp'],
  },
  'tree.srDummies': {
    what: 'who frees the old dummies of the sr_normal list',
    values: ['the kworker', 'the kthread too; a retry where all are in use'],
  },
  'tree.srOrder': {
    what: 'when a grace period takes the callers of the sr_normal list',
    values: ['after its number is set', 'before its number is set'],
  },
  'tree.wakeDefault': {
    what: 'default of rcu_normal_wake_from_gp',
    values: ['0', '1 with at most 16 possible CPUs'],
  },
  'tree.earlyReport': {
    what: "when the kthread's own CPU reports",
    values: ['with a tick', 'at the start of the grace period; in no release yet'],
  },
  'tree.batchLimit': {
    what: 'what the limit of a batch of callbacks is computed from',
    values: ['all callbacks of the CPU', 'those that are ready'],
  },
  'tree.watchEvent': {
    what: 'trace event of extended quiescent states',
    values: ['rcu_dyntick', 'rcu_watching, with the opposite words'],
  },
  ...KVFREE_RULE_TEXT,
  ...TASKS_RULE_TEXT,
  sched: { what: 'scheduler', values: ['CFS', 'EEVDF without delayed dequeue', 'EEVDF'] },
  'timer.migration': {
    what: 'who handles the timers of an idle CPU',
    values: ['that CPU', 'the hierarchy of migrators'],
  },
};

/** The first profile in which a rule has a value, if may be of its own: so a value is named in a configuration. */
function profileWith(rule: RuleId, value: string): string | undefined {
  const having = PROFILES.filter((profile) => profile.rules[rule] === value);
  return (having.find((profile) => !('runsAs' in profile)) ?? having[0])?.id;
}

function RuleTunable({ rule }: { readonly rule: RuleId }) {
  const target = useTarget(['rules', rule]);
  const values = RULE_VALUES[rule] as readonly string[];
  const kernel = useSetup((setup) => setup.config.kernel);
  const set = useSetup((setup) => setup.config.rules[rule]);
  const own = PROFILES.find(({ id }) => id === kernel)?.rules[rule] ?? '';
  const valueNamed = (word: string) => PROFILES.find(({ id }) => id === word)?.rules[rule] ?? word;
  const value = set === undefined ? own : valueNamed(set);
  const text = RULE_TEXT[rule];
  return (
    <WordTunable
      name={rule}
      target={target}
      value={value}
      options={values.map((id, i) => {
        const profile = profileWith(rule, id);
        const since = profile === undefined ? '' : `; as in ${profile}`;
        return { id, label: id, note: `${text.values[i]}${id === own ? `; ${kernel} has it` : since}` };
      })}
      meaning={text.what}
      onChange={(id) => target.set(id === own ? undefined : (profileWith(rule, id) ?? id))}
    />
  );
}

/** What if this kernel had a single rule of another one: rules of the mechanisms that are used. */
export function RuleTunables({ of }: { readonly of: Mechanisms }) {
  const isShown = (rule: RuleId) => {
    if (rule.startsWith('kvfree.')) return of.kvfree;
    if (rule.startsWith('tasks.')) return of.tasks;
    return rule.startsWith('tree.') ? of.rcu : of.srcu || !rule.startsWith('srcu.');
  };
  return RULE_IDS.filter(isShown).map((rule) => <RuleTunable key={rule} rule={rule} />);
}
