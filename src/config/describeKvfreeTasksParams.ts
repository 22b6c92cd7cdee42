/** What the parameters of kvfree_rcu() and of RCU Tasks come to in a configuration. */
import type { SimConfig } from '../engine/index.ts';
import { shortTime } from './shortTime.ts';

/** What a description is made of: the number, the configuration, so many jiffies as a time. */
export type Described = (value: number, config: SimConfig, time: (jiffies: number) => string) => string;

/** "1.25 MiB" of whole bytes. */
function bytesText(bytes: number): string {
  const unit = bytes >= 2 ** 30 ? 30 : bytes >= 2 ** 20 ? 20 : bytes >= 2 ** 10 ? 10 : 0;
  const word = new Map([
    [30, 'GiB'],
    [20, 'MiB'],
    [10, 'KiB'],
  ]).get(unit);
  return `${Number((bytes / 2 ** unit).toPrecision(3))} ${word ?? 'bytes'}`;
}

function cachedObjects(value: number, { machine, cpus }: SimConfig): string {
  if (value === 0) return 'no page is kept for blocks';
  return `${value} pages kept per CPU for blocks: ${bytesText(value * machine.pageSize * cpus)} in all`;
}

function infoTimes(_value: number, { params }: SimConfig, time: (jiffies: number) => string): string {
  const first = Number(params['rcupdate.rcu_task_stall_info']);
  if (first <= 0) return 'no line is printed before a stall is reported';
  const mult = Number(params['rcupdate.rcu_task_stall_info_mult']);
  const times = [1, 1 + mult, 1 + mult + mult * mult].map((factor) => time(factor * first));
  return `a line when holdouts are waited for since ${times.join(', ')} and so on, until a stall is reported`;
}

const laziness =
  (call: string): Described =>
  (value, { hz }, time) => {
    if (value === 0) return `${call}() asks for its grace period at once`;
    const lazy = value < 0 ? time(Math.ceil(hz / 4)) : shortTime(value * 1e6);
    return `${call}() waits ${lazy} for more callbacks`;
  };

/** By name. */
export const KVFREE_TASKS_DESCRIBED: Readonly<Record<string, Described>> = {
  'rcutree.rcu_min_cached_objs': cachedObjects,
  'rcutree.rcu_delay_page_cache_fill_msec': (value) =>
    `after memory was short no page is kept for ${shortTime(value * 1e6)}, and then one at first`,
  'rcupdate.rcu_task_stall_timeout': (value, _config, time) =>
    value <= 0
      ? 'stalls of RCU Tasks are not reported'
      : `a stall is reported when holdouts are waited for since ${time(value)}`,
  'rcupdate.rcu_task_stall_info': infoTimes,
  'rcupdate.rcu_task_stall_info_mult': infoTimes,
  'rcupdate.rcu_task_ipi_delay': (value, _config, time) =>
    value <= 0
      ? 'CPUs that run a holdout are interrupted at once'
      : `CPUs that run a holdout are interrupted from an age of ${time(value)} on`,
  'rcupdate.rcu_task_lazy_lim': (value) => `the callback that finds ${value} queued ends the wait`,
  'rcupdate.rcu_tasks_lazy_ms': laziness('call_rcu_tasks'),
  'rcupdate.rcu_tasks_trace_lazy_ms': laziness('call_rcu_tasks_trace'),
};
