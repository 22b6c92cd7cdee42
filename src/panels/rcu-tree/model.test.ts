import { describe, expect, it } from 'vitest';
import { RCU_STAGE } from '../../analysis/rcuStateTypes.ts';
import { makeInfo, typed } from '../panelData.testkit.ts';
import { makeRcuState } from '../rcuState.testkit.ts';
import { treeView } from './model.ts';

const INFO = makeInfo('v6.12');

describe('rcu_node tree', () => {
  it('shows the CPUs of a single node and who is missing', () => {
    const state = makeRcuState();
    state.cpus.stage[2] = RCU_STAGE.noted;
    state.cpus.watching[3] = 0;
    const view = treeView(state, INFO, []);
    expect(view.rows.map(({ title, mask }) => [title, mask])).toEqual([['root 0–3', '0xe of 0xf']]);
    expect(view.rows[0]?.cells.map((cell) => cell.state)).toEqual(['done', 'owes', 'noted', 'owes']);
    expect([view.verdict, view.verdictTone]).toEqual(['3 CPUs missing', 'poll']);
    expect(view.owners.map(({ text }) => text)).toEqual([
      'CPU 1: has not learned of it, looks at its next tick',
      'CPU 2: noted, reports at its next tick',
      'CPU 3: idle, the next scan reports it',
    ]);
  });

  it('names a reader and for how long it has been in its section', () => {
    const state = makeRcuState({
      readers: [{ thread: 5, cpu: 1, sinceNs: 7_000_000, row: 70, isOlder: true, isBlocked: false }],
    });
    const owner = treeView(state, INFO, []).owners[0];
    expect([typed(owner?.text ?? ''), owner?.row]).toEqual([
      'CPU 1: reader/0 has been in its section for 3 ms',
      70,
    ]);
  });

  it('goes down to the first leaf that is not done, or along the chosen way', () => {
    const state = makeRcuState({}, 4096);
    const info = makeInfo('v6.12', 4096);
    const rows = treeView(state, info, []).rows;
    expect(rows.map(({ cells, chosen }) => [cells.length, chosen])).toEqual([
      [4, 0],
      [64, 0],
      [16, -1],
    ]);
    const chosen = treeView(state, info, [3, 63]).rows;
    expect(chosen.map(({ title }) => title)).toEqual(['root 0–4095', 'node 3072–4095', 'leaf 4080–4095']);
    expect(treeView(state, info, []).moreOwners).toBe(4091);
  });

  it('says nothing of a grace period that a node does not know yet', () => {
    const state = makeRcuState();
    state.nodes.gpSeq.fill(-1200);
    const view = treeView(state, INFO, []);
    expect(view.rows[0]?.cells.every((cell) => cell.state === 'none')).toBe(true);
    expect(view.verdict).toBe('it is starting: node by node gets its mask');
  });

  it('tells a leaf that only a preempted reader blocks', () => {
    const state = makeRcuState(
      {
        owing: 0,
        blocking: 1,
        blocked: [
          {
            thread: 21,
            cpu: 17,
            leaf: 2,
            sinceNs: 7_000_000,
            row: 70,
            blocksNormal: true,
            blocksExpedited: false,
          },
        ],
      },
      20,
    );
    state.nodes.qsmaskLo.fill(0);
    state.nodes.qsmaskLo[0] = 2;
    state.nodes.gpTasks[2] = 1;
    const view = treeView(state, makeInfo('v6.12', 20), []);
    expect(view.rows[0]?.cells.map((cell) => cell.state)).toEqual(['done', 'blocked']);
    expect(view.verdict).toBe('0 CPUs and 1 preempted reader missing');
    expect(view.owners[0]?.text).toBe('reader/0, preempted in its section on CPU 17, blocks leaf 1');
  });
});
