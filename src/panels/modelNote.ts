/** How close an element of a panel is to the kernel. */
export type Fidelity = 'exact' | 'simplified' | 'not modelled';

/** One line of a model badge: what, how well, and where the kernel does it. */
export interface ModelNote {
  readonly what: string;
  readonly fidelity: Fidelity;
  /** Kernel function or field. */
  readonly kernel: string;
  /** Rule of docs/model/srcu.md. */
  readonly rule: string;
}

const ORDER: readonly Fidelity[] = ['exact', 'simplified', 'not modelled'];

/** The word on the badge: that of all elements if they agree, else "simplified"; undefined without notes. */
export function overallFidelity(notes: readonly ModelNote[]): Fidelity | undefined {
  const first = notes[0]?.fidelity;
  return notes.every(({ fidelity }) => fidelity === first) ? first : 'simplified';
}

/** "2 exact, 1 simplified": what opens behind the badge, counted. */
export function countFidelities(notes: readonly ModelNote[]): string {
  return ORDER.map((fidelity) => ({
    fidelity,
    count: notes.filter((note) => note.fidelity === fidelity).length,
  }))
    .filter(({ count }) => count > 0)
    .map(({ fidelity, count }) => `${count} ${fidelity}`)
    .join(', ');
}
