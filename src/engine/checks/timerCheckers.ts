/** I10: timers fire on the tick that the timer wheel gives them. */

import { usesRcu } from '../config.ts';
import { KIND, TIMER_FN } from '../core/eventKinds.ts';
import { mostNs } from '../machine/costs.ts';
import type { Checker, CheckerFactory, Row } from './checker.ts';
import type { CheckContext } from './context.ts';
import { MAX_INTERVAL } from './passModel.ts';
import { perDomain } from './perDomain.ts';

interface Armed {
  readonly cpu: number;
  readonly fn: number;
  readonly due: number;
}

const OF_SRCU: readonly number[] = [TIMER_FN.delayed_work_timer_fn, TIMER_FN.srcu_delay_timer];

/** When timers may fire in this run. */
class TickRules {
  readonly #context: CheckContext;
  /** From a tick to its timer handlers, at most. */
  readonly toTimersNs: number;

  constructor(context: CheckContext) {
    const { contended, config } = context.info;
    const { busyToTimersNs, idleExitNs, idleExitJitterNs, idleToTimersNs } = config.machine;
    this.#context = context;
    this.toTimersNs = contended
      ? Math.max(
          mostNs(busyToTimersNs),
          mostNs(idleExitNs) + mostNs(idleExitJitterNs) + mostNs(idleToTimersNs),
        )
      : 0;
  }

  /** May a timer armed on this CPU come one tick late (3.6)? */
  #mayRace(cpu: number): boolean {
    const { contended, config } = this.#context.info;
    const { jiffyRace } = config.machine;
    const hasTicks = contended || usesRcu(config.actors);
    if (!hasTicks || jiffyRace === 'none') return false;
    if (typeof jiffyRace === 'number') return jiffyRace > 0;
    return jiffyRace === 'offsets' || jiffyRace.cpus.includes(cpu);
  }

  #isOnTick(timeNs: number, jiffy: number): boolean {
    const lateNs = timeNs - this.#context.ticks.timeOfJiffyNs(jiffy);
    return lateNs >= 0 && lateNs <= this.toTimersNs;
  }

  /** May this timer be handled at this time? */
  isDue(timer: Armed, timeNs: number): boolean {
    if (this.#isOnTick(timeNs, timer.due)) return true;
    // whoever handles it in the end: the CPU may be idle by then, its timers somebody else's (3.8)
    return this.#mayRace(timer.cpu) && this.#isOnTick(timeNs, timer.due + 1);
  }
}

function judgeStart({ report, ticks }: CheckContext, id: string, row: Row, list: Armed[]): void {
  const { track: cpu, a: fn, b: delay, c: due } = row;
  const now = ticks.jiffiesAt(row.timeNs);
  const most = fn === TIMER_FN.srcu_delay_timer ? 1 : MAX_INTERVAL;
  report.judge(id, delay >= 1 && delay <= most, row, () => `a timer is armed for ${delay} jiffies`);
  // delays up to 62 jiffies lie on level 0 of the wheel: one tick is added, always
  report.judge(id, due === now + delay + 1, row, () => {
    return `armed at jiffy ${now} for ${delay}: due at ${due}, it must be ${now + delay + 1}`;
  });
  // a domain has one timer for its passes: arming it again moves it (I7 judges that)
  const moved = fn === TIMER_FN.delayed_work_timer_fn ? list.findIndex((timer) => timer.fn === fn) : -1;
  if (moved >= 0) list.splice(moved, 1);
  list.push({ cpu, fn, due });
}

function judgeExpiry(context: CheckContext, id: string, row: Row, list: Armed[], rules: TickRules): void {
  const { report, ticks, info } = context;
  const migrates = info.rules['timer.migration'] === 'hier';
  const at = list.findIndex((timer) => {
    return timer.fn === row.a && timer.due === row.c && (migrates || timer.cpu === row.track);
  });
  const timer = list[at];
  report.judge(
    id,
    timer !== undefined,
    row,
    () => `a timer due at jiffy ${row.c} fires that was not armed here`,
  );
  if (timer === undefined) return;
  list.splice(at, 1);
  report.judge(id, rules.isDue(timer, row.timeNs), row, () => {
    return `a timer due at jiffy ${timer.due} (${ticks.timeOfJiffyNs(timer.due)} ns) fires at ${row.timeNs} ns`;
  });
  const jiffies = ticks.jiffiesAt(row.timeNs);
  report.judge(id, row.b === jiffies, row, () => `jiffies is ${jiffies}, the row says ${row.b}`);
}

/** I10. */
export const timers: CheckerFactory = (context): Checker => {
  const { report, ticks } = context;
  const armed = perDomain<Armed[]>(() => []);
  const rules = new TickRules(context);
  return {
    id: 'I10',
    title: 'no delay exceeds 10 jiffies; a timer of d jiffies fires d+1 ticks later, or d+2 where CPUs race',
    rule: 'docs/model/srcu.md 5.7 I10, 3.5, 3.6, 3.8',
    kinds: [KIND.timer_start, KIND.timer_expire_entry, KIND.srcu_pass],
    onRow(row) {
      // those of Tree RCU: V10, V17
      if (row.kind !== KIND.srcu_pass && !OF_SRCU.includes(row.a)) return;
      if (row.kind === KIND.timer_start) judgeStart(context, this.id, row, armed(row.d));
      else if (row.kind === KIND.timer_expire_entry) judgeExpiry(context, this.id, row, armed(row.d), rules);
      else {
        const { delay } = context.pass.info;
        report.judge(this.id, delay <= MAX_INTERVAL, row, () => `a pass decides to wait ${delay} jiffies`);
      }
    },
    onEnd(row) {
      const allowedNs = ticks.periodNs + 1 + rules.toTimersNs;
      for (const domain of context.domains()) {
        for (const { due } of armed(domain.track)) {
          const isLate = row.timeNs > ticks.timeOfJiffyNs(due) + allowedNs;
          report.judge(
            this.id,
            !isLate,
            row,
            () => `a timer due at jiffy ${due} has not fired by ${row.timeNs} ns`,
          );
        }
      }
    },
  };
};
