/** What the parameters of Tree RCU and of offloading come to in a configuration. */
import type { SimConfig } from '../engine/index.ts';
import { formatCpuList, parseCpuList } from '../engine/profiles/cpuList.ts';
import { buildOf } from '../engine/profiles/kernelParams.ts';
import { nocbGroups, nohzFullCpus, offloadedCpus } from '../engine/profiles/offload.ts';
import { resolveRules } from '../engine/profiles/profiles.ts';
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

function qsHelp(config: SimConfig, jiffyNs: number): string {
  const jiffies = shownSchedQs(config.params, buildOf(config));
  const isGiven = typeof config.params['rcutree.jiffies_till_sched_qs'] === 'number';
  const { 'rcutree.jiffies_till_sched_qs': _given, ...others } = config.params;
  const computed = shownSchedQs(others, buildOf(config));
  const whence = isGiven ? `not given it would be ${computed}; ` : `not given: computed as ${jiffies}; `;
  const at = (n: number) => shortTime(n * jiffyNs);
  return `${whence}from ${at(jiffies)} on busy CPUs are asked for help, from ${at(2 * jiffies)} on they are pressed`;
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

/** What a value comes to; undefined for parameters of other mechanisms. */
export function describeRcuParam(name: string, config: SimConfig): string | undefined {
  const why = whyNoEffect(name, config);
  if (why !== undefined) return why;
  const { params, hz, cpus } = config;
  const value = Number(params[name]);
  const jiffyNs = 1e9 / hz;
  const time = (jiffies: number) => shortTime(Math.floor(jiffies * jiffyNs));
  switch (name) {
    case 'rcutree.jiffies_till_first_fqs':
      return `first scan ${time(value)} to ${time(value + 1)} after the start of a grace period${byCpus(config)}`;
    case 'rcutree.jiffies_till_next_fqs':
      return `then a scan every ${time(value + 1)}${byCpus(config)}`;
    case 'rcutree.jiffies_till_sched_qs':
      return qsHelp(config, jiffyNs);
    case 'rcutree.rcu_normal_wake_from_gp':
      return value === 1
        ? 'the grace-period kthread wakes callers itself, however many callbacks are queued'
        : 'a caller waits for its callback, behind all those that are queued before it on its CPU';
    case 'rcupdate.rcu_expedited':
      return expedited(config);
    case 'rcupdate.rcu_normal':
      return value === 1 ? 'nothing is expedited' : 'calls that ask for it are expedited';
    case 'rcupdate.rcu_normal_after_boot':
      return value === 1
        ? 'nothing is expedited in a run, which comes after boot'
        : 'after boot nothing changes';
    case 'rcutree.blimit':
      return `a batch is ${count(value, 'callback')} at least; from ${value * 2 ** Number(params['rcutree.rcu_divisor'] ?? 7)} on it grows`;
    case 'rcutree.rcu_divisor': {
      const isReady = resolveRules(config.kernel, config.rules)['tree.batchLimit'] === 'ready';
      return `a batch is 1/${2 ** value} of the callbacks that are ${isReady ? 'ready' : 'queued'}, and blimit at least`;
    }
    case 'rcutree.qhimark':
      return `${value} more callbacks on a CPU: batches of 10000, and a scan is forced`;
    case 'rcutree.qlowmark':
      return `with ${value} callbacks left, batches of blimit again`;
    case 'rcutree.qovld':
      return overload(config);
    case 'rcutree.rcu_resched_ns':
      return `a batch of more than 100 callbacks ends after ${shortTime(value)}`;
    case 'rcutree.use_softirq':
      return value === 1
        ? 'rcu_core() and callbacks run in softirq'
        : 'rcu_core() and callbacks run in rcuc kthreads, one per CPU';
    case 'rcutree.rcu_fanout_leaf':
      return leaves(config);
    case 'rcutree.rcu_fanout_exact':
      return value === 1 ? 'every leaf but the last is full' : 'CPUs are spread evenly over the leaves';
    case 'rcutree.rcu_nocb_gp_stride':
      return groups(config);
    case 'rcutree.nocb_nobypass_lim_per_jiffy':
      return `${value} callbacks a jiffy (${Math.floor((value * hz) / 1000)} a ms) are queued directly, more wait on the bypass list`;
    case 'rcutree.enable_rcu_lazy':
      return value === 1
        ? 'callbacks that can wait do, up to 10 s'
        : 'call_rcu() asks for its grace period at once';
    case 'rcutree.nohz_full_patience_delay':
      return value === 0 ? 'nohz_full CPUs are not spared' : `nohz_full CPUs are spared for ${value} ms`;
    case 'rcupdate.rcu_cpu_stall_timeout':
      return stallMeaning(config);
    case 'rcupdate.rcu_exp_cpu_stall_timeout':
      return value === 0 ? 'as for normal grace periods' : `a warning after ${value} ms`;
    case 'rcu_nocbs':
      return offloading(config);
    case 'rcu_nocb_poll':
      return `${groups(config)}: each looks every jiffy, and its CPU is never idle for long`;
    case 'nohz_full':
      return `${count(nohzFullCpus(config).length, 'CPU')} of ${cpus} without a tick in user mode, and offloaded (rcu_nocbs) therefore`;
    case 'isolcpus':
      return 'its flag nohz makes these CPUs nohz_full';
    case 'skew_tick':
      return 'ticks of all CPUs come at the same time';
    default:
      return undefined;
  }
}
