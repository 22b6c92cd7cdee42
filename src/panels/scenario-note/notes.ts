import type { Requester } from '../../engine/machine/presets.ts';
import { type ModelNote, type NotesByMechanism, requesterNote } from '../modelNote.ts';

const SRCU_SPEED: ModelNote = {
  what: 'SRCU: speed of the reported machine',
  fidelity: 'not modelled',
  kernel: 'none',
  rule: 'srcu 8.8',
};

const NOTES: NotesByMechanism = {
  srcu: [
    {
      what: 'SRCU: tick arithmetic',
      fidelity: 'exact',
      kernel: 'queue_delayed_work_on()',
      rule: 'srcu 3.6, 4.5',
    },
  ],
  rcu: [
    { what: 'RCU: tick arithmetic', fidelity: 'exact', kernel: 'calc_wheel_index()', rule: 'tree R1.15' },
    {
      what: 'RCU: which timers are a tick late',
      fidelity: 'simplified',
      kernel: 'run_local_timers()',
      rule: 'tree R1.15b',
    },
    {
      what: 'RCU: speed and other load of the reported machine',
      fidelity: 'not modelled',
      kernel: 'none',
      rule: 'tree R4.7, 12',
    },
  ],
  kvfree: [
    {
      what: 'kfree_rcu(): figures of the test',
      fidelity: 'exact',
      kernel: 'kfree_scale_thread()',
      rule: 'kvfree K18 to K21',
    },
    {
      what: 'kfree_rcu(): allocator and caches of the reported machine',
      fidelity: 'not modelled',
      kernel: 'none',
      rule: 'kvfree K29',
    },
  ],
  tasks: [
    {
      what: 'RCU Tasks: sleeps between scans',
      fidelity: 'exact',
      kernel: 'rcu_tasks_wait_gp()',
      rule: 'tasks 4.1, 4.3',
    },
    {
      what: 'RCU Tasks: what the reported commands do beside their waits',
      fidelity: 'not modelled',
      kernel: 'none',
      rule: 'tasks 5.2',
    },
  ],
};

/**
 * How close the run can come to the reported one. `requester`: how the machine treats a requester's own section, where
 * actors call SRCU; undefined where they do not, and what there is of SRCU stands inside RCU Tasks.
 */
export function noteNotes(requester: Requester | undefined): NotesByMechanism {
  return requester === undefined
    ? NOTES
    : { ...NOTES, srcu: [requesterNote(requester), ...NOTES.srcu, SRCU_SPEED] };
}
