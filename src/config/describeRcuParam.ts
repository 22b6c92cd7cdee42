/** What the parameters of Tree RCU, of offloading and of what waits for it come to in a configuration. */
import type { SimConfig } from '../engine/index.ts';
import { formatCpuList, parseCpuList } from '../engine/profiles/cpuList.ts';
import { buildOf } from '../engine/profiles/kernelParams.ts';
import { nocbGroups, nohzFullCpus, offloadedCpus } from '../engine/profiles/offload.ts';
import { resolveRules } from '../engine/profiles/profiles.ts';
import { type Described, KVFREE_TASKS_DESCRIBED } from './describeKvfreeTasksParams.ts';
import { whyNoEffect } from './noEffect.ts';
import { shownSchedQs } from './paramSet.ts';
import { shortTime } from './shortTime.ts';

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`;

/** Where a default comes from that grows with the CPUs. */
function byCpus({ cpus }: SimConfig): string {
  const more = Math.floor(cpus / 256);
  return more === 0
    ? ''
    : `; by default ${count(more, 'jiffy').replace('jiffys', 'jiffies')} of it for ${cpus} CPUs`;
}

function qsHelp(config: SimConfig, time: (jiffies: number) => string): string {
  const jiffies = shownSchedQs(config.params, buildOf(config));
  const isGiven = typeof config.params['rcutree.jiffies_till_sched_qs'] === 'number';
  const { 'rcutree.jiffies_till_sched_qs': _given, ...others } = config.params;
  const computed = shownSchedQs(others, buildOf(config));
  const whence = isGiven ? `not given it would be ${computed}; ` : `not given: computed as ${jiffies}; `;
  return `${whence}from ${time(jiffies)} on busy CPUs are asked for help, from ${time(2 * jiffies)} on they are pressed`;
}

function leaves({ params, cpus }: SimConfig): string {
  const size = Number(params['rcutree.rcu_fanout_leaf']);
  const nodes = Math.ceil(cpus / size);
  return nodes === 1 ? `one rcu_node for all ${count(cpus, 'CPU')}` : `${nodes} leaves for ${cpus} CPUs`;
}

function offloading(config: SimConfig): string {
  const offloaded = offloadedCpus(config);
  if (offloaded.length === 0) return 'no CPU is offloaded at boot';
  const list = config.params.rcu_nocbs;
  const own = typeof list === 'string' && list !== '' ? parseCpuList(list, config.cpus) : undefined;
  const named = own?.ok === true ? own.cpus.length : 0;
  const whence = named > 0 && named < offloaded.length ? `${named} here, with those of nohz_full ` : '';
  return `${whence}${count(offloaded.length, 'CPU')} offloaded: ${formatCpuList(offloaded)}; ${groups(config)}`;
}

function groups(config: SimConfig): string {
  const stride = Number(config.params['rcutree.rcu_nocb_gp_stride']);
  const kthreads = nocbGroups(offloadedCpus(config), stride);
  return `${count(kthreads, 'rcuog kthread')}, one for every ${count(stride, 'CPU')} by number`;
}

/** CPUs that somebody wants to be left alone, as a list. */
function quietCpus(config: SimConfig): string {
  const { params, cpus } = config;
  const isolated = String(params.isolcpus ?? '').replace(/^([a-z_]+,)*/, '');
  const list = isolated === '' ? undefined : parseCpuList(isolated, cpus);
  const all = new Set([...nohzFullCpus(config), ...(list?.ok === true ? list.cpus : [])]);
  return formatCpuList([...all].sort((a, b) => a - b));
}

function expedited(config: SimConfig): string {
  const { params } = config;
  if (params['rcupdate.rcu_expedited'] !== 1) return 'calls are expedited only where they ask for it';
  const quiet = quietCpus(config);
  const noise =
    quiet === '' ? '' : `, ${/\D/.test(quiet) ? 'CPUs' : 'CPU'} ${quiet} too, which should be left alone`;
  return `every synchronize_rcu() and synchronize_srcu() is expedited until it is cleared, and interrupts CPUs that are not idle${noise}`;
}

function stallMeaning(config: SimConfig): string {
  const { params, hz, kconfig } = config;
  const jiffies =
    (Number(params['rcupdate.rcu_cpu_stall_timeout']) + (kconfig.PROVE_RCU === true ? 5 : 0)) * hz;
  const again = Math.floor(((3 * jiffies + 3) * 1e9) / hz);
  return `a warning at an age of ${jiffies} jiffies, then every ${shortTime(again)}`;
}

function overload(config: SimConfig): string {
  const limit = Number(config.params['rcutree.qovld']);
  if (limit === 0) return 'no CPU ever counts as overloaded';
  const callbacks = limit < 0 ? 2 * Number(config.params['rcutree.qhimark']) : limit;
  return `a CPU with ${callbacks} callbacks is overloaded: waits get a third as long, help is asked for at once`;
}

const WAITS: Readonly<Record<string, Described>> = {
  'rcutree.jiffies_till_first_fqs': (value, config, time) =>
    `first scan ${time(value)} to ${time(value + 1)} after the start of a grace period${byCpus(config)}`,
  'rcutree.jiffies_till_next_fqs': (value, config, time) =>
    `then a scan every ${time(value + 1)}${byCpus(config)}`,
  'rcutree.jiffies_till_sched_qs': (_value, config, time) => qsHelp(config, time),
  'rcutree.rcu_normal_wake_from_gp': (value) =>
    value === 1
      ? 'the grace-period kthread wakes callers itself, however many callbacks are queued'
      : 'a caller waits for its callback, behind all those that are queued before it on its CPU',
  'rcupdate.rcu_expedited': (_value, config) => expedited(config),
  'rcupdate.rcu_normal': (value) =>
    value === 1 ? 'nothing is expedited' : 'calls that ask for it are expedited',
  'rcupdate.rcu_normal_after_boot': (value) =>
    value === 1 ? 'nothing is expedited in a run, which comes after boot' : 'after boot nothing changes',
  'rcutree.nohz_full_patience_delay': (value) =>
    value === 0 ? 'nohz_full CPUs are not spared' : `nohz_full CPUs are spared for ${value} ms`,
  'rcupdate.rcu_cpu_stall_timeout': (_value, config) => stallMeaning(config),
  'rcupdate.rcu_exp_cpu_stall_timeout': (value) =>
    value === 0 ? 'as for normal grace periods' : `a warning after ${value} ms`,
};

const CALLBACKS: Readonly<Record<string, Described>> = {
  'rcutree.blimit': (value, { params }) =>
    `a batch is ${count(value, 'callback')} at least; from ${value * 2 ** Number(params['rcutree.rcu_divisor'] ?? 7)} on it grows`,
  'rcutree.rcu_divisor': (value, { kernel, rules }) => {
    const isReady = resolveRules(kernel, rules)['tree.batchLimit'] === 'ready';
    return `a batch is 1/${2 ** value} of the callbacks that are ${isReady ? 'ready' : 'queued'}, and blimit at least`;
  },
  'rcutree.qhimark': (value) => `${value} more callbacks on a CPU: batches of 10000, and a scan is forced`,
  'rcutree.qlowmark': (value) => `with ${value} callbacks left, batches of blimit again`,
  'rcutree.qovld': (_value, config) => overload(config),
  'rcutree.rcu_resched_ns': (value) => `a batch of more than 100 callbacks ends after ${shortTime(value)}`,
  'rcutree.use_softirq': (value) =>
    value === 1
      ? 'rcu_core() and callbacks run in softirq'
      : 'rcu_core() and callbacks run in rcuc kthreads, one per CPU',
  'rcutree.enable_rcu_lazy': (value) =>
    value === 1 ? 'callbacks that can wait do, up to 10 s' : 'call_rcu() asks for its grace period at once',
};

const PLACES: Readonly<Record<string, Described>> = {
  'rcutree.rcu_fanout_leaf': (_value, config) => leaves(config),
  'rcutree.rcu_fanout_exact': (value) =>
    value === 1 ? 'every leaf but the last is full' : 'CPUs are spread evenly over the leaves',
  'rcutree.rcu_nocb_gp_stride': (_value, config) => groups(config),
  'rcutree.nocb_nobypass_lim_per_jiffy': (value, { hz }) =>
    `${value} callbacks a jiffy (${Math.floor((value * hz) / 1000)} a ms) are queued directly, more wait on the bypass list`,
  rcu_nocbs: (_value, config) => offloading(config),
  rcu_nocb_poll: (_value, config) =>
    `${groups(config)}: each looks every jiffy, and its CPU is never idle for long`,
  nohz_full: (_value, config) =>
    `${count(nohzFullCpus(config).length, 'CPU')} of ${config.cpus} without a tick in user mode, and offloaded (rcu_nocbs) therefore`,
  isolcpus: () => 'its flag nohz makes these CPUs nohz_full',
  skew_tick: () => 'ticks of all CPUs come at the same time',
};
const DESCRIBED = new Map(Object.entries({ ...WAITS, ...CALLBACKS, ...PLACES, ...KVFREE_TASKS_DESCRIBED }));

/** What a value comes to; undefined for parameters of other mechanisms. */
export function describeRcuParam(name: string, config: SimConfig): string | undefined {
  const why = whyNoEffect(name, config);
  if (why !== undefined) return why;
  const time = (jiffies: number) => shortTime(Math.floor((jiffies * 1e9) / config.hz));
  return DESCRIBED.get(name)?.(Number(config.params[name]), config, time);
}
