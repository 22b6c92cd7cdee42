/** Geometry, timer rounding and holdouts against worked numbers: test-data/tree-worked.json (R1.8 to R1.10, R1.15, R2.12). */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Ticks, wheelExpiry } from '../core/ticks.ts';
import { latenciesNs } from '../reference/logRows.testkit.ts';
import { load, reader, runToEnd, simConfig, updater } from '../reference/simConfig.testkit.ts';
import { createGeometry } from './geometry.ts';

type Span = readonly [grplo: number, grphi: number, grpnum: number];

const worked = JSON.parse(readFileSync('test-data/tree-worked.json', 'utf8')) as {
  geometry: {
    rows: readonly (readonly [
      cpus: number,
      fanoutLeaf: number,
      fanout: number,
      fanoutExact: boolean,
      levels: number,
      nodes: readonly number[],
      total: number,
      spread: readonly number[],
      firstOfLevel: readonly Span[],
      lastOfLevel: readonly Span[],
    ])[];
  };
  timerWheel: { rows: readonly (readonly [jiffies: number, j: number, firesAt: number])[] };
  timerDelay: {
    rows: readonly (readonly [
      hz: number,
      j: number,
      armedTick: number,
      plusNs: number,
      firesAtTick: number,
      delayNs: number,
    ])[];
  };
  holdouts: {
    startTick: number;
    rows: readonly (readonly [
      hz: number,
      cpus: number,
      first: number,
      next: number,
      givenSchedQs: number | null,
      schedQs: number,
      s: number,
      preemptNs: number,
      nonPreemptNs: number,
      preemptWake0Ns: number,
      nonPreemptWake0Ns: number,
    ])[];
  };
};

describe('the rcu_node tree', () => {
  // the engine has RCU_FANOUT of 64-bit kernels
  const rows = worked.geometry.rows.filter(([, , fanout]) => fanout === 64);

  it('has trees of one to three levels at least', () => {
    expect(rows.length).toBeGreaterThan(50);
    expect(new Set(rows.map(([, , , , levels]) => levels)).size).toBeGreaterThanOrEqual(3);
  });

  it.each(rows)('of %i CPUs, leaves of %i', (cpus, leaf, _fanout, exact, levels, nodes, total, ...spans) => {
    const [spread, firstOfLevel, lastOfLevel] = spans;
    const geometry = createGeometry(cpus, leaf, exact);
    expect(geometry.levelCounts).toEqual(nodes);
    expect(geometry.spread).toEqual(spread);
    expect(geometry.nodes).toHaveLength(total);
    const span = (node: (typeof geometry.nodes)[number] | undefined) => {
      return [node?.grplo, node?.grphi, node?.grpnum];
    };
    for (let level = 0; level < levels; level++) {
      const ofLevel = geometry.nodes.filter((node) => node.level === level);
      expect(span(ofLevel[0])).toEqual(firstOfLevel[level]);
      expect(span(ofLevel.at(-1))).toEqual(lastOfLevel[level]);
    }
  });
});

describe('the timer wheel', () => {
  it('rounds up by one unit of its level', () => {
    for (const [jiffies, j, firesAt] of worked.timerWheel.rows)
      expect([jiffies, j, wheelExpiry(jiffies, j)]).toEqual([jiffies, j, firesAt]);
  });

  it('makes every delay longer, by up to a tick', () => {
    for (const [hz, j, armedTick, plusNs, firesAtTick, delayNs] of worked.timerDelay.rows) {
      const ticks = new Ticks(hz, 0);
      const armedNs = ticks.timeNs(armedTick) + plusNs;
      const fires = wheelExpiry(ticks.jiffiesAt(armedNs), j);
      expect([hz, j, plusNs, fires, ticks.timeNs(fires) - armedNs]).toEqual([
        ...[hz, j, plusNs, firesAtTick, delayNs],
      ]);
    }
  });
});

describe('a CPU that never passes a quiescent state by itself', () => {
  const { rows, startTick } = worked.holdouts;

  it.each(rows.map((row) => [row[0], row[1], row[2], row[3], row] as const))(
    'HZ=%i, %i CPUs, waits %i and %i',
    (hz, cpus, first, next, row) => {
      const [, , , , given, , , preemptNs, nonPreemptNs, preemptWake0Ns, nonPreemptWake0Ns] = row;
      const latency = (preempt: 'full' | 'none', wake: number) => {
        // at most a tick long, and never ending with one
        const holdNs = Math.floor(7e8 / hz) + 1;
        const holdout =
          preempt === 'full'
            ? reader({ cpu: 1, domain: 'rcu', hold: holdNs, idle: 0 })
            : load({ cpu: 1, spin: holdNs });
        const params = {
          'rcutree.jiffies_till_first_fqs': first,
          'rcutree.jiffies_till_next_fqs': next,
          'rcutree.rcu_normal_wake_from_gp': wake,
          ...(given === null ? {} : { 'rcutree.jiffies_till_sched_qs': given }),
        };
        const caller = updater({
          api: 'synchronize_rcu',
          domain: 'rcu',
          start: { ticks: startTick, plus: 0 },
        });
        return latenciesNs(
          runToEnd(simConfig({ hz, cpus, preempt, params, actors: [caller, holdout] })).log,
        )[0];
      };
      expect([latency('full', 1), latency('none', 1), latency('full', 0), latency('none', 0)]).toEqual([
        ...[preemptNs, nonPreemptNs, preemptWake0Ns, nonPreemptWake0Ns],
      ]);
    },
  );
});
