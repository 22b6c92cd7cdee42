/** Machine entries of RCU Tasks (spec tasks 11.1). Times in ns. */

/** What they read as in the engine. */
export interface TasksCosts {
  readonly callTasksFirstNs: number;
  readonly callTasksNs: number;
  readonly armLazyNs: number;
  readonly tasksScanTaskNs: number;
}

function step(meaning: string, plain: number, virtual: number, typical: number) {
  return { meaning, unit: 'ns', plain, virtual, typical } as const;
}

/** Meaning, unit and value in each preset. */
export const TASKS_ENTRIES = {
  callTasksFirstNs: step('call_rcu_tasks(): the first of a batch', 0, 227, 450),
  callTasksNs: step('call_rcu_tasks(): each further one of a batch', 0, 182, 360),
  armLazyNs: step('added where the call arms the lazy timer or queues the wake-up', 0, 225, 450),
  tasksScanTaskNs: step('each task in a scan by a kthread of RCU Tasks', 0, 0, 100),
} as const;
