import { describe, expect, it } from 'vitest';
import { RCU_EXP_STAGE } from '../../analysis/rcuStateTypes.ts';
import { makeRcuState } from '../rcuState.testkit.ts';
import { expeditedView } from './model.ts';

describe('expedited grace periods', () => {
  it('lists the CPUs that were asked and what they said, who owes first', () => {
    const { expedited } = makeRcuState();
    const state = makeRcuState({
      expedited: { ...expedited, phase: 'waiting', startNs: 9_990_000, ipis: 2, answered: 1, owing: 1 },
    });
    state.cpus.expStage[1] = RCU_EXP_STAGE.reported;
    state.cpus.expStage[2] = RCU_EXP_STAGE.inReader;
    const view = expeditedView(state);
    expect(view.phase).toBe('ends at s 4: waits for CPUs and readers');
    expect(view.cpus).toEqual([
      { cpu: 2, isDone: false, text: 'has the IPI, is inside a reader section' },
      { cpu: 1, isDone: true, text: 'has reported' },
    ]);
    expect(view.facts.find(({ name }) => name === 'IPIs')?.text).toBe('2 sent, 1 answered');
  });

  it('forgets the CPUs of the last one', () => {
    const state = makeRcuState();
    state.cpus.expStage[1] = RCU_EXP_STAGE.reported;
    expect(expeditedView(state)).toMatchObject({ isRunning: false, cpus: [], more: '' });
  });

  it('never hides one that owes behind those that are done', () => {
    const { expedited } = makeRcuState();
    const state = makeRcuState({ expedited: { ...expedited, phase: 'waiting' } }, 64);
    state.cpus.expStage.fill(RCU_EXP_STAGE.reported);
    state.cpus.expStage[63] = RCU_EXP_STAGE.ipiSent;
    const view = expeditedView(state);
    expect(view.cpus.map(({ cpu }) => cpu)).toEqual([63, 0, 1, 2, 3, 4, 5, 6]);
    expect(view.more).toBe('and 56 more CPUs, all done');
    state.cpus.expStage.fill(RCU_EXP_STAGE.ipiSent, 40);
    expect(expeditedView(state).more).toBe('and 56 more CPUs, 16 not done');
    state.cpus.expStage.fill(RCU_EXP_STAGE.owes);
    expect(expeditedView(state).more).toBe('and 56 more CPUs, none done');
  });
});
