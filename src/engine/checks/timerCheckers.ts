/** I10: timers fire on the tick that the timer wheel gives them. */
import { KIND, TIMER_FN } from '../core/eventKinds.ts';
import type { Checker, CheckerFactory, Row } from './checker.ts';
import { MAX_INTERVAL } from './passModel.ts';
import { perDomain } from './perDomain.ts';

interface Armed {
  readonly cpu: number;
  readonly fn: number;
  readonly due: number;
}

/** I10. */
export const timers: CheckerFactory = (context): Checker => {
  const { report, info, ticks } = context;
  const { machine } = info.config;
  const armed = perDomain<Armed[]>(() => []);
  const migrates = info.rules['timer.migration'] === 'hier';
  /** From a tick to its timer handlers, at most. */
  const toTimersNs = Math.max(
    machine.busyToTimersNs,
    machine.idleExitNs + machine.idleExitJitterNs + machine.idleToTimersNs,
  );
  /** May a timer armed and handled on this CPU come one tick late (3.6)? */
  const mayRace = (cpu: number): boolean => {
    const { jiffyRace } = machine;
    if (!info.contended || jiffyRace === 'none') return false;
    if (typeof jiffyRace === 'number') return jiffyRace > 0;
    return jiffyRace === 'offsets' || jiffyRace.cpus.includes(cpu);
  };
  const isOnTick = (row: Row, jiffy: number): boolean => {
    const lateNs = row.timeNs - ticks.timeOfJiffyNs(jiffy);
    return lateNs >= 0 && lateNs <= (info.contended ? toTimersNs : 0);
  };
  const onStart = (id: string, row: Row) => {
    const { track: cpu, a: fn, b: delay, c: due } = row;
    const now = ticks.jiffiesAt(row.timeNs);
    const most = fn === TIMER_FN.srcu_delay_timer ? 1 : MAX_INTERVAL;
    report.judge(id, delay >= 1 && delay <= most, row, () => `a timer is armed for ${delay} jiffies`);
    // delays up to 62 jiffies lie on level 0 of the wheel: one tick is added, always
    report.judge(id, due === now + delay + 1, row, () => {
      return `armed at jiffy ${now} for ${delay}: due at ${due}, it must be ${now + delay + 1}`;
    });
    armed(row.d).push({ cpu, fn, due });
  };
  const onExpire = (id: string, row: Row) => {
    const list = armed(row.d);
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
    const isRaced = timer.cpu === row.track && mayRace(row.track) && isOnTick(row, timer.due + 1);
    report.judge(id, isOnTick(row, timer.due) || isRaced, row, () => {
      return `a timer due at jiffy ${timer.due} (${ticks.timeOfJiffyNs(timer.due)} ns) fires at ${row.timeNs} ns`;
    });
    const jiffies = ticks.jiffiesAt(row.timeNs);
    report.judge(id, row.b === jiffies, row, () => `jiffies is ${jiffies}, the row says ${row.b}`);
  };
  return {
    id: 'I10',
    title: 'no delay exceeds 10 jiffies; a timer of d jiffies fires d+1 ticks later, or d+2 where CPUs race',
    rule: 'docs/model/srcu.md 5.7 I10, 3.5, 3.6, 3.8',
    kinds: [KIND.timer_start, KIND.timer_expire_entry, KIND.srcu_pass],
    onRow(row) {
      if (row.kind === KIND.timer_start) onStart(this.id, row);
      else if (row.kind === KIND.timer_expire_entry) onExpire(this.id, row);
      else {
        const { delay } = context.pass.info;
        report.judge(this.id, delay <= MAX_INTERVAL, row, () => `a pass decides to wait ${delay} jiffies`);
      }
    },
    onEnd(row) {
      const allowedNs = ticks.periodNs + 1 + toTimersNs;
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
