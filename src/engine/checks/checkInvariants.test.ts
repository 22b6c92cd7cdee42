/** No invariant is violated: every kernel, HZ, preset and kind of workload, and configurations drawn at random. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import type { Actor } from '../config.ts';
import { KIND } from '../core/eventKinds.ts';
import { addRow } from '../core/eventLog.testkit.ts';
import { EventLog } from '../core/eventLog.ts';
import { PRESET_IDS, type PresetId } from '../machine/presets.ts';
import { PROFILES } from '../profiles/profiles.ts';
import { randomConfig } from '../reference/randomConfig.testkit.ts';
import {
  type ConfigParts,
  load,
  reader,
  runToEnd,
  simConfig,
  updater,
} from '../reference/simConfig.testkit.ts';
import { MAX_LISTED, Report } from './checker.ts';
import { checkInvariants, listInvariants } from './checkInvariants.ts';
import { idsFound } from './found.testkit.ts';

const MS = 1_000_000;
const RUNS = 400;

const spinning = reader({ cpu: 1, hold: { list: [MS / 10, 3 * MS, 25 * MS] }, idle: MS / 5 });
const sleeping = reader({
  cpu: 2,
  hold: { uniform: [0, 9 * MS] },
  idle: 2 * MS,
  holdMode: 'sleep',
  idleMode: 'sleep',
});

/** Workloads of up to 4 CPUs, each ended after some ticks. */
const WORKLOADS: Readonly<Record<string, Omit<ConfigParts, 'kernel' | 'hz' | 'preset' | 'preempt'>>> = {
  'expedited and normal calls with readers': {
    actors: [
      ...[spinning, sleeping],
      updater({ start: { ticks: 1, plus: 31_000 }, calls: 4 }),
      updater({ cpu: 3, api: 'synchronize_srcu', calls: 3, gap: { list: [0, 5 * MS] } }),
    ],
  },
  'several updaters and no reader': {
    actors: [
      updater({ count: 3, api: 'synchronize_srcu', calls: 3, stagger: 28_000 }),
      updater({ cpu: 1, calls: 3, gap: 700_000, gapMode: 'spin' }),
      updater({ cpu: 3, calls: 4, gap: 900_000, gapFrom: 'call' }),
    ],
  },
  'call_srcu, barriers and polling': {
    actors: [
      updater({ api: 'call_srcu', batch: 16, calls: 3, gap: MS }),
      updater({ cpu: 1, api: 'call_srcu', batch: 2, calls: 5, gap: 3 * MS, gapMode: 'spin', wait: 'none' }),
      updater({ cpu: 2, api: 'srcu_barrier', calls: 6, gap: { list: [5000, MS, 9 * MS] } }),
      updater({ cpu: 3, api: 'start_poll_synchronize_srcu', calls: 4, gapMode: 'spin' }),
      sleeping,
    ],
  },
  'late incrementers': {
    actors: [
      reader({
        cpu: 1,
        count: 2,
        stagger: MS,
        hold: 4 * MS,
        idle: MS / 3,
        incDelay: { uniform: [0, 6 * MS] },
      }),
      updater({ calls: 6, gap: { list: [0, 2 * MS] } }),
    ],
  },
  'two domains on one worker': {
    actors: [
      ...[spinning, reader({ ...sleeping, domain: 'srcu:b' })],
      updater({ calls: 4, gap: MS / 2 }),
      updater({ domain: 'srcu:b', calls: 4, gap: MS / 4, api: 'synchronize_srcu' }),
      updater({ cpu: 2, domain: 'srcu:b', calls: 2, api: 'call_srcu', batch: 3 }),
    ],
  },
  'the credit form': {
    machine: { requester: 'credit', creditStartNs: 9 * MS },
    actors: [updater({ calls: 12, gap: 160_000, gapMode: 'spin' })],
  },
  'workers that lose their CPU': {
    actors: [
      ...[load({ count: 2 }), load({ cpu: 1, mode: 'user', spin: 700_000, idle: MS }), spinning],
      updater({ start: 50_000, calls: 4, gap: MS, gapMode: 'spin' }),
      updater({ cpu: 1, api: 'synchronize_srcu', calls: 2 }),
    ],
  },
  'tight limits and a big domain': {
    params: { 'srcutree.convert_to_big': 1, 'srcutree.exp_holdoff': 0 },
    rules: { 'srcu.phaseLimit': 'v5.19-640a', 'srcu.jiffyLimit': 'v6.1' },
    actors: [
      sleeping,
      updater({ cpu: 1, count: 2, calls: 4, gap: MS }),
      updater({ api: 'synchronize_srcu', calls: 3 }),
    ],
  },
};

/** Kernels that are told apart by their rules, and those that repeat the rules of an earlier one. */
const DISTINCT = PROFILES.filter(
  ({ rules }, i) => PROFILES.findIndex((other) => other.rules === rules) === i,
);

function configs(preset: PresetId, preempt: 'full' | 'none', hz: number, workload: string) {
  const { machine = {}, ...parts } = WORKLOADS[workload] as ConfigParts;
  const stop = { afterNs: Math.floor(14e9 / hz), whenDone: true };
  const kernels = hz === 250 ? PROFILES : DISTINCT;
  return kernels.map(({ id: kernel }) => {
    return simConfig({ ...parts, machine, stop, kernel, preset, preempt, hz });
  });
}

describe.each(PRESET_IDS)('preset %s', (preset) => {
  describe.each(['full', 'none'] as const)('preempt %s', (preempt) => {
    it.each(Object.keys(WORKLOADS))('%s', (workload) => {
      for (const hz of [100, 250, 1000]) {
        for (const config of configs(preset, preempt, hz, workload)) {
          const found = idsFound(config);
          expect(found, `${config.kernel}, HZ ${hz}`).toEqual([]);
        }
      }
    });
  });

  it('leaves no invariant without judgements', () => {
    const judge = vi.spyOn(Report.prototype, 'judge');
    for (const workload of Object.keys(WORKLOADS)) {
      for (const config of configs(preset, 'full', 250, workload).slice(-4)) idsFound(config);
    }
    const judged = new Set(judge.mock.calls.map(([id]) => id));
    judge.mockRestore();
    const { info } = runToEnd(simConfig({ preset, actors: [updater()] }));
    // where every task has a CPU of its own there is nobody to switch or to wake
    const silent = info.contended ? [] : ['L3', 'L4'];
    const all = listInvariants(info).map(({ id }) => id);
    expect(all.filter((id) => !judged.has(id))).toEqual(silent);
  });
});

describe('configurations drawn at random', () => {
  it('violate nothing', () => {
    const violatesNothing = fc.property(randomConfig(), (config) => {
      const run = runToEnd(config, { maxEvents: 20_000 });
      expect(checkInvariants(run.log, run.info).violations).toEqual([]);
    });
    const seed = Number(process.env.RCUSCOPE_SEED ?? Date.now() % 2 ** 31);
    console.log(`checkInvariants.test.ts: ${RUNS} cases, RCUSCOPE_SEED=${seed}`);
    fc.assert(violatesNothing, { numRuns: RUNS, seed });
  });
});

describe('README.md', () => {
  it('lists every invariant, by the id of a rule that is written down', () => {
    const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
    const { info } = runToEnd(simConfig({ actors: [updater()] }));
    const all = listInvariants(info);
    const table = read('README.md').match(/^\| [IL]\d.*$/gm) ?? [];
    expect(table.map((line) => line.replace(/ +/g, ' '))).toEqual(
      all.map(({ id, title }) => `| ${id} | ${title} |`),
    );
    const rules = all.filter(({ id }) => id.startsWith('I'));
    const model = read('../../../docs/model/srcu.md');
    for (const { id, rule } of rules) {
      expect(rule).toContain(`5.7 ${id}`);
      expect(model).toContain(`**${id}.**`);
    }
  });
});

describe('checkInvariants', () => {
  const actors: Actor[] = [reader({ cpu: 1, hold: 20 * MS, idle: 900 * MS }), updater({ start: 1000 })];

  it('takes a burst of a million passes in one step', () => {
    const config = simConfig({
      kernel: 'v5.18',
      actors: [reader({ hold: 20_000 * MS }), updater({ start: 1000 })],
    });
    const run = runToEnd(config);
    expect(run.log.length).toBeLessThan(100);
    expect(checkInvariants(run.log, run.info).violations).toEqual([]);
  });

  it('says how often an invariant was violated where it lists only the first', () => {
    const run = runToEnd(simConfig({ actors }));
    const log = new EventLog();
    const rows = Array.from({ length: run.log.length }, (_, i) => run.log.row(i));
    for (const { timeNs, kind, track, a, b, c, d } of rows) addRow(log, timeNs, kind, track, 999, a, b, c, d);
    const { violations } = checkInvariants(log, run.info);
    expect(rows.length).toBeGreaterThan(MAX_LISTED);
    expect(violations).toHaveLength(MAX_LISTED + 1);
    expect(violations.at(-1)).toEqual({
      id: 'L2',
      atNs: rows.at(-1)?.timeNs,
      event: rows.length - 1,
      text: `${rows.length} violations of L2 in all, of which ${MAX_LISTED} are listed`,
    });
  });

  it('points at the row: a reader that stays although its grace period ends (log of a real run, edited)', () => {
    const run = runToEnd(simConfig({ actors }));
    const rows = Array.from({ length: run.log.length }, (_, i) => run.log.row(i));
    const unlock = rows.findIndex(({ kind }) => kind === KIND.srcu_unlock);
    const log = new EventLog();
    for (const { timeNs, kind, track, a, b, c, d } of rows.toSpliced(unlock, 1)) {
      addRow(log, timeNs, kind, track, -1, a, b, c, d);
    }
    const end = rows.findIndex(({ kind }) => kind === KIND.srcu_gp_end);
    const first = checkInvariants(log, run.info).violations.find(({ id }) => id === 'I1');
    expect(first).toMatchObject({ atNs: rows[end]?.timeNs, event: end - 1 });
    expect(first?.text).toContain('reader/0');
  });

  it('does not judge a grace period that the end of the run cuts', () => {
    const config = simConfig({ actors, stop: { afterNs: 5 * MS } });
    expect(idsFound(config)).toEqual([]);
  });

  it('reports a log that is empty', () => {
    const { info } = runToEnd(simConfig({ actors }));
    expect(checkInvariants(new EventLog(), info).violations.map(({ id }) => id)).toEqual(['L5']);
  });
});
