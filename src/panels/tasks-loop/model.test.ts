import { describe, expect, it } from 'vitest';
import { createCheckpoints } from '../../analysis/checkpoints.ts';
import { sliceRows } from '../../analysis/rowWindow.ts';
import { run } from '../../analysis/runs.testkit.ts';
import { stateAt } from '../../analysis/stateAt.ts';
import { tasksSample } from '../../analysis/tasksRuns.testkit.ts';
import type { TasksFlavorAt, TasksStateAt } from '../../analysis/tasksStateTypes.ts';
import { KIND, RTGS } from '../../engine/core/eventKinds.ts';
import { typed } from '../panelData.testkit.ts';
import { flavorChoices, tasksLoopView } from './model.ts';

/** The panel after the first row that brings a state, `ns` later. */
function at(sample: string, state: number, ns = 0, flavor = 0) {
  const { log, info } = run(tasksSample(sample));
  let row = 0;
  const isIt = () => {
    const { kind, a, b } = log.row(row);
    return kind === KIND.rcu_tasks_state && a === state && b === flavor;
  };
  while (!isIt()) row++;
  const timeNs = log.timeNs(row) + ns;
  while (row + 1 < log.length && log.timeNs(row + 1) <= timeNs) row++;
  const checkpoint = createCheckpoints(log, info).before(row);
  const tasks = stateAt(sliceRows(log, checkpoint.row, row + 1), checkpoint, { row, timeNs }, info)
    .tasks as TasksStateAt;
  const shown = tasks.flavors.find((one) => one.flavor === flavor) as TasksFlavorAt;
  return { view: tasksLoopView(shown, tasks, info), tasks, info };
}

const MS = 1_000_000;

describe('RCU Tasks', () => {
  it('has the loop with names and numbers, the current state marked', () => {
    const { view } = at('plain, kernel holdout', RTGS.WAIT_SCAN_HOLDOUTS, 50 * MS);
    expect(view.boxes.map(({ number }) => number)).toEqual([11, 2, 3, 4, 5, 6, 7, 8, 10]);
    expect(view.boxes.filter(({ isActive }) => isActive).map(({ name }) => name)).toEqual([
      'WAIT_SCAN_HOLDOUTS',
    ]);
    expect(view.label).toBe(
      'The kthread of RCU Tasks is in RTGS_WAIT_SCAN_HOLDOUTS (6): it sleeps before it looks at the holdouts again.',
    );
    expect(at('rude', RTGS.WAIT_GP, 0, 1).view.boxes.map(({ number }) => number)).toEqual([11, 2, 10]);
  });

  it('says when the next scan is, who is held up by what, and what would release it', () => {
    const { view } = at('plain, kernel holdout', RTGS.WAIT_SCAN_HOLDOUTS, 52 * MS);
    expect(typed(view.sleep?.text ?? '')).toMatch(/^next scan in 13 jiffies, at jiffy \d+ \(25 asked for\)$/);
    expect(view.sleep?.share).toBeCloseTo(0.5, 2);
    expect(view.holdoutsText).toBe('1 of 1 holdout left, 0 scans so far');
    expect(view.holdouts).toMatchObject([
      {
        ...{ name: 'holdout/0', cpu: 'CPU 1', state: 'holdout', doing: 'runs in the kernel' },
        release: 'a voluntary switch, or cond_resched_tasks_rcu_qs(); preemption does not count',
      },
    ]);
  });

  it('draws the ladder of every kernel, and which scan notices', () => {
    const { view } = at('plain, kernel holdout', RTGS.POST_GP);
    const lines = view.ladder?.lines ?? [];
    expect(lines.map(({ name, isOwn }) => [name, isOwn])).toEqual([
      ['up to 4.17', false],
      ['posted patch', false],
      ['4.19 to 5.10', false],
      ['5.11 and later', true],
    ]);
    // released after 250 ms less the first inner grace period: the third scan here, the first on 4.17
    expect(lines[3]?.notices).toBe(2);
    expect(lines[0]?.notices).toBe(0);
    expect(lines[3]?.scans.length).toBeGreaterThan(lines[0]?.scans.length ?? 0);
    expect(typed(view.ladder?.label ?? '')).toMatch(/This kernel: after 10\d ms, 2\d\d ms, 3\d\d ms/);
    expect(view.ladder?.released).toBeGreaterThan(0);
  });

  it('tells inner grace periods, laziness and callbacks', () => {
    const fact = (sample: string, state: number, name: string) =>
      typed(at(sample, state).view.facts.find((one) => one.name === name)?.text ?? '');
    expect(fact('kernel holdout', RTGS.PRE_WAIT_GP, 'inner')).toMatch(
      /^synchronize_rcu\(\) before the scan: /,
    );
    expect(fact('lazy', RTGS.WAIT_GP, 'lazy')).toMatch(/^63 jiffies, timer due in \d+ jiffies, urgent_gp 0$/);
    expect(fact('kernel holdout', RTGS.WAIT_GP, 'callbacks')).toMatch(/^0 wait for the next, 1 for this/);
    expect(fact('exit srcu', RTGS.WAIT_GP, 'lazy')).toBe('no: every callback wakes the kthread');
  });

  it('offers the flavours of the run', () => {
    const { tasks } = at('all flavours', RTGS.WAIT_GP);
    expect(flavorChoices(tasks).map(({ name }) => name)).toEqual([
      ...['RCU Tasks', 'RCU Tasks Rude', 'RCU Tasks Trace'],
    ]);
  });
});
