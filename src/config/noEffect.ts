/** Why something that a configuration sets does not change its run. */
import {
  type Actor,
  type SimConfig,
  usesExitSrcu,
  usesKvfree,
  usesRcu,
  usesSrcu,
  usesTasks,
} from '../engine/config.ts';
import { KVFREE_PARAMS } from '../engine/profiles/kvfreeParams.ts';
import { nohzFullCpus, offloadedCpus } from '../engine/profiles/offload.ts';
import { resolveRules } from '../engine/profiles/profiles.ts';
import { TASKS_PARAMS } from '../engine/profiles/tasksParams.ts';
import { isAlwaysExpedited, isAlwaysNormal } from '../engine/tree/params.ts';
import { findBootParam } from './bootParams.ts';
import { findInertParam } from './paramSet.ts';

/** What decides whether a parameter has an effect. */
export interface Setting extends Pick<SimConfig, 'kernel' | 'rules' | 'cpus' | 'kconfig'> {
  /** Complete. */
  readonly params: Readonly<Record<string, number | string>>;
  /** None: nothing is known of them. */
  readonly actors: readonly Actor[];
}

const NO_SRCU = 'no effect: no actor uses SRCU';
const NO_RCU = 'no effect: no actor uses Tree RCU';
const NO_KVFREE = 'no effect: no actor calls kfree_rcu()';
const NO_TASKS = 'no effect: no actor uses RCU Tasks';
/** Parameters of rcupdate that SRCU looks at too. */
const OF_BOTH = ['rcupdate.rcu_expedited', 'rcupdate.rcu_normal', 'rcupdate.rcu_normal_after_boot'];
/** How a CPU gets offloaded. */
const OFFLOADING = 'rcu_nocbs, nohz_full or kconfig.RCU_NOCB_CPU_DEFAULT_ALL';

function isRcuOnly(name: string): boolean {
  if (OF_BOTH.includes(name)) return false;
  return /^rcu(tree|pdate)\./.test(name) || findBootParam(name) !== undefined;
}

/** Why an option or a parameter of this mechanism is of no use to these actors. */
function otherMechanism(name: string, { actors, kernel, rules }: Setting): string | undefined {
  if (actors.length === 0) return undefined;
  if (isRcuOnly(name) && !usesRcu(actors)) return NO_RCU;
  if (KVFREE_PARAMS.some((param) => param.name === name) && !usesKvfree(actors)) return NO_KVFREE;
  if (TASKS_PARAMS.some((param) => param.name === name) && !usesTasks(actors)) return NO_TASKS;
  const isSrcu = /^(srcutree|experiment)\./.test(name);
  if (!isSrcu || usesSrcu(actors)) return undefined;
  return usesExitSrcu(actors, resolveRules(kernel, rules)['tasks.exit']) ? undefined : NO_SRCU;
}

function whyNotLazy({ kconfig }: Setting, offloaded: readonly number[]): string | undefined {
  const needs = [
    ...(kconfig.RCU_LAZY === true ? [] : ['CONFIG_RCU_LAZY (kconfig.RCU_LAZY)']),
    ...(offloaded.length > 0 ? [] : [`offloaded CPUs (${OFFLOADING})`]),
  ];
  return needs.length === 0 ? undefined : `no effect: it needs ${needs.join(' and ')}`;
}

function whyNotExpedited({ params, kconfig }: Setting): string | undefined {
  if (!isAlwaysExpedited(params) || !isAlwaysNormal(params)) return undefined;
  if (params['rcupdate.rcu_normal'] === 1) return 'no effect: rcu_normal wins over it';
  const whence = kconfig.PREEMPT_RT === true ? ', as it is by default on PREEMPT_RT' : '';
  return `no effect after boot: rcu_normal_after_boot is 1${whence}, and rcu_normal wins`;
}

/** Why a parameter, at the value it has in `setting`, changes nothing: "no effect: ..."; undefined where it may. */
export function whyNoEffect(name: string, setting: Setting): string | undefined {
  const foreign = otherMechanism(name, setting);
  if (foreign !== undefined) return foreign;
  const inert = findInertParam(name);
  if (inert !== undefined) return `no effect: ${inert.why}`;
  const { params, kconfig, cpus } = setting;
  const isOn = params[name] === 1;
  switch (name) {
    case 'skew_tick':
      return isOn ? 'no effect: the ticks of all CPUs are simulated as aligned' : undefined;
    case 'isolcpus':
      if (nohzFullCpus({ ...setting, params: { isolcpus: params.isolcpus ?? '' } }).length > 0)
        return undefined;
      return 'no effect: every actor has its CPU here, and kthreads may go anywhere';
    case 'nohz_full':
      return kconfig.NO_HZ_FULL === false ? 'no effect: it needs CONFIG_NO_HZ_FULL' : undefined;
    case 'rcutree.nohz_full_patience_delay':
      if (nohzFullCpus(setting).length === 0) return 'no effect: there is no nohz_full CPU';
      return params[name] === 0
        ? undefined
        : 'no effect: ticks of nohz_full CPUs are simulated as those of all CPUs';
    case 'rcu_nocb_poll':
    case 'rcutree.rcu_nocb_gp_stride':
    case 'rcutree.nocb_nobypass_lim_per_jiffy':
      return offloadedCpus(setting).length === 0
        ? `no effect: no CPU is offloaded (${OFFLOADING})`
        : undefined;
    case 'rcutree.enable_rcu_lazy':
      return isOn ? whyNotLazy(setting, offloadedCpus(setting)) : undefined;
    case 'rcutree.blimit':
    case 'rcutree.qlowmark':
    case 'rcutree.rcu_divisor':
    case 'rcutree.rcu_resched_ns':
      return offloadedCpus(setting).length === cpus
        ? 'no effect: the callbacks of all CPUs are offloaded'
        : undefined;
    case 'rcutree.rcu_normal_wake_from_gp':
      if (!isOn || !isAlwaysExpedited(params) || isAlwaysNormal(params)) return undefined;
      return 'no effect: with rcu_expedited no call waits for a normal grace period';
    case 'rcupdate.rcu_expedited':
      return whyNotExpedited(setting);
    default:
      return undefined;
  }
}

/** Build options that mean something to SRCU too, or to how a kernel preempts. */
const OPTIONS_OF_BOTH = ['PREEMPT_RT', 'PREEMPT_DYNAMIC'];

/** The same for a build option that is set. */
export function whyOptionHasNoEffect(name: string, actors: readonly Actor[]): string | undefined {
  if (OPTIONS_OF_BOTH.includes(name)) return undefined;
  if (!usesRcu(actors)) return NO_RCU;
  if (name === 'DEBUG_OBJECTS_RCU_HEAD') return usesKvfree(actors) ? undefined : NO_KVFREE;
  if (name === 'TASKS_TRACE_RCU_READ_MB') return usesTasks(actors) ? undefined : NO_TASKS;
  return name === 'RCU_BOOST' ? 'no effect: priority boosting is not simulated' : undefined;
}

/** The same for a name of `initial`. */
export function whyInitialHasNoEffect(
  name: string,
  { actors, kernel, rules }: Pick<SimConfig, 'actors' | 'kernel' | 'rules'>,
): string | undefined {
  if (name === 'gpKthreadCpu' || name === 'rcuGp') {
    return usesRcu(actors) ? undefined : NO_RCU;
  }
  if (name === 'tasksUrgent') {
    if (!usesTasks(actors)) return NO_TASKS;
    const isLazy = resolveRules(kernel, rules)['tasks.lazy'] === 'lazy';
    return isLazy ? undefined : `no effect: RCU Tasks of ${kernel} knows no laziness (rule tasks.lazy)`;
  }
  return undefined;
}

/** Machine entries of objects and the memory they lie in, and those of the monitor and of works. */
const KFREE_ENTRY = /^(kfree|memoryBytes$|pageSize$|allocator$)/;
const KVFREE_ENTRY = /^kvfree/;

/** The same for a machine entry. Of kfreeStuckCpus stuckCpus.ts has more to say. */
export function whyMachineHasNoEffect(name: string, { machine, actors }: SimConfig): string | undefined {
  if (name === 'windowNs') {
    return machine.preset === 'virtual-1gips' ? undefined : `no effect with preset "${machine.preset}"`;
  }
  if (name === 'kfreeStuckCpus') return undefined;
  if (KFREE_ENTRY.test(name)) return actors.some(({ kind }) => kind === 'kfree') ? undefined : NO_KVFREE;
  return KVFREE_ENTRY.test(name) && !usesKvfree(actors) ? NO_KVFREE : undefined;
}
