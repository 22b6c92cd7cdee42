/** What the parts of the comparison have in common: records of SRCU, Tree RCU, floods and RCU Tasks, traces. */

/** What was asked for on the command line. */
export interface Options {
  /** Only this group, row or trace. */
  readonly group: string | undefined;
  /** The short form that `npm test` runs. */
  readonly check: boolean;
  /** SRCU: state 0 only. */
  readonly nominal: boolean;
  /** Tree RCU, RCU Tasks: nothing is chosen. */
  readonly unfitted: boolean;
  /** Only records that miss something. */
  readonly misses: boolean;
  /** Prints a line. */
  readonly say: (line: string) => void;
}

/** Does jobs in worker threads, results in the order of the jobs. */
export type RunJobs<Job, Result> = (jobs: readonly Job[]) => Promise<Result[]>;
