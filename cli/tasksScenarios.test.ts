/** Scenarios of RCU Tasks: the table of 4.4 as a picture, and what was published of two runs against each other. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { tasksFigures } from '../src/analysis/tasksFigures.ts';
import { parseConfig } from '../src/config/parseConfig.ts';
import { KIND, RTGS, TASKS_HOLDOUT, TASKS_WHY } from '../src/engine/core/eventKinds.ts';
import { AGES_MS, backoffLadder } from '../src/scenarios/backoffLadder.ts';
import { scenarioSource } from '../src/scenarios/registry.ts';
import { probeDetachStory } from '../src/scenarios/stories/probeDetach.ts';
import { judgedResultOf, simulate } from './simulate.ts';

const MS = 1_000_000;
const worked = JSON.parse(readFileSync('test-data/tasks-worked.json', 'utf8')) as {
  holdOutTable: {
    rows: [hz: number, version: string, xMs: number | null, mean: number, minMs: number, maxMs: number][];
  };
};
/** Profile of the table, by form. */
const VERSIONS: Readonly<Record<string, string>> = {
  now: '5.11-6.12',
  merged: '4.19-5.10',
  posted: 'seed-v2',
  before: '4.17',
};

function run(name: string) {
  const parsed = parseConfig({ scenario: name }, scenarioSource);
  if (!parsed.ok) throw new Error(parsed.problems[0]?.message);
  return simulate(parsed.config);
}

function figuresOf(name: string) {
  return judgedResultOf(run(name), { values: false, check: false });
}

/** Holdouts that threads of the scenario are: when the hold-out phase began, and what happened to each, ns. */
function ladderOf(variant: string) {
  const { log, info } = run(`backoff-ladder:${variant}`);
  let beginNs = Number.NaN;
  const removedNs = new Map<string, number>();
  let endNs = Number.NaN;
  log.forEach(({ kind, timeNs, track, a, c }) => {
    if (kind === KIND.rcu_tasks_state && a === RTGS.WAIT_SCAN_HOLDOUTS && Number.isNaN(beginNs))
      beginNs = timeNs;
    if (kind === KIND.rcu_tasks_state && a === RTGS.POST_GP) endNs = timeNs;
    if (kind !== KIND.rcu_tasks_holdout || a !== TASKS_HOLDOUT.removed) return;
    expect(c).toBe(TASKS_WHY.notRunnable);
    removedNs.set(info.tracks[track]?.name ?? '', timeNs);
  });
  return { beginNs, endNs, removed: [...removedNs.values()], names: [...removedNs.keys()] };
}

describe('backoff-ladder', () => {
  const variants = backoffLadder.variants.map(({ id }) => id).filter((id) => id !== 'posted-nobody');

  it.each(variants)('%s: each holdout leaves at the scan of table 4.4', (variant) => {
    const [form = '', suffix] = variant.split('-');
    const hz = suffix === undefined ? 250 : 1000;
    const { beginNs, endNs, removed, names } = ladderOf(variant);
    expect(new Set(names).size).toBe(AGES_MS.length);
    const tickNs = 1e9 / hz;
    AGES_MS.forEach((age, i) => {
      const row = worked.holdOutTable.rows.find(([h, v, x]) => h === hz && v === VERSIONS[form] && x === age);
      const [, , , , minMs, maxMs] = row as (typeof worked.holdOutTable.rows)[number];
      const removedNs = removed[i] as number;
      // scans are on ticks; the phase began up to 10 us after one, behind the exit wait
      expect(removedNs % tickNs).toBe(0);
      const phaseNs = removedNs - Math.floor(beginNs / tickNs) * tickNs;
      expect(phaseNs).toBeGreaterThanOrEqual(minMs * MS);
      expect(phaseNs).toBeLessThanOrEqual(maxMs * MS);
    });
    expect(removed.at(-1)).toBe(endNs);
  });

  it('posted-nobody: 26 ticks of sleep, no scan', () => {
    const { log, info } = run('backoff-ladder:posted-nobody');
    // less the 10 us of the exit wait
    expect(tasksFigures(log, info)?.holdoutPhaseNs).toBe(104 * MS - 10_000);
    let scans = 0;
    log.forEach(({ kind }) => {
      if (kind === KIND.rcu_tasks_scan) scans++;
    });
    expect(scans).toBe(0);
  });
});

describe('trampoline', () => {
  const phaseMs = (variant: string) =>
    (figuresOf(`trampoline:${variant}`).figures.tasks?.holdoutPhaseNs ?? Number.NaN) / MS;

  // least and most of 5.2
  it.each([
    [100, 1000, 1080, 100, 110],
    [250, 1000, 1032, 100, 104],
    [300, 1000, 1027, 100, 103.4],
    [1000, 1000, 1064, 100, 108],
  ])(
    'HZ=%i: phases of the table, 919 ms apart within 3 percent, the merged form as the posted one',
    (hz, ...range) => {
      const [leastBefore, mostBefore, leastPosted, mostPosted] = range;
      const before = phaseMs(`before-${hz}`);
      const posted = phaseMs(`posted-${hz}`);
      expect(before).toBeGreaterThan(leastBefore);
      expect(before).toBeLessThan(mostBefore);
      expect(posted).toBeGreaterThan(leastPosted);
      expect(posted).toBeLessThanOrEqual(mostPosted);
      expect(Math.abs((before - posted) / 919 - 1)).toBeLessThan(0.03);
      expect(phaseMs(`merged-${hz}`)).toBeCloseTo(posted, 1);
    },
  );
});

describe('probe-detach', () => {
  const seconds = (variant: string) =>
    figuresOf(`probe-detach:${variant}`).result.reported?.[0]?.simulated ?? Number.NaN;

  it.each([
    ['kprobes-5-15', 90],
    ['kprobes-6-12', 42],
  ])('%s: rcu_expedited takes %i percent off, within 5 points (case t09)', (variant, percent) => {
    const saved = 100 * (1 - seconds(`${variant}-expedited`) / seconds(variant));
    expect(Math.abs(saved - percent)).toBeLessThan(5);
  });

  it('rcu_normal wins over rcu_expedited: the run of neither', () => {
    const means = (variant: string) =>
      Object.values(figuresOf(`probe-detach:${variant}`).result.latency ?? {}).map(({ mean }) => mean);
    expect(means('kprobes-6-12-normal')).toEqual(means('kprobes-6-12'));
  });

  it('a uprobe of 6.12 takes six times as long as one of 6.8 (0.25 and 0.04 s, case t12)', () => {
    expect(seconds('uprobes-6-12') / seconds('uprobes-6-8')).toBeCloseTo(6, 0);
  });

  it('one uprobe_multi link: one wait for all, as long as story and docs/waits.md say (case t12)', () => {
    const { call_rcu_tasks_trace: waits } = figuresOf('probe-detach:uprobe-multi-6-12').result.latency ?? {};
    expect(waits?.n).toBe(1);
    const inAll = `${Math.round((waits?.mean ?? Number.NaN) / MS)} ms in all`;
    expect(probeDetachStory.lookAt.join(' ')).toContain(inAll);
    expect(readFileSync('docs/waits.md', 'utf8')).toContain(inAll);
    // 1000 of them one after the other: 250 to 500 s
    expect(1000 * seconds('uprobes-6-12')).toBeGreaterThan(250);
  });
});

describe('tasks-stall', () => {
  it('defaults: from line to line as in the log, within 0.5 % (case l17)', () => {
    const { infoAges } = figuresOf('tasks-stall:defaults').figures.tasks ?? { infoAges: [] };
    const log = [10_658, 40_793, 131_273, 402_058];
    expect(infoAges).toHaveLength(log.length);
    for (let i = 1; i < log.length; i++) {
      const step = (ages: readonly number[]) => (ages[i] ?? 0) - (ages[i - 1] ?? 0);
      expect(Math.abs(step(infoAges) / step(log) - 1)).toBeLessThan(0.005);
    }
  });
});
