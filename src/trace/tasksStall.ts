/** What a kernel prints while a grace period of RCU Tasks does not end: info lines and the stall report (tasks 6, 9.4). */

/** "rcu_tasks grace period number 91 (since boot) is 10661 jiffies old." */
export interface TasksGpAge {
  /** From 1. */
  readonly line: number;
  /** rcu_tasks, rcu_tasks_rude or rcu_tasks_trace. */
  readonly flavour: string;
  /** Number since boot. */
  readonly gp: number;
  /** Since the start of the grace period; with a state, since that state began. */
  readonly ageJiffies: number;
  /** The grace period waits for exiting tasks (tasks 3, step 4). */
  readonly state?: string;
}

/** A task that holds up the grace period. */
export interface TasksHoldout {
  readonly line: number;
  /** "I": it is an idle task. */
  readonly isIdle: boolean;
  /** "N": its CPU is a nohz_full CPU; "." it is none. */
  readonly isNohzFull: boolean;
  /** Voluntary context switches when the grace period began, and now. */
  readonly nvcsw: { readonly snapshot: number; readonly now: number };
  readonly isHoldout: boolean;
  /** >= 0: in user mode of a nohz_full CPU. */
  readonly idleCpu: number;
  readonly cpu: number;
  /** Of the dump of the task that follows. */
  readonly comm?: string;
  readonly pid?: number;
  /** R: running or runnable. */
  readonly state?: string;
}

/** A stall report. */
export interface TasksStall {
  readonly line: number;
  readonly flavour: string;
  readonly holdouts: readonly TasksHoldout[];
}

/** All of a text. */
export interface TasksStalls {
  readonly ages: readonly TasksGpAge[];
  readonly stalls: readonly TasksStall[];
  /** Ticks per second, from the first info line; absent where it cannot be told. */
  readonly hz?: number;
}

const AGE =
  /(rcu_tasks(?:_rude|_trace)?) grace period number (\d{1,15}) \(since boot\)(?: gp_state: (\w+))? is (\d{1,12}) jiffies old/;
const STALL = /INFO: (rcu_tasks(?:_rude|_trace)?) detected stalls on tasks:/;
const HOLDOUT =
  /\s([.I])([N.]) nvcsw: (\d{1,15})\/(\d{1,15}) holdout: ([01]) idle_cpu: (-?\d{1,5})\/(-?\d{1,5})/;
/** First line of the dump of a task (sched_show_task()). */
const TASK = /task:(\S.{0,63}?)\s{1,64}state:(\S)/;
const PID = /\spid:\s{0,10}(\d{1,10})/;
/** How far behind its line the dump of a task is looked for: lines of others may come between. */
const DUMP_LINES = 8;

/** HZ of built kernels, the highest first. */
const USUAL_HZ = [1000, 300, 250, 100];
/** rcu_task_stall_info: the first info line is due 10 s after the hold-out phase began. */
const FIRST_INFO_S = 10;
/** What may come on top: the first inner grace period, and a sleep between scans. */
const LATE_S = 2.5;

/** The HZ with which the first info line of a grace period is 10 s old, and a bit. */
function hzOf(ages: readonly TasksGpAge[]): number | undefined {
  const first = ages.find(({ state }) => state === undefined)?.ageJiffies ?? 0;
  return USUAL_HZ.find((hz) => first >= FIRST_INFO_S * hz && first <= (FIRST_INFO_S + LATE_S) * hz);
}

function parseAge(text: string, line: number): TasksGpAge | undefined {
  const match = AGE.exec(text);
  if (match === null) return undefined;
  const [, flavour = '', gp, state, age] = match;
  return {
    ...{ line, flavour, gp: Number(gp), ageJiffies: Number(age) },
    ...(state === undefined ? {} : { state }),
  };
}

/** The first line of the dump that follows line `at` (from 0); "" if another report comes first. */
function dumpAfter(lines: readonly string[], at: number): string {
  const next = lines.slice(at + 1, at + 1 + DUMP_LINES);
  const first = next.find((each) => TASK.test(each) || HOLDOUT.test(each) || STALL.test(each)) ?? '';
  return TASK.test(first) ? first : '';
}

function parseHoldout(lines: readonly string[], at: number): TasksHoldout | undefined {
  const match = HOLDOUT.exec(lines[at] as string);
  if (match === null) return undefined;
  const [, idle, nohzFull, snapshot, now, isHoldout, idleCpu, cpu] = match;
  const dump = dumpAfter(lines, at);
  const [, comm, state] = TASK.exec(dump) ?? [];
  const pid = PID.exec(dump)?.[1];
  return {
    line: at + 1,
    isIdle: idle === 'I',
    isNohzFull: nohzFull === 'N',
    nvcsw: { snapshot: Number(snapshot), now: Number(now) },
    isHoldout: isHoldout === '1',
    idleCpu: Number(idleCpu),
    cpu: Number(cpu),
    ...(comm === undefined ? {} : { comm }),
    ...(pid === undefined ? {} : { pid: Number(pid) }),
    ...(state === undefined ? {} : { state }),
  };
}

/** Info lines and stall reports of the text of a kernel log, whatever else it holds. */
export function tasksStalls(text: string): TasksStalls {
  const lines = text.split('\n');
  const ages: TasksGpAge[] = [];
  const stalls: { line: number; flavour: string; holdouts: TasksHoldout[] }[] = [];
  lines.forEach((content, i) => {
    const age = parseAge(content, i + 1);
    if (age !== undefined) ages.push(age);
    const flavour = STALL.exec(content)?.[1];
    if (flavour !== undefined) stalls.push({ line: i + 1, flavour, holdouts: [] });
    const holdout = parseHoldout(lines, i);
    if (holdout !== undefined) stalls.at(-1)?.holdouts.push(holdout);
  });
  const hz = hzOf(ages);
  return { ages, stalls, ...(hz === undefined ? {} : { hz }) };
}
