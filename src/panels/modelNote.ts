import type { Mechanisms } from '../analysis/mechanisms.ts';
import type { Requester } from '../engine/machine/presets.ts';

/** How close an element of a panel is to the kernel. */
export type Fidelity = 'exact' | 'simplified' | 'not modelled';

/** One line of a model badge: what, how well, and where the kernel does it. */
export interface ModelNote {
  readonly what: string;
  readonly fidelity: Fidelity;
  /** Kernel function or field. */
  readonly kernel: string;
  /** Rule of docs/model, with the word of its mechanism: "srcu 2.4", "tree R2.8", "kvfree K7", "tasks 4.1". */
  readonly rule: string;
}

/** Notes of a panel that is there in every run. `what` is different in all of them: a run may have several mechanisms. */
export type NotesByMechanism = Readonly<Record<keyof Mechanisms, readonly ModelNote[]>>;

const MECHANISMS: readonly (keyof Mechanisms)[] = ['srcu', 'rcu', 'kvfree', 'tasks'];

/** Those of `notes` that are about something that the run has. */
export function notesOf(notes: NotesByMechanism, has: Mechanisms): readonly ModelNote[] {
  return MECHANISMS.flatMap((mechanism) => (has[mechanism] ? notes[mechanism] : []));
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
