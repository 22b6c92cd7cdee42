/** Kernel parameters of RCU Tasks (spec tasks 3.1, 6, 8). All are of module rcupdate. */
import type { Build, ParamInfo } from './kernelParams.ts';

const INT = { type: 'int', min: -(2 ** 31), max: 2 ** 31 - 1 } as const;
const LAZY = { id: 'tasks.lazy', values: ['lazy'] } as const;
const INFO = { id: 'tasks.info', values: ['yes'] } as const;

/** The parameters that decide a run of RCU Tasks. */
export const TASKS_PARAMS: readonly ParamInfo[] = [
  {
    name: 'rcupdate.rcu_task_stall_timeout',
    ...INT,
    unit: 'jiffies',
    since: 'v4.17',
    help: 'age of the wait for holdouts at which a stall of RCU Tasks is reported; 0 or less: never',
  },
  {
    name: 'rcupdate.rcu_task_stall_info',
    ...INT,
    unit: 'jiffies',
    since: 'v5.18',
    rule: INFO,
    help: 'age of that wait at which a first line is printed; 0 or less: never',
  },
  {
    name: 'rcupdate.rcu_task_stall_info_mult',
    type: 'int',
    unit: '',
    min: 1,
    max: 10,
    since: 'v5.18',
    rule: INFO,
    help: 'factor from one such line to the next',
  },
  {
    name: 'rcupdate.rcu_task_ipi_delay',
    ...INT,
    unit: 'jiffies',
    since: 'v5.7',
    help: 'age up to which a grace period of RCU Tasks Trace interrupts no CPU; HZ/2 with CONFIG_TASKS_TRACE_RCU_READ_MB',
  },
  {
    name: 'rcupdate.rcu_task_lazy_lim',
    ...INT,
    unit: 'callbacks',
    since: 'v6.6',
    rule: LAZY,
    help: 'the callback that finds so many queued ends the laziness of RCU Tasks',
  },
  {
    name: 'rcupdate.rcu_tasks_lazy_ms',
    type: 'int',
    unit: 'ms',
    min: -1,
    max: INT.max,
    since: 'v6.6',
    rule: LAZY,
    help: 'ms that call_rcu_tasks() waits for more callbacks; 0: no laziness, negative: a quarter of a second',
  },
  {
    name: 'rcupdate.rcu_tasks_trace_lazy_ms',
    type: 'int',
    unit: 'ms',
    min: -1,
    max: INT.max,
    since: 'v6.6',
    rule: LAZY,
    help: 'the same for call_rcu_tasks_trace()',
  },
];

/** The default of a parameter, or undefined for names that are not in TASKS_PARAMS. */
export function defaultTasksParam(name: string, { hz, kconfig }: Build): number | undefined {
  switch (name) {
    case 'rcupdate.rcu_task_stall_timeout':
      return 600 * hz;
    case 'rcupdate.rcu_task_stall_info':
      return 10 * hz;
    case 'rcupdate.rcu_task_stall_info_mult':
      return 3;
    case 'rcupdate.rcu_task_ipi_delay':
      return kconfig.TASKS_TRACE_RCU_READ_MB === true ? Math.floor(hz / 2) : 0;
    case 'rcupdate.rcu_task_lazy_lim':
      return 32;
    case 'rcupdate.rcu_tasks_lazy_ms':
    case 'rcupdate.rcu_tasks_trace_lazy_ms':
      return -1;
    default:
      return undefined;
  }
}
