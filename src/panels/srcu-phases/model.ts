/** The SRCU state machine as the phases panel shows it at a cursor. */
import type { SrcuStateAt, WorkerState } from '../../analysis/stateTypes.ts';
import type { KIND } from '../../engine/core/eventKinds.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import { formatCount, formatDuration, plural } from '../format.ts';
import type { MeterView } from '../Meter.tsx';
import type { ModelNote } from '../modelNote.ts';
import { delayIfReaderFound } from './nextDelay.ts';

export type PhaseId = 'idle' | 'scan1' | 'flip' | 'scan2';

/** A box of the state machine. */
export interface PhaseState {
  readonly id: PhaseId;
  readonly name: string;
  /** Under the name: what the state waits for; empty in inactive states. */
  readonly note: string;
  readonly isActive: boolean;
}

/** A name in the kernel's words and what it holds. */
export interface Fact {
  readonly name: string;
  readonly text: string;
}

export interface WorkerView {
  readonly tone: 'poll' | 'sleep' | 'gp' | 'quiet';
  /** In a word or two. */
  readonly state: string;
  readonly text: string;
}

export interface PhasesView {
  readonly states: readonly PhaseState[];
  /** The drawing in words. */
  readonly label: string;
  readonly facts: readonly Fact[];
  readonly meters: readonly MeterView[];
  readonly worker: WorkerView;
}

/** The kind of the cursor's row while the flip is what has just happened: it takes no time of its own. */
const FLIP_KIND: (typeof KIND)['srcu_flip'] = 26;

const SEQ_STATES = ['IDLE', 'SCAN1', 'SCAN2'] as const;

export const PHASES_NOTES: readonly ModelNote[] = [
  { what: 'States and flip', fidelity: 'exact', kernel: 'srcu_advance_state()', rule: 'srcu 2.5' },
  {
    what: 'Counts and delays',
    fidelity: 'exact',
    kernel: 'srcu_get_delay(), process_srcu()',
    rule: 'srcu 2.4, 3.1',
  },
  { what: 'When a delay ends', fidelity: 'exact', kernel: 'delayed_work_timer_fn()', rule: 'srcu 3.6' },
  { what: 'Length of a pass', fidelity: 'simplified', kernel: 'process_srcu()', rule: 'srcu 11.1' },
];

/** "4·1418 + 2": the number of the grace period and the state in the two low bits. */
function gpSeqText(gpSeq: number): string {
  const low = ((gpSeq % 4) + 4) % 4;
  const name = SEQ_STATES[low] ?? 'unused';
  return `${formatCount(gpSeq)} = 4 × ${formatCount((gpSeq - low) / 4)} + ${low} (${name})`;
}

function statesOf(state: SrcuStateAt, cursorKind: number): readonly PhaseState[] {
  const active: PhaseId = cursorKind === FLIP_KIND ? 'flip' : (state.phase.toLowerCase() as PhaseId);
  const scanNote = state.scannedIdx < 0 ? '' : `drains idx ${state.scannedIdx}`;
  const notes: Readonly<Record<PhaseId, string>> = {
    idle: 'no grace period',
    scan1: scanNote,
    flip: `readers now on ${state.srcuIdx & 1}`,
    scan2: scanNote,
  };
  const names: Readonly<Record<PhaseId, string>> = {
    idle: 'IDLE',
    scan1: 'SCAN1',
    flip: 'flip idx',
    scan2: 'SCAN2',
  };
  return (['idle', 'scan1', 'flip', 'scan2'] as const).map((id) => ({
    id,
    name: names[id],
    note: id === active ? notes[id] : '',
    isActive: id === active,
  }));
}

/** What the age rule of this kernel makes of the grace period's age (spec srcu 3.1). */
function ageText(state: SrcuStateAt, rule: RunInfo['rules']['srcu.delay']): string {
  if (rule === 'exp-only') return `${formatCount(state.ageJiffies)}: this kernel does not look at the age`;
  if (state.phase === 'IDLE') return 'no grace period runs';
  const counted = rule === 'age-1' ? 1 : 2;
  const age = plural(state.ageJiffies, 'jiffy', 'jiffies');
  if (state.ageJiffies < counted) {
    return `${age}: does not count yet, from ${plural(counted, 'jiffy', 'jiffies')} on it forces a sleep`;
  }
  const added = rule === 'age-1' ? state.ageJiffies : state.ageJiffies - 1;
  return `${age}: adds ${formatCount(added)} to the delay, so every further pass sleeps`;
}

/** What a reader found by the pass at hand, or by the next one, leads to. */
function nextDelayText(state: SrcuStateAt, info: RunInfo): string {
  if (state.phase === 'IDLE') return 'nothing to look for';
  const { worker } = state;
  // The pass that the timer starts sees the jiffies of then.
  const jiffies = worker.state === 'sleeping' ? worker.untilJiffy : state.jiffies;
  const then = { ...state, jiffies, ageJiffies: jiffies - state.gpStartJiffies };
  const { delay, reason } = delayIfReaderFound(then, info.rules);
  const when = worker.state === 'sleeping' ? `at tick ${formatCount(jiffies)}: ` : '';
  if (delay === 0) return `${when}polls again at once`;
  const fires = jiffies + delay + 1;
  const firesNs = Math.floor(((fires - info.config.startJiffies) * 1e9) / info.config.hz);
  const until = formatDuration(firesNs - state.timeNs);
  return `${when}sleeps ${plural(delay, 'jiffy', 'jiffies')} (${reason}), fires at tick ${formatCount(fires)}, in ${until}`;
}

function jiffyLimitNote({ jiffyLimit, rescheduleCount, rescheduleJiffies }: SrcuStateAt): string {
  if (!Number.isFinite(jiffyLimit)) return 'this kernel does not limit requeues in a jiffy';
  const when = rescheduleCount === 0 ? 'one jiffy' : `jiffy ${formatCount(rescheduleJiffies)}`;
  return `requeues without delay in ${when}; above srcu_max_nodelay it sleeps`;
}

function metersOf(state: SrcuStateAt): readonly MeterView[] {
  return [
    {
      name: 'srcu_n_exp_nodelay',
      value: state.nExpNodelay,
      limit: state.phaseLimit,
      note: Number.isFinite(state.phaseLimit)
        ? 'zero-delay answers in this phase; above srcu_max_nodelay_phase it sleeps'
        : 'this kernel does not limit polling in a phase',
    },
    {
      name: 'reschedule_count',
      value: state.rescheduleCount,
      limit: state.jiffyLimit,
      note: jiffyLimitNote(state),
    },
  ];
}

function workerOf(worker: WorkerState, timeNs: number): WorkerView {
  switch (worker.state) {
    case 'idle':
      return { tone: 'quiet', state: 'idle', text: 'nothing is queued' };
    case 'queued':
      return {
        tone: 'gp',
        state: 'queued',
        text: `for ${formatDuration(timeNs - worker.sinceNs)}, starts soon`,
      };
    case 'sleeping':
      return {
        tone: 'sleep',
        state: 'sleeping',
        text: `until tick ${formatCount(worker.untilJiffy)}, ${formatDuration(worker.untilNs - timeNs)} to go (delay of ${plural(worker.delay, 'jiffy', 'jiffies')})`,
      };
    case 'running': {
      const checks =
        worker.checksFailed > 0
          ? `${plural(worker.checksFailed, 'check')} of ${formatCount(worker.checksInPass)} found a reader`
          : `check ${formatCount(worker.checksDone)} of ${formatCount(worker.checksInPass)}`;
      if (!worker.onCpu) {
        return {
          tone: 'quiet',
          state: 'off its CPU',
          text: `pass ${formatCount(worker.pass)}: another task runs on CPU ${worker.cpu}`,
        };
      }
      return {
        tone: worker.checksFailed > 0 ? 'poll' : 'gp',
        state: `pass ${formatCount(worker.pass)}`,
        text: `on CPU ${worker.cpu}, ${checks}`,
      };
    }
  }
}

/** What the panel shows of `state`; `cursorKind` is the kind of the row the cursor stands on (-1: none). */
export function phasesView(state: SrcuStateAt, info: RunInfo, cursorKind: number): PhasesView {
  const states = statesOf(state, cursorKind);
  const worker = workerOf(state.worker, state.timeNs);
  const active = states.find((box) => box.isActive);
  return {
    states,
    label: `State machine IDLE, SCAN1, flip idx, SCAN2. Now: ${active?.name}, ${active?.note}`,
    facts: [
      { name: 'srcu_gp_seq', text: gpSeqText(state.gpSeq) },
      {
        name: 'srcu_idx',
        text: `${formatCount(state.srcuIdx)}: new readers count on idx ${state.srcuIdx & 1}`,
      },
      { name: 'request', text: state.phase === 'IDLE' ? 'none' : state.expedited ? 'expedited' : 'normal' },
      { name: 'age', text: ageText(state, info.rules['srcu.delay']) },
      { name: 'if a reader is found', text: nextDelayText(state, info) },
    ],
    meters: metersOf(state),
    worker,
  };
}
