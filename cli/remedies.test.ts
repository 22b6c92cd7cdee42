/** What "why" says would have avoided a wait is followed: the run with that change must save what was promised. */
import { expect, test } from 'vitest';
import { blame } from '../src/analysis/blame.ts';
import type { Blame, Remedy } from '../src/analysis/blameTypes.ts';
import { createRunIndex } from '../src/analysis/runIndex.ts';
import type { RunIndex } from '../src/analysis/types.ts';
import { parseConfig } from '../src/config/parseConfig.ts';
import type { EventLog, SimConfig } from '../src/engine/index.ts';
import { SCENARIOS, scenarioSource } from '../src/scenarios/registry.ts';
import { simulate } from './simulate.ts';

const MS = 1_000_000;
/** Of each variant so many calls, grace periods and units of kvfree_rcu() are explained, the first ones. */
const FIRST = 2;
/** Where these have ended by then, the run is not needed any further; with the change it may go on for longer. */
const CUT_NS = 150 * MS;
const CUT_CHANGED_NS = 2 * CUT_NS;
/** What is not worth a word: costs of calls, handlers and wake-ups that the closed computations leave out. */
const SLACK_NS = 100_000;

interface Run {
  readonly log: EventLog;
  readonly index: RunIndex;
}

function runOf(config: SimConfig): Run {
  const { log, info } = simulate(config);
  return { log, index: createRunIndex(log, info) };
}

function cutAt(config: SimConfig, afterNs: number): SimConfig {
  return { ...config, stop: { ...config.stop, afterNs: Math.min(config.stop.afterNs ?? afterNs, afterNs) } };
}

const TARGETS = ['call', 'gp', 'unit'] as const;
type Of = (typeof TARGETS)[number];

function countOf({ calls, gps, kvfree }: RunIndex, of: Of): number {
  return { call: calls.length, gp: gps.length, unit: kvfree?.units.length ?? 0 }[of];
}

function explanations({ log, index }: Run): Blame[] {
  return TARGETS.flatMap((of) =>
    Array.from({ length: Math.min(FIRST, countOf(index, of)) }, (_, i) =>
      blame(log, index, { of, index: i }),
    ),
  );
}

/** All ways out that are followed somewhere. */
const WAYS = [
  'preempt none',
  'rcu_nocbs',
  'rcupdate.rcu_expedited',
  'rcupdate.rcu_tasks_lazy_ms',
  'rcupdate.rcu_tasks_trace_lazy_ms',
  'rcutree.jiffies_till_first_fqs',
  'rcutree.jiffies_till_next_fqs',
  'rcutree.jiffies_till_sched_qs',
  'rcutree.rcu_normal_wake_from_gp',
  'shorter sections',
  'srcu.cbdelay',
  'srcu.delay',
  'synchronize_rcu_expedited()',
  'synchronize_srcu_expedited()',
  'tasks.backoff',
  'tree.earlyReport',
];

/** The kernel that a back-off rule is from. */
const BACKOFF: Readonly<Record<string, string>> = {
  hz: 'v4.17',
  'seed-v2': 'tasks-2018-05-20',
  fract: 'v4.19',
  jiffies: 'v5.18',
};

/** How to do what a remedy says: its name, and the changed configuration. Undefined: no configuration does it. */
function change({ text, param }: Remedy, config: SimConfig): [how: string, changed: SimConfig] | undefined {
  const params = (more: SimConfig['params']) => ({ ...config, params: { ...config.params, ...more } });
  const rule = (id: string, value: string): [string, SimConfig] => [
    id,
    { ...config, rules: { ...config.rules, [id]: value } },
  ];
  const actors = (map: (actor: SimConfig['actors'][number]) => SimConfig['actors'][number]) => ({
    ...config,
    actors: config.actors.map(map),
  });
  if (param !== undefined) return [param.name, params({ [param.name]: param.value })];
  if (text.startsWith('synchronize_rcu_expedited()'))
    return ['synchronize_rcu_expedited()', params({ 'rcupdate.rcu_expedited': 1, 'rcupdate.rcu_normal': 0 })];
  if (text.startsWith('An expedited grace period makes'))
    return [
      'synchronize_srcu_expedited()',
      actors((actor) =>
        'api' in actor && actor.api === 'synchronize_srcu'
          ? { ...actor, api: 'synchronize_srcu_expedited' }
          : actor,
      ),
    ];
  if (text.includes('hold nobody up'))
    return [
      'shorter sections',
      actors((actor) => (actor.kind === 'reader' ? { ...actor, hold: 1000 } : actor)),
    ];
  if (text.includes('rcu_nocbs')) return ['rcu_nocbs', params({ rcu_nocbs: `0-${config.cpus - 1}` })];
  if (text.includes('preempt none')) return ['preempt none', { ...config, preempt: 'none' }];
  if (text.includes('rule tree.earlyReport')) return rule('tree.earlyReport', 'next');
  if (text.includes('rule srcu.cbdelay')) return rule('srcu.cbdelay', 'v5.19-patch-v1');
  if (text.includes('rule srcu.delay')) return rule('srcu.delay', 'v5.18');
  const backoff = /rule tasks\.backoff, "(.*)"/.exec(text)?.[1];
  return backoff === undefined ? undefined : rule('tasks.backoff', BACKOFF[backoff] ?? '');
}

/** The same target in another run, if it begins there when it did here. */
function sameIn({ log, index }: Run, why: Blame, from: RunIndex): Blame | undefined {
  if (why.of === 'gp') {
    const isIt = (startNs: number, gp: number) =>
      index.gps.flavor[gp] === from.gps.flavor[why.index] && Math.abs(startNs - why.startNs) < SLACK_NS;
    const gp = index.gps.startNs.findIndex(isIt);
    return gp < 0 ? undefined : blame(log, index, { of: 'gp', index: gp });
  }
  if (why.of === 'call' && why.index >= index.calls.length) return undefined;
  if (why.of === 'unit' && why.index >= countOf(index, 'unit')) return undefined;
  const same = blame(log, index, { of: why.of, index: why.index });
  return Math.abs(same.startNs - why.startNs) < SLACK_NS ? same : undefined;
}

/** What is wrong with a promise, in words. "about": within 10 % or a tick; "up to": no more, and not nothing; else within 1 %. */
function fault({ text, savesNs }: Remedy, savedNs: number, hz: number): string | undefined {
  if (Number.isNaN(savedNs)) return 'has not ended';
  if (savedNs < -SLACK_NS) return 'longer';
  if (text.includes('for this call alone')) return savedNs > 0 ? undefined : 'saves nothing';
  if (text.includes('up to'))
    return savedNs > savesNs + SLACK_NS ? 'saves more' : savedNs > 0 ? undefined : 'saves nothing';
  const isAbout = text.includes('about');
  const allowedNs = isAbout ? Math.max(savesNs / 10, 1e9 / hz) : savesNs / 100;
  return Math.abs(savedNs - savesNs) > allowedNs + SLACK_NS ? 'off' : undefined;
}

interface Tally {
  followed: number;
  /** What is explained begins at another time there, so that nothing can be compared. */
  elsewhere: number;
}

function configOf(name: string, seed?: number): SimConfig {
  const parsed = parseConfig({ scenario: name, ...(seed === undefined ? {} : { seed }) }, scenarioSource);
  if (!parsed.ok) throw new Error(name);
  return parsed.config;
}

/** Follows all advice on the first calls, grace periods and units of a run. */
function follow(
  name: string,
  config: SimConfig,
  tallies: Map<string, Tally>,
  notFollowed: Map<string, number>,
): string[] {
  const short = runOf(cutAt(config, CUT_NS));
  const isEnough =
    explanations(short).length > 0 &&
    explanations(short).every(({ finished, endNs }) => finished && endNs < CUT_NS);
  const base = isEnough ? short : runOf(config);
  const changedRuns = new Map<string, Run>();
  const faults: string[] = [];
  for (const why of explanations(base)) {
    if (!why.finished) continue;
    for (const { remedy, kind } of why.segments) {
      if (remedy === undefined) continue;
      const followable = change(remedy, config);
      // advice on a grace period says nothing of the call, and that on preemption is about the grace period
      if (followable === undefined || (followable[0] === 'preempt none' && why.of !== 'gp')) {
        const what = followable?.[0] ?? kind;
        notFollowed.set(what, (notFollowed.get(what) ?? 0) + 1);
        continue;
      }
      const [how, changed] = followable;
      const key = JSON.stringify([how, remedy.param?.value, changed.rules]);
      const after = changedRuns.get(key) ?? runOf(isEnough ? cutAt(changed, CUT_CHANGED_NS) : changed);
      changedRuns.set(key, after);
      const tally = tallies.get(how) ?? { followed: 0, elsewhere: 0 };
      tallies.set(how, tally);
      const same = sameIn(after, why, base.index);
      if (same === undefined) {
        tally.elsewhere++;
        continue;
      }
      tally.followed++;
      const savedNs = same.finished ? why.endNs - why.startNs - (same.endNs - same.startNs) : Number.NaN;
      const wrong = fault(remedy, savedNs, config.hz);
      if (wrong !== undefined)
        faults.push(`${name}, ${why.of} ${why.index}, ${how}: ${wrong}, ${savedNs / MS} ms. ${remedy.text}`);
    }
  }
  return faults;
}

test('advice that is followed saves what it promises, in all scenarios', () => {
  const tallies = new Map<string, Tally>();
  const notFollowed = new Map<string, number>();
  const names = SCENARIOS.flatMap(({ id, variants }) =>
    variants.filter(({ isLong }) => isLong !== true).map((variant) => `${id}:${variant.id}`),
  );
  const faults = names.flatMap((name) => follow(name, configOf(name), tallies, notFollowed));
  const lines = [...tallies].map(
    ([how, { followed, elsewhere }]) => `${how}: ${followed} followed, ${elsewhere} begin at another time`,
  );
  const left = [...notFollowed].map(([what, n]) => `${what} ${n}`).join(', ');
  console.log(`${names.length} variants\n${lines.join('\n')}\nno configuration follows: ${left}`);
  expect(faults).toEqual([]);
  const ways = [...tallies].filter(([, { followed }]) => followed > 0).map(([how]) => how);
  expect(ways.sort()).toEqual(WAYS);
}, 120_000);

test('a requester that met itself is not told to poll more', () => {
  const tallies = new Map<string, Tally>();
  const faults = Array.from({ length: 20 }, (_, seed) =>
    follow(`seed ${seed}`, configOf('back-to-back:v5.19-patch-v1', seed), tallies, new Map()),
  );
  expect(faults.flat()).toEqual([]);
  expect([...tallies.keys()]).toEqual(['preempt none']);
});
