/** Hold-out phases and periods in whole runs: sleeps, wheel, gp_sleep (spec tasks 3 step 8, 4.1 to 4.4). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { RTGS, TASKS_FLAVOR } from '../core/eventKinds.ts';
import type { EventRow } from '../core/rows.ts';
import type { ProfileId } from '../profiles/profiles.ts';
import { latenciesNs } from '../reference/logRows.testkit.ts';
import { runToEnd, simConfig } from '../reference/simConfig.testkit.ts';
import { holdoutFor, MS, statesOf, tasksCall } from './tasks.testkit.ts';

type Version = '4.17' | 'seed-v2' | '4.19-5.10' | '5.11-6.12';
const worked = JSON.parse(readFileSync('test-data/tasks-worked.json', 'utf8')) as {
  holdOutTable: {
    rows: [hz: number, version: Version, xMs: number | null, meanMs: number, minMs: number, maxMs: number][];
  };
};
/** Those whose step 4 takes no time, where there is one. */
const KERNEL: Readonly<Record<Version, ProfileId>> = {
  '4.17': 'v4.17',
  'seed-v2': 'tasks-2018-05-20',
  '4.19-5.10': 'v5.10',
  '5.11-6.12': 'v6.12',
};
/** Sleeps in jiffies (4.1). */
const SLEEP: Readonly<Record<Version, (hz: number, scan: number) => number>> = {
  '4.17': (hz) => hz,
  'seed-v2': (hz, scan) => (scan === 0 ? Math.floor(hz / 10) : hz),
  '4.19-5.10': (hz, scan) => Math.floor(hz / Math.max(1, 10 - scan)),
  '5.11-6.12': (hz, scan) => Math.min(hz, Math.floor(hz / 10) + scan),
};
const CLASSIC = TASKS_FLAVOR.classic;
const HOUR = 3_600_000 * MS;

function run(hz: number, version: Version, startJiffies: number, spinNs: number) {
  const actors = [tasksCall('synchronize_rcu_tasks', { start: 5 * MS }), holdoutFor(spinNs)];
  const rules = { 'tasks.exit': 'v6.12' } as const;
  const stop = { afterNs: 8000 * MS, whenDone: true };
  return runToEnd(simConfig({ kernel: KERNEL[version], hz, startJiffies, rules, actors, stop })).log;
}

/** When the hold-out phase begins with a holdout that stays; the row says the jiffy. */
function beginOf(hz: number, version: Version, startJiffies: number): EventRow {
  return statesOf(run(hz, version, startJiffies, HOUR), CLASSIC, RTGS.POST_SCAN_TASKLIST)[0] as EventRow;
}

/** The phase, with a holdout that is released `xNs` after its begin. */
function phaseNs(hz: number, version: Version, startJiffies: number, begin: EventRow, xNs: number): number {
  const log = run(hz, version, startJiffies, begin.timeNs + xNs);
  const [end] = statesOf(log, CLASSIC, RTGS.POST_GP);
  return (end?.timeNs ?? Number.NaN) - begin.timeNs;
}

/** The first tick of the wheel's ladder that is not before the release (4.3, 4.4). */
function closedFormNs(hz: number, version: Version, { d: jiffy }: EventRow, xNs: number): number {
  const tickNs = 1e9 / hz;
  for (let scan = 0, now = jiffy; ; scan++) {
    const sleep = SLEEP[version](hz, scan);
    let unit = 1;
    while (sleep >= 63 * unit) unit *= 8;
    now = (Math.floor((now + sleep) / unit) + 1) * unit;
    if ((now - jiffy) * tickNs >= xNs) return (now - jiffy) * tickNs;
  }
}

describe('the table of 4.4, in whole runs', () => {
  const rows = worked.holdOutTable.rows.filter(([, , xMs]) => xMs !== null && xMs < 4000);

  it.each(rows)('HZ=%i, %s, released after %s ms', (hz, version, xMs, _, minMs, maxMs) => {
    for (const startJiffies of [0, 37, 1000]) {
      const begin = beginOf(hz, version, startJiffies);
      const xNs = (xMs as number) * MS;
      const ns = phaseNs(hz, version, startJiffies, begin, xNs);
      expect(ns).toBe(closedFormNs(hz, version, begin, xNs));
      expect(ns).toBeGreaterThanOrEqual((minMs - 0.1) * MS);
      expect(ns).toBeLessThanOrEqual((maxMs + 0.1) * MS);
    }
  });

  it.each(['4.17', '4.19-5.10', '5.11-6.12'] as const)('%s: nobody to wait for, no sleep', (version) => {
    const actors = [tasksCall('synchronize_rcu_tasks', { start: 5 * MS })];
    const { log } = runToEnd(
      simConfig({ kernel: KERNEL[version], rules: { 'tasks.exit': 'v6.12' }, actors }),
    );
    const times = [RTGS.POST_SCAN_TASKLIST, RTGS.POST_GP].map(
      (state) => statesOf(log, CLASSIC, state)[0]?.timeNs,
    );
    expect(times[0]).toBe(times[1]);
    expect(statesOf(log, CLASSIC, RTGS.WAIT_SCAN_HOLDOUTS)).toEqual([]);
  });

  it('seed-v2 sleeps HZ/10 all the same, and does not scan', () => {
    const actors = [tasksCall('synchronize_rcu_tasks', { start: 5 * MS })];
    const rules = { 'tasks.exit': 'v6.12' } as const;
    const { log } = runToEnd(simConfig({ kernel: 'tasks-2018-05-20', rules, actors }));
    const [begin] = statesOf(log, CLASSIC, RTGS.POST_SCAN_TASKLIST);
    const [end] = statesOf(log, CLASSIC, RTGS.POST_GP);
    expect((end?.timeNs ?? 0) - (begin?.timeNs ?? 0)).toBe(104 * MS);
    expect(statesOf(log, CLASSIC, RTGS.SCAN_HOLDOUTS)).toEqual([]);
  });
});

describe('back to back', () => {
  const backToBack = (hz: number, kernel: ProfileId) => {
    const { log } = runToEnd(
      simConfig({ kernel, hz, actors: [tasksCall('synchronize_rcu_tasks', { calls: 8, start: 5 * MS })] }),
    );
    const starts = statesOf(log, CLASSIC, RTGS.WAIT_GP);
    const ends = statesOf(log, CLASSIC, RTGS.INVOKE_CBS);
    return { log, starts, ends };
  };

  it.each(['v4.17', 'v5.10', 'v6.12'] as const)('HZ=250, %s: gp_sleep is 26 ticks', (kernel) => {
    const { starts, ends, log } = backToBack(250, kernel);
    // the exit wait of 4.17 to 6.8 is of microseconds: what begins inside a tick is shorter by that
    starts.slice(1).forEach(({ d, timeNs }, i) => {
      expect(d - (ends[i]?.d ?? 0)).toBe(26);
      expect(timeNs).toBe(d * 4 * MS);
    });
    const [, ...others] = latenciesNs(log);
    others.forEach((ns, i) => {
      const innerNs = (ends[i + 1]?.timeNs ?? 0) - (starts[i + 1]?.timeNs ?? 0);
      expect(ns).toBe((starts[i + 1]?.timeNs ?? 0) - (ends[i]?.timeNs ?? 0) + innerNs);
    });
  });

  it('HZ=1000: periods are exactly 120 ms for any D1 + D3 of 12 to 19 ticks', () => {
    const { starts, ends } = backToBack(1000, 'v6.12');
    const inner = (ends[1]?.d ?? 0) - (starts[1]?.d ?? 0);
    expect(inner).toBeGreaterThanOrEqual(12);
    expect(inner).toBeLessThanOrEqual(19);
    const periods = starts.slice(2).map(({ timeNs }, i) => timeNs - (starts[i + 1]?.timeNs ?? 0));
    expect(new Set(periods)).toEqual(new Set([120 * MS]));
  });
});
