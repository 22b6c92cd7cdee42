/** Kernel parameters that are read and kept, and that change no run: each with the reason. */
import type { Build, ParamInfo } from '../engine/profiles/kernelParams.ts';

/** A parameter without effect here. */
export interface InertParam extends ParamInfo {
  /** After "no effect: ". */
  readonly why: string;
  /** As it reads after boot. */
  readonly defaultValue: number | ((build: Build) => number);
}

const DEBUG = 'it helps to debug the kernel';
const STALLS = 'of a stall only the warning is simulated';
const QUEUES = 'the callbacks of RCU Tasks are simulated as one list, which changes no time';
const INT_MIN = -(2 ** 31);
const INT_MAX = 2 ** 31 - 1;

type Shape = Pick<ParamInfo, 'type' | 'unit' | 'min' | 'max'>;
const int = (min = INT_MIN, max = INT_MAX, unit: ParamInfo['unit'] = ''): Shape => ({
  type: 'int',
  unit,
  min,
  max,
});
const BOOL: Shape = { type: 'bool', unit: '', min: 0, max: 1 };

function inert(
  name: string,
  shape: Shape,
  defaultValue: InertParam['defaultValue'],
  since: ParamInfo['since'],
  why: string,
  help: string,
): InertParam {
  return { name, ...shape, defaultValue, since, why, help };
}

const queues = (name: string, value: number, help: string) =>
  inert(`rcupdate.${name}`, int(), value, 'v5.18', QUEUES, help);

/** All of them, rcutree.* first. */
export const INERT_PARAMS: readonly InertParam[] = [
  inert(
    'rcutree.kthread_prio',
    int(0, 99),
    ({ kconfig }) => (kconfig.RCU_BOOST === true ? 1 : 0),
    'v4.17',
    'real-time priorities are not simulated',
    'SCHED_FIFO priority of the RCU kthreads; 0: SCHED_OTHER',
  ),
  inert(
    'rcutree.rcu_kick_kthreads',
    BOOL,
    0,
    'v4.17',
    'no wake-up of the kthread is ever lost here',
    'Y: the grace-period kthread is woken again if it sleeps three times too long',
  ),
  inert(
    'rcutree.gp_preinit_delay',
    int(),
    0,
    'v4.17',
    DEBUG,
    'jiffies of delay in every step of the hotplug part',
  ),
  inert('rcutree.gp_init_delay', int(), 0, 'v4.17', DEBUG, 'jiffies of delay in every step of rcu_gp_init()'),
  inert(
    'rcutree.gp_cleanup_delay',
    int(),
    0,
    'v4.17',
    DEBUG,
    'jiffies of delay in every step of rcu_gp_cleanup()',
  ),
  inert('rcutree.dump_tree', BOOL, 0, 'v4.17', DEBUG, 'Y: the rcu_node tree is printed at boot'),
  inert('rcutree.sysrq_rcu', BOOL, 0, 'v5.4', DEBUG, 'Y: sysrq-y prints the state of RCU'),
  inert('rcutree.do_rcu_barrier', int(), 0, 'v6.6', DEBUG, 'writing to it calls rcu_barrier()'),
  inert(
    'rcutree.csd_lock_suppress_rcu_stall',
    BOOL,
    0,
    'v6.12',
    STALLS,
    'Y: no stall warning while an interrupt to another CPU is stuck',
  ),
  inert('rcupdate.rcu_cpu_stall_suppress', int(), 0, 'v4.17', STALLS, '1: no stall warnings'),
  inert(
    'rcupdate.rcu_cpu_stall_suppress_at_boot',
    int(),
    0,
    'v5.7',
    'boot is not simulated',
    '1: none during boot',
  ),
  inert('rcupdate.rcu_cpu_stall_ftrace_dump', int(), 0, 'v5.4', STALLS, '1: a stall prints the trace'),
  inert('rcupdate.rcu_cpu_stall_cputime', int(), 0, 'v6.3', STALLS, '1: a stall prints what the CPU did'),
  inert('rcupdate.rcu_exp_stall_task_details', BOOL, 0, 'v6.3', STALLS, 'Y: stacks of the tasks that block'),
  queues(
    'rcu_task_enqueue_lim',
    1,
    'callback queues of RCU Tasks; -1, the default, reads 1 after boot: as many as are needed',
  ),
  queues('rcu_task_contend_lim', 100, 'lock contentions that make it use one queue per CPU'),
  queues('rcu_task_collapse_lim', 10, 'callbacks under which it goes back to one queue'),
];

/** The default of one of them. */
export function defaultInertParam({ defaultValue }: InertParam, build: Build): number {
  return typeof defaultValue === 'number' ? defaultValue : defaultValue(build);
}
