/** RCU Tasks at a cursor: the loop of a kthread, its holdouts, the next scan, laziness. */
import { flavorName } from '../../analysis/narrateTasks.ts';
import type {
  TasksFlavorAt,
  TasksHoldoutAt,
  TasksInnerAt,
  TasksStateAt,
} from '../../analysis/tasksStateTypes.ts';
import { HOLDOUT_STATES, holdoutDoing, loopOf, loopWords, releaseWords } from '../../analysis/tasksWords.ts';
import type { RunInfo } from '../../engine/core/info.ts';
import { formatCount, formatDuration, formatSeq, plural } from '../format.ts';
import type { ModelNote } from '../modelNote.ts';
import { type LadderView, ladderView } from './ladder.ts';

/** A box of the loop. */
export interface LoopBox {
  readonly number: number;
  readonly name: string;
  readonly isActive: boolean;
  /** Gone through again and again while there are holdouts. */
  readonly isRound: boolean;
}

/** A line of the list of holdouts. */
export interface HoldoutLine {
  readonly key: string;
  readonly name: string;
  readonly cpu: string;
  readonly state: TasksHoldoutAt['state'];
  readonly doing: string;
  /** "nvcsw 3, now 3"; empty for Trace. */
  readonly switches: string;
  readonly release: string;
  readonly row: number;
}

export interface TasksLoopView {
  readonly boxes: readonly LoopBox[];
  readonly label: string;
  readonly doing: string;
  /** The sleep under way. */
  readonly sleep: { readonly text: string; readonly share: number } | undefined;
  readonly ladder: LadderView | undefined;
  readonly holdoutsText: string;
  readonly holdouts: readonly HoldoutLine[];
  /** Holdouts that are not listed one by one. */
  readonly more: string;
  readonly facts: readonly { readonly name: string; readonly text: string }[];
}

export const TASKS_LOOP_NOTES: readonly ModelNote[] = [
  { what: 'States and their order', fidelity: 'exact', kernel: 'rcu_tasks_one_gp()', rule: 'tasks 3, 9.2' },
  { what: 'When scans come', fidelity: 'exact', kernel: 'rcu_tasks_wait_gp()', rule: 'tasks 4.1, 4.3' },
  {
    what: 'Who is a holdout, and how long',
    fidelity: 'exact',
    kernel: 'check_holdout_task()',
    rule: 'tasks 4.2',
  },
  {
    what: 'One list of callbacks in place of one per CPU',
    fidelity: 'simplified',
    kernel: 'call_rcu_tasks_generic()',
    rule: 'tasks 2.3',
  },
  { what: 'Laziness', fidelity: 'exact', kernel: 'rcu_tasks_need_gpcb()', rule: 'tasks 3.1' },
];

/** Holdouts listed one by one. */
const SHOWN = 8;
const RUDE = 1;
const TRACE = 2;

/** Flavours of the run, for the switch: "RCU Tasks", "RCU Tasks Trace". */
export function flavorChoices({
  flavors,
}: TasksStateAt): readonly { readonly flavor: number; readonly name: string }[] {
  return flavors.map(({ flavor }) => ({ flavor, name: flavorName(flavor) }));
}

/** What the panel shows of one flavour. */
export function tasksLoopView(flavor: TasksFlavorAt, state: TasksStateAt, info: RunInfo): TasksLoopView {
  const doing = loopWords(flavor);
  const boxes = loopOf(flavor.flavor).map(({ state: number, name }) => ({
    number,
    name,
    isActive: number === flavor.gpState,
    isRound: HOLDOUT_STATES.includes(number),
  }));
  const active = boxes.find(({ isActive }) => isActive);
  const isOpen = ({ state: of }: TasksHoldoutAt) => of !== 'off';
  const listed = [...flavor.holdouts.filter(isOpen), ...flavor.holdouts.filter((one) => !isOpen(one))];
  const hidden = listed.length - SHOWN;
  return {
    boxes,
    label: `The kthread of ${flavorName(flavor.flavor)} is in RTGS_${active?.name ?? 'INIT'} (${flavor.gpState}): it ${doing}.`,
    doing,
    sleep: sleepOf(flavor, state.timeNs),
    ladder: flavor.flavor === RUDE ? undefined : ladderView(flavor, info, state.timeNs),
    holdoutsText: holdoutsText(flavor),
    holdouts: listed.slice(0, SHOWN).map((holdout) => lineOf(flavor.flavor, holdout, info)),
    more: hidden > 0 ? `and ${formatCount(hidden)} more` : '',
    facts: factsOf(flavor, state),
  };
}

function sleepOf({ sleep }: TasksFlavorAt, timeNs: number): TasksLoopView['sleep'] {
  if (sleep === undefined) return undefined;
  const what = sleep.of === 'scan' ? 'next scan' : 'next look for callbacks';
  const left = plural(sleep.leftJiffies, 'jiffy', 'jiffies');
  const total = sleep.untilNs - sleep.sinceNs;
  return {
    text: `${what} in ${left}, at jiffy ${formatCount(sleep.untilJiffy)} (${formatCount(sleep.delay)} asked for)`,
    share: total > 0 ? Math.min(1, (timeNs - sleep.sinceNs) / total) : 1,
  };
}

function holdoutsText({ flavor, isRunning, holdouts, left, phase, rude }: TasksFlavorAt): string {
  if (flavor === RUDE) {
    const ran = rude.filter(({ state }) => state === 'ran').length;
    return rude.length === 0 ? 'no grace period so far' : `work items: ${ran} of ${rude.length} have run`;
  }
  if (holdouts.length === 0) return isRunning ? 'no holdouts' : 'no holdouts: no grace period runs';
  const scans = phase === undefined ? '' : `, ${plural(phase.scanCount, 'scan')} so far`;
  return `${formatCount(left)} of ${plural(holdouts.length, 'holdout')} left${scans}`;
}

function lineOf(flavor: number, holdout: TasksHoldoutAt, info: RunInfo): HoldoutLine {
  const track = info.tracks[holdout.track];
  return {
    key: `${holdout.track}`,
    name: track?.kind === 'cpu' ? `swapper/${holdout.cpu}` : (track?.name ?? ''),
    cpu: `CPU ${holdout.cpu}`,
    state: holdout.state,
    doing: holdoutDoing(holdout),
    switches:
      flavor === TRACE ? '' : `nvcsw ${formatCount(holdout.snapshot)}, now ${formatCount(holdout.nvcsw)}`,
    release: releaseWords(flavor, holdout),
    row: holdout.row,
  };
}

const INNER: Readonly<Record<TasksInnerAt['which'], string>> = {
  pre: 'synchronize_rcu() before the scan',
  post: 'synchronize_rcu() after the scans',
  trace: 'synchronize_rcu() for tasks that exit',
  exit: 'synchronize_srcu() for tasks that exit',
};
const WAITS: Readonly<Record<TasksInnerAt['waitsFor'], string>> = {
  number: 'its callback has no number yet',
  gp: 'waits',
  callback: 'over, about to be woken',
  unknown: 'waits',
};

function innerText(
  { which, waitsFor, gpNumber, isExpedited, sinceNs }: TasksInnerAt,
  timeNs: number,
): string {
  const gp = Number.isNaN(gpNumber)
    ? ''
    : ` for ${isExpedited ? 'expedited ' : ''}grace period ${formatSeq(gpNumber)}`;
  return `${INNER[which]}: ${WAITS[waitsFor]}${gp}, ${formatDuration(timeNs - sinceNs)} so far`;
}

function factsOf(flavor: TasksFlavorAt, state: TasksStateAt): TasksLoopView['facts'] {
  const { callbacks, inner, isRunning, gpNumber, gpSeq, lazyJiffies, lazyTimer, urgentGp } = flavor;
  const oldest = Number.isNaN(callbacks.oldestNs)
    ? ''
    : `; the oldest for ${formatDuration(state.timeNs - callbacks.oldestNs)}`;
  const timer =
    lazyTimer === undefined
      ? 'timer not armed'
      : `timer due in ${plural(lazyTimer.leftJiffies, 'jiffy', 'jiffies')}`;
  const running =
    gpNumber === 0
      ? 'none so far'
      : `grace period ${formatCount(gpNumber)} ${isRunning ? `runs, ${plural(flavor.ageJiffies, 'jiffy', 'jiffies')} old` : 'is over'}`;
  const facts = [
    { name: 'tasks_gp_seq', text: `${formatSeq(gpSeq)}: ${running}` },
    {
      name: 'callbacks',
      text: `${formatCount(callbacks.waiting)} wait for the next, ${formatCount(callbacks.taken)} for this grace period, ${formatCount(callbacks.ready)} ready${oldest}`,
    },
    {
      name: 'lazy',
      text:
        lazyJiffies === 0
          ? 'no: every callback wakes the kthread'
          : `${plural(lazyJiffies, 'jiffy', 'jiffies')}, ${timer}, urgent_gp ${formatCount(urgentGp)}`,
    },
    { name: 'gp_sleep', text: plural(flavor.gpSleep, 'jiffy', 'jiffies') },
  ];
  if (inner !== undefined) facts.unshift({ name: 'inner', text: innerText(inner, state.timeNs) });
  if (state.exiting.length > 0 && flavor.flavor !== RUDE) {
    const [first] = state.exiting;
    const where = first?.isOnList === true ? 'on the exit lists' : 'readers of tasks_rcu_exit_srcu';
    facts.push({ name: 'exiting', text: `${plural(state.exiting.length, 'task')}, ${where}` });
  }
  return facts;
}
