import type { Requester } from '../engine/machine/presets.ts';

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

const REQUESTER: Readonly<Record<Requester, Omit<ModelNote, 'what'>>> = {
  unseen: { fidelity: 'not modelled', kernel: 'srcu_gp_start_if_needed()', rule: 'srcu 5.6' },
  credit: { fidelity: 'simplified', kernel: 'check_preempt_wakeup()', rule: 'srcu 8.6 CR1-CR5' },
  scheduler: { fidelity: 'exact', kernel: 'srcu_gp_start_if_needed()', rule: 'srcu 5.6, 8.6' },
};

/** How the requester's own read-side section is treated: the machine decides it. */
export function requesterNote(requester: Requester | undefined): ModelNote {
  return { what: "The requester's own section", ...REQUESTER[requester ?? 'scheduler'] };
}
