/** What the configuration language has and this engine does not simulate yet: refused with that reason. */
import { isTasksApi } from '../engine/config.ts';
import type { ConfigInput } from './configInput.ts';
import { createProblem, type Problem } from './problem.ts';

/** True where the engine runs RCU Tasks: then nothing is refused any more, and this file can go. */
export const TASKS_ARE_SIMULATED: boolean = false;

const NOT_YET = 'RCU Tasks is not simulated yet';

/** A problem for everything in a configuration that belongs to mechanisms that are not simulated yet. */
export function refuseLater({ actors = [], rules = {}, initial = {} }: ConfigInput): Problem[] {
  if (TASKS_ARE_SIMULATED) return [];
  const ofActors = actors.flatMap((actor, index) => {
    const path = `actors[${index}]`;
    if (actor.kind === 'holdout' || actor.kind === 'exiter')
      return [createProblem(`${path}.kind`, actor.kind, NOT_YET)];
    if (actor.kind === 'updater' && isTasksApi(actor.api))
      return [createProblem(`${path}.api`, actor.api, NOT_YET)];
    const domain = 'domain' in actor ? actor.domain : undefined;
    return domain?.startsWith('tasks') ? [createProblem(`${path}.domain`, domain, NOT_YET)] : [];
  });
  const ofRules = Object.entries(rules)
    .filter(([id]) => id.startsWith('tasks.'))
    .map(([id, value]) => createProblem(`rules.${id}`, value, NOT_YET));
  const { tasksUrgent } = initial;
  const urgent =
    tasksUrgent === undefined ? [] : [createProblem('initial.tasksUrgent', tasksUrgent, NOT_YET)];
  return [...ofActors, ...ofRules, ...urgent];
}
