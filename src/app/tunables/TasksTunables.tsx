import { useSetup } from '../session.ts';
import { type ActorOf, useActorTarget } from './actorTarget.ts';
import { DistTunable } from './DistTunable.tsx';
import { integerCodec } from './numberCodec.ts';
import { ParamTunables } from './ParamTunables.tsx';
import { TASKS_PARAM_NAMES } from './paramGroups.ts';
import { NumberTunable } from './Tunable.tsx';
import { useTarget } from './target.ts';

const urgentCodec = integerCodec(0, 3);

/** Somebody who keeps RCU Tasks waiting. */
export function HoldoutTunables({ actor, index }: ActorOf<'holdout'>) {
  return (
    <>
      <DistTunable
        name="spin"
        target={useActorTarget(index, 'spin')}
        value={actor.spin}
        meaning="in the kernel, without a voluntary switch"
      />
      <DistTunable
        name="sleep"
        target={useActorTarget(index, 'sleep')}
        value={actor.sleep}
        meaning="then asleep, which ends the wait for it"
      />
    </>
  );
}

/** Tasks that end one after the other. */
export function ExiterTunables({ actor, index }: ActorOf<'exiter'>) {
  return (
    <>
      <DistTunable
        name="gap"
        target={useActorTarget(index, 'gap')}
        value={actor.gap}
        meaning="before every task that ends"
      />
      <DistTunable
        name="exit"
        target={useActorTarget(index, 'exit')}
        value={actor.exit}
        meaning="exit_tasks_rcu_start() to exit_tasks_rcu_finish()"
      />
      <DistTunable
        name="tail"
        target={useActorTarget(index, 'tail')}
        value={actor.tail}
        meaning="not preemptible, to the last schedule"
      />
    </>
  );
}

/** What decides a run of RCU Tasks. */
export function TasksTunables() {
  const urgent = useSetup(({ config }) => config.initial.tasksUrgent);
  return (
    <>
      <ParamTunables names={TASKS_PARAM_NAMES} />
      <NumberTunable
        name="tasksUrgent"
        target={useTarget(['initial', 'tasksUrgent'])}
        value={urgent ?? 0}
        codec={urgentCodec}
        scale={{ kind: 'linear', min: 0, max: 3 }}
        meaning="looks without laziness left over at t = 0"
      />
    </>
  );
}
