/** The expedited grace period at a cursor: IPIs sent, who has answered, who still owes. */
import { RCU_EXP_STAGE, type RcuStateAt } from '../../analysis/rcuStateTypes.ts';
import { formatCount, formatDuration, formatSeq, plural } from '../format.ts';
import type { ModelNote } from '../modelNote.ts';

/** A CPU that has been asked. */
export interface ExpCpuView {
  readonly cpu: number;
  readonly isDone: boolean;
  readonly text: string;
}

export interface ExpeditedView {
  readonly phase: string;
  readonly isRunning: boolean;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
  /** Those that owe first, then by number. */
  readonly cpus: readonly ExpCpuView[];
  /** "and 30 more CPUs, all done"; empty: all are listed. */
  readonly more: string;
}

export const EXPEDITED_NOTES: readonly ModelNote[] = [
  {
    what: 'Funnel, selection, IPIs',
    fidelity: 'exact',
    kernel: 'sync_rcu_exp_select_cpus()',
    rule: 'tree R5.1 to R5.4',
  },
  { what: 'What an IPI takes', fidelity: 'simplified', kernel: 'rcu_exp_handler()', rule: 'tree R5.7' },
];

const MAX_CPUS = 8;
const PHASES: Readonly<Record<RcuStateAt['expedited']['phase'], string>> = {
  idle: 'none runs',
  started: 'has started, its worker is being woken',
  selecting: 'its worker selects the CPUs to wait for',
  waiting: 'waits for CPUs and readers',
  waking: 'is over, its callers are being woken',
};
const STAGES: Readonly<Record<number, string>> = {
  [RCU_EXP_STAGE.owes]: 'selected',
  [RCU_EXP_STAGE.ipiSent]: 'an IPI is on its way',
  [RCU_EXP_STAGE.mustResched]: 'has the IPI, must reschedule first',
  [RCU_EXP_STAGE.inReader]: 'has the IPI, is inside a reader section',
  [RCU_EXP_STAGE.reported]: 'has reported',
};

/** What the panel shows of `state`. */
export function expeditedView(state: RcuStateAt): ExpeditedView {
  const { expedited: exp } = state;
  const isRunning = exp.phase !== 'idle';
  const cpus: ExpCpuView[] = [];
  state.cpus.expStage.forEach((stage, cpu) => {
    const text = STAGES[stage];
    if (text !== undefined && isRunning) cpus.push({ cpu, isDone: stage === RCU_EXP_STAGE.reported, text });
  });
  cpus.sort((a, b) => Number(a.isDone) - Number(b.isDone) || a.cpu - b.cpu);
  return {
    phase: isRunning
      ? `ends at s ${formatSeq(exp.target)}: ${PHASES[exp.phase]}`
      : 'no expedited grace period runs',
    isRunning,
    facts: [
      { name: 'expedited_sequence', text: formatSeq(exp.seq) },
      { name: 'running for', text: isRunning ? formatDuration(state.timeNs - exp.startNs) : '–' },
      { name: 'IPIs', text: `${formatCount(exp.ipis)} sent, ${formatCount(exp.answered)} answered` },
      {
        name: 'owing',
        text: `${plural(exp.owing, 'CPU')}${exp.readers > 0 ? `, ${plural(exp.readers, 'preempted reader')}` : ''}`,
      },
      { name: 'callers', text: `${formatCount(exp.waiting)} in the funnel or waiting for its end` },
    ],
    cpus: cpus.slice(0, MAX_CPUS),
    more: moreText(cpus.slice(MAX_CPUS)),
  };
}

function moreText(left: readonly ExpCpuView[]): string {
  if (left.length === 0) return '';
  const owing = left.filter(({ isDone }) => !isDone).length;
  const who =
    owing === 0 ? 'all done' : owing === left.length ? 'none done' : `${formatCount(owing)} not done`;
  return `and ${plural(left.length, 'more CPU')}, ${who}`;
}
