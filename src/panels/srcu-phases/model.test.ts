import { describe, expect, it } from 'vitest';
import { KIND } from '../../engine/core/eventKinds.ts';
import { makeInfo, makeState, typed } from '../panelData.testkit.ts';
import { phasesView } from './model.ts';

const info = makeInfo('v6.12');
const active = (view: ReturnType<typeof phasesView>) => view.states.filter(({ isActive }) => isActive);
const fact = (view: ReturnType<typeof phasesView>, name: string) =>
  typed(view.facts.find((f) => f.name === name)?.text ?? '');

describe('srcu phases', () => {
  it('lights exactly one state, and the flip while it is what has just happened', () => {
    expect(active(phasesView(makeState(), info, -1))).toMatchObject([{ id: 'scan2', note: 'drains idx 1' }]);
    const scan1 = makeState({ phase: 'SCAN1', gpSeq: 25, scannedIdx: 0 });
    expect(active(phasesView(scan1, info, -1))).toMatchObject([{ id: 'scan1', note: 'drains idx 0' }]);
    expect(active(phasesView(makeState(), info, KIND.srcu_flip))).toMatchObject([
      { id: 'flip', note: 'readers now on 0' },
    ]);
    const idle = makeState({ phase: 'IDLE', gpSeq: 28, scannedIdx: -1 });
    expect(active(phasesView(idle, info, KIND.srcu_gp_end))).toMatchObject([{ id: 'idle' }]);
  });

  it('takes srcu_gp_seq apart', () => {
    expect(fact(phasesView(makeState(), info, -1), 'srcu_gp_seq')).toBe('26 = 4 × 6 + 2 (SCAN2)');
    const early = makeState({ phase: 'IDLE', gpSeq: -396 });
    expect(fact(phasesView(early, info, -1), 'srcu_gp_seq')).toBe('-396 = 4 × -99 + 0 (IDLE)');
  });

  it('says which limits this kernel lacks', () => {
    const endless = { phaseLimit: Number.POSITIVE_INFINITY, jiffyLimit: Number.POSITIVE_INFINITY };
    const view = phasesView(makeState(endless), makeInfo('v5.18'), -1);
    expect(view.meters.map(({ note }) => note)).toEqual([
      'this kernel does not limit polling in a phase',
      'this kernel does not limit requeues in a jiffy',
    ]);
    expect(fact(view, 'age')).toContain('does not look at the age');
  });

  it('names the jiffy that the requeues are counted in, once there are any', () => {
    const note = (rescheduleCount: number) =>
      phasesView(makeState({ rescheduleCount, rescheduleJiffies: rescheduleCount === 0 ? -1 : 2 }), info, -1)
        .meters[1]?.note;
    expect(note(0)).toBe('requeues without delay in one jiffy; above srcu_max_nodelay it sleeps');
    expect(note(5)).toBe('requeues without delay in jiffy 2; above srcu_max_nodelay it sleeps');
  });

  it('a delay of one jiffy fires at the second tick from now', () => {
    // Jiffy 2 began at 8 ms; the timer fires when jiffies reach 4, at 16 ms: 6 ms from 10 ms.
    const view = phasesView(makeState({ nExpNodelay: 200 }), info, -1);
    expect(fact(view, 'if a reader is found')).toBe(
      'sleeps 1 jiffy (srcu_max_nodelay_phase is used up), fires at tick 4, in 6 ms',
    );
  });

  it('while it sleeps, tells what the pass after the sleep would decide', () => {
    const worker = {
      state: 'sleeping',
      sinceNs: 9e6,
      row: 95,
      delay: 1,
      untilJiffy: 4,
      untilNs: 16e6,
    } as const;
    const view = phasesView(makeState({ worker }), info, -1);
    expect(typed(view.worker.text)).toBe('until tick 4, 6 ms to go (delay of 1 jiffy)');
    // Age 2 at tick 4: adds 1, so it would fire at tick 6, 24 ms.
    expect(fact(view, 'if a reader is found')).toBe(
      'at tick 4: sleeps 1 jiffy (the age rule), fires at tick 6, in 14 ms',
    );
  });

  it('tells polling from a pass that found nobody, and both from a worker off its CPU', () => {
    const pass = {
      state: 'running',
      row: 95,
      cpu: 3,
      pass: 57,
      burstPass: 56,
      burstPasses: 101,
      checksDone: 2,
      checksFailed: 2,
      checksInPass: 3,
      nextCheckNs: 10_005_000,
      passStartNs: 9_990_000,
      passEndNs: 10_005_000,
      onCpu: true,
    } as const;
    const worker = (changes: object) =>
      phasesView(makeState({ worker: { ...pass, ...changes } }), info, -1).worker;
    expect(worker({})).toMatchObject({
      tone: 'poll',
      state: 'pass 57',
      text: 'on CPU 3, 2 checks of 3 found a reader',
    });
    expect(worker({ checksFailed: 0 })).toMatchObject({ tone: 'gp', text: 'on CPU 3, check 2 of 3' });
    expect(worker({ onCpu: false })).toMatchObject({ tone: 'quiet', state: 'off its CPU' });
  });
});
