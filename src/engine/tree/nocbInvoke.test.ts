/** Who invokes callbacks, and what that takes (tree R3.6, R3.12, R4.2, V16). */
import { describe, expect, it } from 'vitest';
import { KIND, RCU_FUNC, RCU_GP } from '../core/eventKinds.ts';
import { rowsOf } from '../reference/logRows.testkit.ts';
import { load } from '../reference/simConfig.testkit.ts';
import type { Run } from '../run.ts';
import { rcuUpdater, runOffloaded } from './nocb.testkit.ts';

const MS = 1_000_000;
const BEHIND = 3612;
const CB_NS = 2020;
/** All in one jiffy, none by the bypass list. */
const params = { 'rcutree.nocb_nobypass_lim_per_jiffy': 1e6 };

/** Name of what runs on a CPU at each row of a kind, by the sched_switch rows before it. */
function runningAt(run: Run, kind: number): { readonly cpu: number; readonly name: string }[] {
  const { log, info } = run;
  const current = new Map<number, number>();
  const found: { cpu: number; name: string }[] = [];
  for (let index = 0; index < log.length; index++) {
    const row = log.row(index);
    if (row.kind === KIND.sched_switch) current.set(row.track, row.a);
    else if (row.kind === kind)
      found.push({ cpu: row.c, name: info.tracks[current.get(row.track) ?? -1]?.name ?? 'idle' });
  }
  return found;
}

describe('C, the wait behind earlier callbacks (R4.7 row 5)', () => {
  // behind the first one they stay without a number up to 8 ms: all get the same one then
  const actors = [
    rcuUpdater('call_rcu', { cpu: 1, start: MS }),
    rcuUpdater('call_rcu', { cpu: 1, batch: BEHIND, start: 2 * MS }),
    rcuUpdater('synchronize_rcu', { cpu: 1, start: 7 * MS }),
  ];

  it.each(['plain', 'virtual-1gips', 'typical'] as const)(
    '%s: 3612 callbacks of 2.02 us take 7.3 ms',
    (preset) => {
      const { log } = runOffloaded({ actors, params, preset, machine: { rcuCbNs: CB_NS } });
      const mine = rowsOf(log, KIND.rcu_invoke_callback).find(({ b }) => b === RCU_FUNC.wakeme_after_rcu);
      const starts = rowsOf(log, KIND.rcu_batch_start).filter(({ timeNs }) => timeNs <= (mine?.timeNs ?? 0));
      const batch = starts.at(-1);
      expect(batch?.a).toBe(BEHIND + 1);
      const waitNs = (mine?.timeNs ?? 0) - (batch?.timeNs ?? 0);
      expect(Math.abs(waitNs / (BEHIND * CB_NS) - 1)).toBeLessThan(0.05);
      // one batch, without a limit (R3.6)
      expect(rowsOf(log, KIND.rcu_batch_end).map(({ a }) => a)).toContain(BEHIND + 1);
    },
  );
});

describe('callbacks of an offloaded CPU', () => {
  it('only its rcuop invokes them; those of others only their own softirq (V16)', () => {
    const actors = [
      rcuUpdater('call_rcu', {
        cpu: 0,
        count: 8,
        stagger: 300_000,
        calls: 40,
        batch: 5,
        gap: { exp: 2 * MS },
      }),
      load({ cpu: 2, count: 4, mode: 'kernel', spin: { exp: MS }, idle: { exp: MS } }),
    ];
    const offloaded = [1, 2, 3, 6];
    const run = runOffloaded({
      actors,
      preset: 'typical',
      params: { rcu_nocbs: '1-3,6', 'rcutree.nocb_nobypass_lim_per_jiffy': 3 },
    });
    const invoked = rowsOf(run.log, KIND.rcu_invoke_callback);
    expect(invoked).toHaveLength(8 * 40 * 5);
    expect(new Set(invoked.map(({ a }) => a)).size).toBe(invoked.length);
    const who = runningAt(run, KIND.rcu_invoke_callback);
    who.forEach(({ cpu, name }, i) => {
      if (offloaded.includes(cpu)) expect(name).toBe(`rcuop/${cpu}`);
      else {
        expect(name).not.toMatch(/^rcuo/);
        expect(invoked[i]?.track).toBe(cpu);
      }
    });
    for (const { b, c } of rowsOf(run.log, KIND.rcu_batch_end))
      expect((b & 8) > 0).toBe(offloaded.includes(c));
    // in the order in which they were queued (V8)
    for (let cpu = 0; cpu < 8; cpu++) {
      const ids = invoked.filter(({ c }) => c === cpu).map(({ a }) => a);
      expect(ids).toEqual([...ids].sort((a, b) => a - b));
    }
  });

  it('a tick inside a batch notes no quiescent state: softirqs are disabled (R2.18)', () => {
    // the batch of CPU 1 takes 10 ms; the caller on CPU 5 keeps grace periods going
    const actors = [
      rcuUpdater('call_rcu', { cpu: 1, start: MS }),
      rcuUpdater('call_rcu', { cpu: 1, batch: 5000, start: 2 * MS }),
      rcuUpdater('synchronize_rcu', { cpu: 5, calls: 6, start: 2 * MS }),
    ];
    const machine = { rcuCbNs: CB_NS };
    const { log } = runOffloaded({ actors, params, preset: 'virtual-1gips', machine });
    const start = rowsOf(log, KIND.rcu_batch_start).find(({ a }) => a === 5000);
    const end = rowsOf(log, KIND.rcu_batch_end).find(({ a }) => a === 5000);
    const cpu = start?.track ?? -1;
    const inside = rowsOf(log, KIND.rcu_grace_period).filter(
      ({ track, timeNs }) => track === cpu && timeNs > (start?.timeNs ?? 0) && timeNs < (end?.timeNs ?? 0),
    );
    expect(inside.some(({ a }) => a === RCU_GP.cpustart)).toBe(true);
    expect(inside.some(({ a }) => a === RCU_GP.cpuqs)).toBe(false);
  });
});
