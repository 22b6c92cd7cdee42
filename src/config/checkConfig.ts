/** Rules between the keys of a configuration: what no single value can tell. */

import { domainOfApi, usesRcu } from '../engine/config.ts';
import type { Actor, Dist, KfreeActor, ReaderActor, SimConfig, UpdaterApi } from '../engine/index.ts';
import { leastNs, mostNs } from '../engine/machine/costs.ts';
import { type Build, buildOf } from '../engine/profiles/kernelParams.ts';
import { PASS_ENTRIES } from './completeConfig.ts';
import type { ConfigInput, MachineInput, UpdaterInput } from './configInput.ts';
import { mostTicksAgo } from './initialGp.ts';
import { whyNoApi, whyNoFullCookies, whyNoOneArgument, whyNoTasksFlavours } from './kernelApis.ts';
import { checkParam } from './paramSet.ts';
import { createProblem, listOf, type Problem, showValue } from './problem.ts';

/** Ids of tracks are 16 bits wide in the log. */
const MAX_TRACKS = 65_535;

/** The fault in `passNs` beside what else a machine says; `preset` is the one in force. */
export function checkPassNs(machine: MachineInput, preset: string): Problem[] {
  if (machine.passNs === undefined) return [];
  const doubled = PASS_ENTRIES.filter((entry) => machine[entry] !== undefined);
  const path = 'machine.passNs';
  if (doubled.length > 0) {
    return [createProblem(path, machine.passNs, `it sets ${doubled.join(' and ')}: give one or the other`)];
  }
  if (preset === 'plain') return [];
  const allowed = `with preset "plain" only, not with "${preset}"; set ${PASS_ENTRIES.join(', ')} instead`;
  return [createProblem(path, machine.passNs, allowed)];
}

/** Faults of `params`: unknown, not in this kernel, out of range. */
export function checkParams(params: object, build: Build): Problem[] {
  return Object.entries(params).flatMap(
    ([name, value]) => checkParam(`params.${name}`, name, value, build) ?? [],
  );
}

/** Longest draw, ns; an exponential one with a mean above 0 has no bound. */
function largest(dist: Dist): number {
  if (typeof dist === 'number') return dist;
  if ('uniform' in dist) return dist.uniform[1];
  if ('list' in dist) return Math.max(...dist.list);
  return 'lcg' in dist ? dist.lcg.hi : dist.exp;
}

/** Calls that queue callbacks of their own. */
const CALLBACK_APIS = ['call_srcu', 'call_rcu', 'call_rcu_tasks', 'call_rcu_tasks_trace'];
/** Calls whose cookie has two forms. */
const COOKIE_APIS = [
  'cond_synchronize_rcu',
  'get_state_synchronize_rcu',
  'start_poll_synchronize_rcu',
  'start_poll_synchronize_rcu_expedited',
];

function checkCookie({ api, cookie }: UpdaterInput, path: string, build: Build): Problem[] {
  if (cookie !== 'full') return [];
  if (!COOKIE_APIS.includes(api))
    return [createProblem(path, cookie, `with api ${listOf(COOKIE_APIS)} only`)];
  const why = whyNoFullCookies(build);
  return why === undefined ? [] : [createProblem(path, cookie, why, true)];
}

function checkUpdater(actors: ConfigInput['actors'], index: number, build: Build): Problem[] {
  const path = `actors[${index}]`;
  const updater = actors?.[index] as UpdaterInput;
  const problems: Problem[] = [];
  const api = updater.api as UpdaterApi;
  const why = whyNoApi(api, build);
  if (why !== undefined) problems.push(createProblem(`${path}.api`, api, why, true));
  const domain = domainOfApi(api);
  if (updater.domain !== undefined && updater.domain.replace(/:.*/, '') !== domain) {
    const allowed = `"${domain}"${domain === 'srcu' ? ' or "srcu:NAME"' : ''} with api ${api}`;
    problems.push(createProblem(`${path}.domain`, updater.domain, allowed));
  }
  if (!CALLBACK_APIS.includes(api)) {
    const allowed = `with api ${listOf(CALLBACK_APIS)} only`;
    if (updater.batch !== undefined && updater.batch !== 1) {
      problems.push(createProblem(`${path}.batch`, updater.batch, allowed));
    }
    if (updater.wait === 'none') problems.push(createProblem(`${path}.wait`, updater.wait, allowed));
  }
  return [...problems, ...checkCookie(updater, `${path}.cookie`, build)];
}

/** What only a section of SRCU may do, and which kernels have readers of this flavour. */
function checkReader(reader: ReaderActor, path: string, { kernel }: Build): Problem[] {
  const { domain, holdMode, incDelay } = reader;
  if (domain.startsWith('srcu')) return [];
  const why = domain === 'tasks-trace' ? whyNoTasksFlavours(kernel) : undefined;
  return [
    ...(why === undefined ? [] : [createProblem(`${path}.domain`, domain, why, true)]),
    ...(holdMode === 'sleep' && domain === 'rcu'
      ? [createProblem(`${path}.holdMode`, holdMode, '"spin" with domain "rcu": its sections may not sleep')]
      : []),
    ...(largest(incDelay) > 0
      ? [createProblem(`${path}.incDelay`, incDelay, `0 with domain "${domain}": its sections count nothing`)]
      : []),
  ];
}

/** The form of kfree_rcu() that a kernel has, and objects that can be counted. */
function checkKfree({ form, loops, allocs, count }: KfreeActor, path: string, build: Build): Problem[] {
  const why = form === 'double' ? undefined : whyNoOneArgument(build);
  const objects = loops * allocs * count;
  const tooMany = `at most ${Math.floor(Number.MAX_SAFE_INTEGER / allocs / count)} with these allocs and count: loops * allocs * count is at most 2^53-1`;
  return [
    ...(why === undefined ? [] : [createProblem(`${path}.form`, form, `"double": ${why}`, true)]),
    ...(objects <= Number.MAX_SAFE_INTEGER ? [] : [createProblem(`${path}.loops`, loops, tooMany)]),
  ];
}

/** Loops in which no time passes would never end. */
function checkLoop(actor: Actor, path: string, config: SimConfig): Problem[] {
  if (actor.kind === 'reader') {
    const { rlockUnlockNs, readerGapNs } = config.machine;
    const costNs = actor.domain.startsWith('srcu') ? mostNs(rlockUnlockNs) + mostNs(readerGapNs) : 0;
    const isEmpty = largest(actor.hold) === 0 && largest(actor.idle) === 0 && costNs === 0;
    if (!isEmpty || actor.times !== undefined) return [];
    return [createProblem(`${path}.idle`, actor.idle, 'hold and idle may not both be 0 on this machine')];
  }
  if (actor.kind === 'holdout') {
    if (largest(actor.spin) > 0 || largest(actor.sleep) > 0) return [];
    return [createProblem(`${path}.spin`, actor.spin, 'spin and sleep may not both be 0')];
  }
  if (actor.kind === 'exiter') {
    if (largest(actor.gap) > 0 || largest(actor.exit) > 0 || largest(actor.tail) > 0) return [];
    return [createProblem(`${path}.gap`, actor.gap, 'gap, exit and tail may not all be 0')];
  }
  if (actor.kind !== 'load') return [];
  if (actor.spin === undefined) {
    if (actor.mode === 'user') return [];
    const why = 'with mode kernel, a duration between two calls of cond_resched()';
    return [createProblem(`${path}.spin`, undefined, why)];
  }
  if (largest(actor.spin) > 0) return [];
  return [createProblem(`${path}.spin`, actor.spin, 'more than 0')];
}

function checkCredit(config: SimConfig): Problem[] {
  if (config.machine.requester !== 'credit') return [];
  const problem = (why: string) => [
    createProblem('machine.requester', 'credit', `${why}; "scheduler" and "unseen" take any workload`),
  ];
  const [only] = config.actors;
  if (config.machine.preset !== 'plain') return problem('with preset "plain" only');
  if (config.actors.length !== 1 || only?.kind !== 'updater' || only.count !== 1) {
    return problem('with one updater and no other actor only');
  }
  if (only.api !== 'synchronize_srcu_expedited' || only.gapMode !== 'spin' || only.gapFrom !== 'return') {
    return problem('with api synchronize_srcu_expedited, gapMode spin and gapFrom return only');
  }
  return [];
}

function checkCpuNumbers(config: SimConfig): Problem[] {
  const { migratorCpu, timekeeperCpu, gpKthreadCpu } = config.initial;
  const numbers: [string, number | undefined][] = [
    ['initial.migratorCpu', migratorCpu],
    ['initial.timekeeperCpu', timekeeperCpu],
    ['initial.gpKthreadCpu', gpKthreadCpu],
  ];
  const race = config.machine.jiffyRace;
  if (typeof race === 'object') for (const cpu of race.cpus) numbers.push(['machine.jiffyRace', cpu]);
  return numbers
    .filter(([, cpu]) => cpu !== undefined && cpu >= config.cpus)
    .map(([path, cpu]) =>
      createProblem(path, cpu, `a CPU from 0 to ${config.cpus - 1} (cpus is ${config.cpus})`),
    );
}

function checkTracks(config: SimConfig): Problem[] {
  // a flood has a thread that drains it, and perhaps one that samples
  const threads = config.actors.reduce((sum, { kind, count }) => sum + count + (kind === 'kfree' ? 2 : 0), 0);
  const domains = new Set(config.actors.flatMap((actor) => ('domain' in actor ? [actor.domain] : [])));
  // CPUs and workers; Tree RCU has up to three kthreads per CPU, and two of its own
  const [perCpu, others] = usesRcu(config.actors) ? [5, 2] : [2, 0];
  const ownTracks = config.cpus * perCpu + others + domains.size;
  if (ownTracks + threads <= MAX_TRACKS) return [];
  const most = MAX_TRACKS - ownTracks;
  return [createProblem('actors', `${threads} threads`, `at most ${most} threads with ${config.cpus} CPUs`)];
}

function checkStop(config: SimConfig): Problem[] {
  const { afterNs, whenDone } = config.stop;
  if (afterNs !== undefined) return [];
  const value = config.stop;
  if (whenDone !== true) return [createProblem('stop', value, 'give afterNs, or whenDone: true')];
  if (config.actors.some(({ kind }) => kind === 'updater' || kind === 'kfree')) return [];
  return [
    createProblem('stop', value, 'give afterNs: without an updater or a flood the run would never end'),
  ];
}

/** A grace period that began before the run. */
function checkRcuGp(config: SimConfig): Problem[] {
  const { rcuGp } = config.initial;
  if (rcuGp === undefined || rcuGp === 'idle' || !('startedTicksAgo' in rcuGp)) return [];
  const most = mostTicksAgo(config);
  if (rcuGp.startedTicksAgo <= most || !usesRcu(config.actors)) return [];
  const allowed = `startedTicksAgo from 0 to ${most}: the first updater starts in tick ${most}, and nothing began before t = 0`;
  return [createProblem('initial.rcuGp', rcuGp, allowed)];
}

function checkMachine({ machine }: SimConfig): Problem[] {
  if (mostNs(machine.passFirstCheckNs) <= leastNs(machine.passLoopNs)) return [];
  const allowed = `at most passLoopNs (${showValue(machine.passLoopNs)}), of which it is a part`;
  return [createProblem('machine.passFirstCheckNs', machine.passFirstCheckNs, allowed)];
}

/** All faults of a complete configuration; `input` is the merged one from which it was made. */
export function checkConfig(config: SimConfig, input: ConfigInput): Problem[] {
  if (input.actors === undefined || input.actors.length === 0) {
    return [createProblem('actors', input.actors, 'at least one actor, or a scenario')];
  }
  const build = buildOf(config);
  const perActor = config.actors.flatMap((actor, index) => {
    const path = `actors[${index}]`;
    const updater = actor.kind === 'updater' ? checkUpdater(input.actors, index, build) : [];
    const reader = actor.kind === 'reader' ? checkReader(actor, path, build) : [];
    const kfree = actor.kind === 'kfree' ? checkKfree(actor, path, build) : [];
    return [...updater, ...reader, ...kfree, ...checkLoop(actor, path, config)];
  });
  return [
    ...checkParams(input.params ?? {}, build),
    ...checkMachine(config),
    ...perActor,
    ...checkCredit(config),
    ...checkCpuNumbers(config),
    ...checkRcuGp(config),
    ...checkTracks(config),
    ...checkStop(config),
  ];
}
