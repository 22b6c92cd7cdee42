/** What a scenario says of CPUs, on a machine that has fewer of them than the scenario's. */
import { DEFAULTS } from './completeConfig.ts';
import type { ConfigInput, InitialInput } from './configInput.ts';
import { checkBootParam } from './paramSet.ts';
import { createProblem, type Problem } from './problem.ts';

/** Entries of `initial` that are a CPU. */
const CPU_ENTRIES = ['gpKthreadCpu', 'migratorCpu', 'timekeeperCpu'] as const;

/** CPU lists of the scenario as the kernel cuts them; one of which nothing is left is left out. */
function cutLists(base: ConfigInput, over: ConfigInput, cpus: number, notices: Problem[]) {
  return Object.entries(base.params ?? {}).flatMap(([name, value]): [string, number | string][] => {
    const path = `params.${name}`;
    const fault = over.params?.[name] === undefined ? checkBootParam(path, name, value, cpus) : undefined;
    if (fault === undefined) return [[name, value]];
    const { effective, allowed } = fault;
    notices.push(effective === undefined ? createProblem(path, value, `left out: ${allowed}`) : fault);
    return effective === undefined ? [] : [[name, effective]];
  });
}

/** CPUs of the scenario's start state, wrapped as those of actors are. */
function wrapInitial(base: ConfigInput, over: ConfigInput, cpus: number, notices: Problem[]): InitialInput {
  const initial: Record<string, unknown> = { ...base.initial };
  for (const name of CPU_ENTRIES) {
    const cpu = base.initial?.[name];
    if (cpu === undefined || cpu < cpus || over.initial?.[name] !== undefined) continue;
    initial[name] = cpu % cpus;
    const what = `CPUs from 0 to ${cpus - 1} (cpus is ${cpus}); here it is ${cpu} mod ${cpus} = ${cpu % cpus}`;
    notices.push(createProblem(`initial.${name}`, cpu, what));
  }
  return initial;
}

/**
 * The scenario's configuration `base` with CPUs that there are, where `over`, what is laid over it, has fewer `cpus`: its
 * CPU lists are cut, the CPUs of its start state and of actors wrap, and a notice says each. What `over` says itself stays
 * as it is.
 */
export function withFewerCpus(
  base: ConfigInput,
  over: ConfigInput,
): { readonly base: ConfigInput; readonly notices: readonly Problem[] } {
  const { cpus, actors = base.actors ?? [] } = over;
  const before = base.cpus ?? DEFAULTS.cpus;
  if (cpus === undefined || cpus >= before) return { base, notices: [] };
  const notices: Problem[] = [];
  const params = Object.fromEntries(cutLists(base, over, cpus, notices));
  const initial = wrapInitial(base, over, cpus, notices);
  if (actors.some(({ cpu = 0, count = 1 }) => cpu + count > cpus)) {
    const what = `fewer than the ${before} of the scenario: what actors have on CPU n is on CPU n mod ${cpus}`;
    notices.push(createProblem('cpus', cpus, what));
  }
  return { base: { ...base, params, initial }, notices };
}
