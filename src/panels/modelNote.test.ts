import { describe, expect, it } from 'vitest';
import { countFidelities, type Fidelity, overallFidelity, requesterNote } from './modelNote.ts';

const notes = (...fidelities: Fidelity[]) =>
  fidelities.map((fidelity) => ({ what: fidelity, fidelity, kernel: 'f()', rule: 'srcu 1' }));

describe('model badge', () => {
  it('says what all elements agree on, else "simplified"', () => {
    expect(overallFidelity(notes('exact', 'exact'))).toBe('exact');
    expect(overallFidelity(notes('not modelled'))).toBe('not modelled');
    expect(overallFidelity(notes('exact', 'not modelled'))).toBe('simplified');
    expect(overallFidelity([])).toBeUndefined();
  });

  it('counts the rest of the sentence', () => {
    expect(countFidelities(notes('simplified', 'exact', 'exact'))).toBe('2 exact, 1 simplified');
  });

  it('the credit form is not the scheduler', () => {
    const fidelities = (['unseen', 'credit', 'scheduler'] as const).map((r) => requesterNote(r).fidelity);
    expect(fidelities).toEqual(['not modelled', 'simplified', 'exact']);
  });
});
