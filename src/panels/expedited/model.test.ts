import { describe, expect, it } from 'vitest';
import { RCU_EXP_STAGE } from '../../analysis/rcuStateTypes.ts';
import { makeRcuState } from '../rcuState.testkit.ts';
import { expeditedView } from './model.ts';

describe('expedited grace periods', () => {
  it('lists the CPUs that were asked and what they said', () => {
    const { expedited } = makeRcuState();
    const state = makeRcuState({
      expedited: { ...expedited, phase: 'waiting', startNs: 9_990_000, ipis: 2, answered: 1, owing: 1 },
    });
    state.cpus.expStage[1] = RCU_EXP_STAGE.reported;
    state.cpus.expStage[2] = RCU_EXP_STAGE.inReader;
    const view = expeditedView(state);
    expect(view.phase).toBe('ends at s 4: waits for CPUs and readers');
    expect(view.cpus).toEqual([
      { cpu: 1, isDone: true, text: 'has reported' },
      { cpu: 2, isDone: false, text: 'has the IPI, is inside a reader section' },
    ]);
    expect(view.facts.find(({ name }) => name === 'IPIs')?.text).toBe('2 sent, 1 answered');
  });

  it('forgets the CPUs of the last one', () => {
    const state = makeRcuState();
    state.cpus.expStage[1] = RCU_EXP_STAGE.reported;
    expect(expeditedView(state)).toMatchObject({ isRunning: false, cpus: [], moreCpus: 0 });
  });
});
