/** The grace-period kthread at a cursor: what it does, what it waits for, how long. */
import type { RcuGpState, RcuStateAt } from '../../analysis/rcuStateTypes.ts';
import { formatCount, formatSeq, plural } from '../format.ts';
import type { ModelNote } from '../modelNote.ts';

/** A box of the state machine. */
export interface KthreadBox {
  readonly name: string;
  readonly isActive: boolean;
}

export interface KthreadView {
  readonly boxes: readonly KthreadBox[];
  /** The drawing in words. */
  readonly label: string;
  /** What it does now, in a sentence. */
  readonly doing: string;
  /** Share of the present wait that is over, 0 to 1; undefined while it does not wait. */
  readonly waited: number | undefined;
  readonly waitText: string;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
}

export const KTHREAD_NOTES: readonly ModelNote[] = [
  {
    what: 'States: DONE_GPS and ONOFF are shown as INIT, CLEANED as WAIT_GPS',
    fidelity: 'simplified',
    kernel: 'rcu_gp_kthread()',
    rule: 'tree R2.3 to R2.25',
  },
  { what: 'When a wait ends', fidelity: 'exact', kernel: 'rcu_gp_fqs_loop()', rule: 'tree R2.8, R1.15' },
  {
    what: 'Which CPU it runs on',
    fidelity: 'simplified',
    kernel: 'select_task_rq_fair()',
    rule: 'tree R2.27',
  },
];

/** In the order in which a grace period goes through them. */
const STATES: readonly RcuGpState[] = ['WAIT_GPS', 'INIT', 'WAIT_FQS', 'DOING_FQS', 'CLEANUP'];

const DOING: Readonly<Record<RcuGpState, string>> = {
  IDLE: 'has not begun',
  WAIT_GPS: 'sleeps until somebody asks for a grace period',
  INIT: 'starts a grace period: every node gets its mask',
  WAIT_FQS: 'sleeps until its timeout, or until the last bit is clear',
  DOING_FQS: 'scans the CPUs that owe a quiescent state',
  CLEANUP: 'ends the grace period, node by node',
};

/** "-1199 = 4 × -300 + 1, running". */
function gpSeqText(gpSeq: number): string {
  const low = ((gpSeq % 4) + 4) % 4;
  return `${formatSeq(gpSeq)} = 4 × ${formatSeq((gpSeq - low) / 4)} + ${low}, ${low === 0 ? 'idle' : 'running'}`;
}

/** What the panel shows of `state`. */
export function kthreadView(state: RcuStateAt): KthreadView {
  const { kthread } = state;
  const { wait } = kthread;
  const isWaiting = kthread.gpState === 'WAIT_FQS' && wait !== undefined;
  const total = isWaiting ? wait.untilNs - wait.sinceNs : 0;
  const which = wait?.number === 1 ? 'first scan' : 'next scan';
  const active = kthread.gpState === 'IDLE' ? 'WAIT_GPS' : kthread.gpState;
  return {
    boxes: STATES.map((name) => ({ name, isActive: name === active })),
    label: `The grace-period kthread is in ${active}: it ${DOING[kthread.gpState]}.`,
    doing: DOING[kthread.gpState],
    waited: isWaiting && total > 0 ? Math.min(1, (state.timeNs - wait.sinceNs) / total) : undefined,
    waitText: isWaiting
      ? `${which} in ${plural(wait.leftJiffies, 'jiffy', 'jiffies')}, at jiffy ${formatCount(wait.untilJiffy)}`
      : '',
    facts: [
      { name: 'gp_seq', text: gpSeqText(state.gpSeq) },
      {
        name: 'scans',
        text: `${formatCount(kthread.scans)} so far${kthread.cpu < 0 ? '' : `, last ran on CPU ${kthread.cpu}`}`,
      },
      {
        name: 'age',
        text: state.isRunning
          ? `${plural(state.ageJiffies, 'jiffy', 'jiffies')}; urged from ${formatCount(state.schedQs)} on`
          : 'no grace period runs',
      },
      {
        name: 'next',
        text:
          kthread.isRequested || kthread.gpSeqNeeded > state.gpSeq + 3
            ? 'another one is asked for'
            : 'nobody has asked',
      },
    ],
  };
}
