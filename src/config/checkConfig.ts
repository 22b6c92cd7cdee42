/** Rules between the keys of a configuration: what no single value can tell. */

import type { Actor, Dist, SimConfig, SrcuApi } from '../engine/index.ts';
import { leastNs, mostNs } from '../engine/machine/costs.ts';
import type { ProfileId } from '../engine/profiles/profiles.ts';
import { PASS_ENTRIES } from './completeConfig.ts';
import type { ConfigInput, MachineInput, UpdaterInput } from './configInput.ts';
import { kernelHasApi, releasesOfApi } from './kernelApis.ts';
import { checkParam } from './paramSet.ts';
import { createProblem, type Problem, showValue } from './problem.ts';

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
export function checkParams(
  params: object,
  machine: { readonly kernel: ProfileId; readonly cpus: number },
): Problem[] {
  return Object.entries(params).flatMap(
    ([name, value]) => checkParam(`params.${name}`, name, value, machine) ?? [],
  );
}

/** Longest draw, ns; an exponential one with a mean above 0 has no bound. */
function largest(dist: Dist): number {
  if (typeof dist === 'number') return dist;
  if ('uniform' in dist) return dist.uniform[1];
  if ('list' in dist) return Math.max(...dist.list);
  return 'lcg' in dist ? dist.lcg.hi : dist.exp;
}

function checkUpdater(actors: ConfigInput['actors'], index: number, kernel: ProfileId): Problem[] {
  const path = `actors[${index}]`;
  const updater = actors?.[index] as UpdaterInput;
  const problems: Problem[] = [];
  const api = updater.api as SrcuApi;
  if (!kernelHasApi(kernel, api)) {
    const why = `kernel ${kernel} does not have it (${releasesOfApi(api)})`;
    problems.push(createProblem(`${path}.api`, api, why, true));
  }
  if (updater.api !== 'call_srcu') {
    if (updater.batch !== undefined && updater.batch !== 1) {
      problems.push(createProblem(`${path}.batch`, updater.batch, 'with api call_srcu only'));
    }
    if (updater.wait === 'none') {
      problems.push(createProblem(`${path}.wait`, updater.wait, 'with api call_srcu only'));
    }
  }
  return problems;
}

/** Loops in which no time passes would never end. */
function checkLoop(actor: Actor, path: string, config: SimConfig): Problem[] {
  if (actor.kind === 'reader') {
    const costNs = mostNs(config.machine.rlockUnlockNs) + mostNs(config.machine.readerGapNs);
    const isEmpty = largest(actor.hold) === 0 && largest(actor.idle) === 0 && costNs === 0;
    if (!isEmpty || actor.times !== undefined) return [];
    return [createProblem(`${path}.idle`, actor.idle, 'hold and idle may not both be 0 on this machine')];
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
  const threads = config.actors.reduce((sum, actor) => sum + actor.count, 0);
  const domains = new Set(config.actors.flatMap((actor) => ('domain' in actor ? [actor.domain] : [])));
  const tracks = config.cpus * 2 + threads + domains.size;
  if (tracks <= MAX_TRACKS) return [];
  const most = MAX_TRACKS - config.cpus * 2 - domains.size;
  return [createProblem('actors', `${threads} threads`, `at most ${most} threads with ${config.cpus} CPUs`)];
}

function checkStop(config: SimConfig): Problem[] {
  const { afterNs, whenDone } = config.stop;
  if (afterNs !== undefined) return [];
  const value = config.stop;
  if (whenDone !== true) return [createProblem('stop', value, 'give afterNs, or whenDone: true')];
  if (config.actors.some((actor) => actor.kind === 'updater')) return [];
  return [createProblem('stop', value, 'give afterNs: without an updater the run would never end')];
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
  const perActor = config.actors.flatMap((actor, index) => {
    const path = `actors[${index}]`;
    const updater = actor.kind === 'updater' ? checkUpdater(input.actors, index, config.kernel) : [];
    return [...updater, ...checkLoop(actor, path, config)];
  });
  return [
    ...checkParams(input.params ?? {}, config),
    ...checkMachine(config),
    ...perActor,
    ...checkCredit(config),
    ...checkCpuNumbers(config),
    ...checkTracks(config),
    ...checkStop(config),
  ];
}
