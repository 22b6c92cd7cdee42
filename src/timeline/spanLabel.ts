/** The words on a span, as long as there is room for. */
import { type LaneKind, SPAN_CLASS } from '../analysis/laneTypes.ts';
import { groupDigits } from './formatTime.ts';

/** What a label is made of: Spans.cls, Spans.value, the name of Spans.track, and whose lane it is. */
export interface LabelSource {
  readonly laneKind: LaneKind;
  readonly cls: number;
  readonly value: number;
  readonly name: string;
}

/** The longest wording of at most `room` characters, or ''. */
export function spanLabel(source: LabelSource, room: number): string {
  return wordings(source).find((words) => words.length <= room) ?? '';
}

function wordings({ laneKind, cls, value, name }: LabelSource): readonly string[] {
  const count = groupDigits(value);
  // A CPU says who runs; the number of a call is on the calls lane.
  if (laneKind === 'cpu' && cls === SPAN_CLASS.call) return [name];
  switch (cls) {
    case SPAN_CLASS.gpWait:
      return [`GP ${count} waits`, `GP ${count}`, count];
    case SPAN_CLASS.gpScan1:
      return [`GP ${count} SCAN1`, 'SCAN1', '1'];
    case SPAN_CLASS.gpScan2:
      return [`GP ${count} SCAN2`, 'SCAN2', '2'];
    case SPAN_CLASS.poll:
      return [value === 1 ? '1 pass' : `${count} passes`, count];
    case SPAN_CLASS.sleepHeld:
    case SPAN_CLASS.sleepFirst:
      return [value === 1 ? 'sleeps 1 jiffy' : `sleeps ${count} jiffies`, `${count} j`];
    case SPAN_CLASS.sleepWaste:
      return ['sleeps, nobody holds', 'wasted', `${count} j`];
    case SPAN_CLASS.offCpu:
      return ['off the CPU', 'off'];
    case SPAN_CLASS.call:
      return [`call ${count}`, count];
    case SPAN_CLASS.cbWait:
    case SPAN_CLASS.cbDelay:
    case SPAN_CLASS.callback:
      return [value === 1 ? '1 callback' : `${count} callbacks`, count];
    case SPAN_CLASS.readerFetched:
      return [`${name} has read idx`, 'has read idx', 'idx'];
    case SPAN_CLASS.reader:
    case SPAN_CLASS.readerOff:
    case SPAN_CLASS.updater:
    case SPAN_CLASS.load:
    case SPAN_CLASS.kworker:
    case SPAN_CLASS.kthread:
      return name === '' ? [] : [name];
    default:
      return rcuWordings(cls, value, count);
  }
}

/** Classes of Tree RCU. */
function rcuWordings(cls: number, value: number, count: string): readonly string[] {
  switch (cls) {
    case SPAN_CLASS.rcuBatch:
      return [value === 1 ? '1 callback' : `${count} callbacks`, count];
    case SPAN_CLASS.gpRequested:
      return [`GP ${count} asked for`, 'asked for'];
    case SPAN_CLASS.gpInit:
      return [`GP ${count} init`, 'init'];
    case SPAN_CLASS.gpFqsWait:
      return [`GP ${count} waits for a scan`, `GP ${count}`, count];
    case SPAN_CLASS.gpFqsScan:
      return ['scan'];
    case SPAN_CLASS.gpCleanup:
      return ['cleanup'];
    case SPAN_CLASS.expSelect:
      return [`GP ${count} chooses CPUs`, 'select'];
    case SPAN_CLASS.expWait:
      return [`GP ${count} waits for CPUs`, 'waits'];
    case SPAN_CLASS.expWake:
      return ['wakes callers', 'wakes'];
    case SPAN_CLASS.callNumber:
      return [`call ${count} without a number`, 'no number', count];
    case SPAN_CLASS.callResidual:
      return [`call ${count}, earlier grace period`, 'earlier GP', count];
    case SPAN_CLASS.callGp:
      return [`call ${count}, its grace period`, 'grace period', 'GP'];
    case SPAN_CLASS.callCallback:
      return ['callback, wake-up', 'callback', 'cb'];
    case SPAN_CLASS.owedQuarter:
    case SPAN_CLASS.owedHalf:
    case SPAN_CLASS.owedMost:
    case SPAN_CLASS.owedAll:
      return [value === 1 ? '1 owes' : `${count} owe`, count];
    case SPAN_CLASS.tasksInner:
      return [`GP ${count}, synchronize_rcu()`, 'inner GP', count];
    case SPAN_CLASS.tasksScan:
      return ['scan'];
    case SPAN_CLASS.tasksWait:
      return [`GP ${count} waits for a scan`, 'waits', count];
    case SPAN_CLASS.tasksSleep:
      return ['gp_sleep'];
    case SPAN_CLASS.holdout:
      return ['holdout'];
    case SPAN_CLASS.holdoutLeft:
      return ['left, not noticed', 'left'];
    case SPAN_CLASS.eqs:
      return ['idle'];
    default:
      return kvfreeWordings(cls, value, count);
  }
}

/** Work of kvfree_rcu(), by WORK_FN. */
const WORK_WORDS: Readonly<Record<number, readonly string[]>> = {
  5: ['kfree_rcu_monitor', 'monitor'],
  6: ['kfree_rcu_work', 'frees'],
  7: ['fill_page_cache_func', 'fill'],
};

/** Classes of kvfree_rcu(). */
function kvfreeWordings(cls: number, value: number, count: string): readonly string[] {
  switch (cls) {
    case SPAN_CLASS.kfreeFill:
      return [`block ${count} fills`, `block ${count}`, count];
    case SPAN_CLASS.kfreeHead:
      return [`head channel, run ${count}`, 'head'];
    case SPAN_CLASS.kfreeWait:
      return [`batch ${count} waits`, `batch ${count}`, count];
    case SPAN_CLASS.kfreeFree:
      return value < 0 ? ['freed without waiting', 'frees'] : [`batch ${count} is freed`, 'frees'];
    case SPAN_CLASS.kfreeWork:
      return WORK_WORDS[value] ?? [];
    default:
      return [];
  }
}
