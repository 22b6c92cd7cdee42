/** What the configuration says about the waits of RCU Tasks (spec tasks 3.1, 4.1, 8), for the checkers. In jiffies. */
import { TASKS_FLAVOR } from '../../core/eventKinds.ts';
import type { RunInfo } from '../../core/info.ts';

const SLEEPS_PER_S = 10;
const TRACE_SLEEPS_PER_S = 200;
const LAZY_LIM = 32;

function given({ config }: RunInfo, name: string, otherwise: number): number {
  const value = config.params[name];
  return typeof value === 'number' ? value : otherwise;
}

/** gp_sleep, and the first sleep of the hold-out loop from 5.11 on. */
export function gpSleep({ config }: RunInfo, flavor: number): number {
  const { hz, kconfig } = config;
  const isShort = flavor === TASKS_FLAVOR.trace && kconfig.TASKS_TRACE_RCU_READ_MB !== true;
  return Math.max(1, Math.floor(hz / (isShort ? TRACE_SLEEPS_PER_S : SLEEPS_PER_S)));
}

/** The sleep before scan number `scan` (from 0) of a grace period. */
export function holdoutSleep(info: RunInfo, flavor: number, scan: number): number {
  const { hz } = info.config;
  const rule = flavor === TASKS_FLAVOR.trace ? 'jiffies' : info.rules['tasks.backoff'];
  const tenth = Math.floor(hz / SLEEPS_PER_S);
  if (rule === 'hz') return hz;
  if (rule === 'seed-v2') return scan === 0 ? tenth : hz;
  if (rule === 'fract') return Math.floor(hz / Math.max(1, SLEEPS_PER_S - scan));
  return Math.min(gpSleep(info, flavor) + scan, hz);
}

/** When a wheel timer armed at jiffy `now` for `delay` jiffies is due (4.3). */
export function wheelDue(now: number, delay: number): number {
  let unit = 1;
  while (delay >= 63 * unit) unit *= 8;
  return (Math.floor((now + delay) / unit) + 1) * unit;
}

/** lazy_jiffies; 0: callbacks are never lazy. */
export function lazyJiffies(info: RunInfo, flavor: number): number {
  if (info.rules['tasks.lazy'] !== 'lazy') return 0;
  const name =
    flavor === TASKS_FLAVOR.trace ? 'rcupdate.rcu_tasks_trace_lazy_ms' : 'rcupdate.rcu_tasks_lazy_ms';
  const ms = flavor === TASKS_FLAVOR.rude ? -1 : given(info, name, -1);
  const { hz } = info.config;
  return ms < 0 ? Math.ceil(hz / 4) : Math.ceil((ms * hz) / 1000);
}

/** rcu_task_lazy_lim. */
export function lazyLim(info: RunInfo): number {
  return given(info, 'rcupdate.rcu_task_lazy_lim', LAZY_LIM);
}
