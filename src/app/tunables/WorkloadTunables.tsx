import { memo } from 'react';
import { completeActor } from '../../config/completeConfig.ts';
import { Button, IconButton } from '../../ui/Button.tsx';
import { Icon } from '../../ui/Icon.tsx';
import { useSession, useSetup, useView } from '../session.ts';
import { type ActorOf, type ActorProps, useActorTarget } from './actorTarget.ts';
import { DistTunable } from './DistTunable.tsx';
import { KfreeTunables } from './KfreeTunables.tsx';
import { useAreOfSrcu } from './mechanisms.ts';
import { durationCodec, integerCodec } from './numberCodec.ts';
import { ReaderTunables } from './ReaderTunables.tsx';
import { ExiterTunables, HoldoutTunables } from './TasksTunables.tsx';
import { NumberTunable } from './Tunable.tsx';
import { UpdaterTunables } from './UpdaterTunables.tsx';
import { useIsFitted } from './useIsFitted.ts';
import { WordTunable, words } from './WordTunable.tsx';

const countCodec = integerCodec(1, 65_535);

/** Where and how many: what every actor has. */
function PlaceTunables({ actor, index }: ActorProps) {
  const cpus = useSetup((setup) => setup.config.cpus);
  const first = actor.cpu % cpus;
  const where = actor.count === 1 ? `on CPU ${first}` : `on CPU ${first} and the ones after it, round again`;
  return (
    <>
      <NumberTunable
        name="count"
        target={useActorTarget(index, 'count')}
        value={actor.count}
        codec={countCodec}
        scale={{ kind: 'log', min: 1, max: 1024 }}
        meaning={where}
      />
      <NumberTunable
        name="cpu"
        target={useActorTarget(index, 'cpu')}
        value={actor.cpu}
        codec={integerCodec(0, 4095)}
        scale={{ kind: 'linear', min: 0, max: Math.max(1, cpus - 1) }}
      />
    </>
  );
}

function StartTunable({ actor, index }: ActorProps) {
  const target = useActorTarget(index, 'start');
  const { start } = actor;
  const isTicks = typeof start !== 'number';
  const isFitted = useIsFitted();
  return (
    <NumberTunable
      name={isTicks ? 'start, after its tick' : 'start'}
      target={
        isTicks
          ? {
              isChanged: target.isChanged,
              set: (plus) => target.set(plus === undefined ? undefined : { ...start, plus }),
              drag: (plus) => target.drag({ ...start, plus }),
            }
          : target
      }
      value={isTicks ? start.plus : start}
      codec={durationCodec('ms')}
      scale={{ kind: 'log', min: 0, max: 100_000_000_000 }}
      meaning={
        isTicks
          ? `after tick ${start.ticks}`
          : `when it first acts${isFitted ? ' · fitted to reported runs' : ''}`
      }
    />
  );
}

/** Later numbers of one actor, where there are some. */
function StaggerTunable({ actor, index }: ActorProps) {
  const target = useActorTarget(index, 'stagger');
  if (actor.count === 1 && actor.stagger === 0) return null;
  return (
    <NumberTunable
      name="stagger"
      target={target}
      value={actor.stagger}
      codec={durationCodec('us')}
      scale={{ kind: 'log', min: 0, max: 1_000_000_000 }}
      meaning="number i starts i times that later"
    />
  );
}

function LoadTunables({ actor, index }: ActorOf<'load'>) {
  const spin = useActorTarget(index, 'spin');
  return (
    <>
      <WordTunable
        name="mode"
        target={useActorTarget(index, 'mode')}
        value={actor.mode}
        options={words('kernel', 'user')}
      />
      {actor.spin !== undefined && (
        <DistTunable name="spin" target={spin} value={actor.spin} meaning="busy" />
      )}
      <DistTunable
        name="idle"
        target={useActorTarget(index, 'idle')}
        value={actor.idle}
        meaning="asleep between"
      />
    </>
  );
}

/** Drawn again when this actor has changed; the others stay. */
const ActorTunables = memo(function ActorTunables({ actor, index }: ActorProps) {
  const { config, setup } = useSession();
  const isLocked = useView((view) => view.isLocked);
  const canRemove = useSetup((state) => state.config.actors.length > 1);
  const remove = () =>
    config.setValue(
      ['actors'],
      setup.getState().config.actors.filter((_, i) => i !== index),
    );
  const domain = 'domain' in actor ? ` on ${actor.domain}` : '';
  return (
    <section className="tunable-actor" aria-label={`Actor ${index}: ${actor.kind}`}>
      <div className="tunable-actor-head">
        <h3>
          {actor.kind}
          {actor.count > 1 ? ` × ${actor.count}` : ''}
          <span className="tunable-actor-domain">{domain}</span>
        </h3>
        {canRemove && (
          <IconButton
            label={`Remove actor ${index}: ${actor.kind}`}
            icon={<Icon name="close" />}
            look="plain"
            className="tunable-reset"
            isDisabled={isLocked}
            onPress={remove}
          />
        )}
      </div>
      {actor.kind === 'reader' && <ReaderTunables actor={actor} index={index} />}
      {actor.kind === 'updater' && <UpdaterTunables actor={actor} index={index} />}
      {actor.kind === 'load' && <LoadTunables actor={actor} index={index} />}
      {actor.kind === 'kfree' && <KfreeTunables actor={actor} index={index} />}
      {actor.kind === 'holdout' && <HoldoutTunables actor={actor} index={index} />}
      {actor.kind === 'exiter' && <ExiterTunables actor={actor} index={index} />}
      <PlaceTunables actor={actor} index={index} />
      <StartTunable actor={actor} index={index} />
      <StaggerTunable actor={actor} index={index} />
    </section>
  );
});

/** What a new actor of each kind is. */
const NEW_ACTORS = {
  reader: { kind: 'reader', cpu: 1, hold: { uniform: [0, 1_500_000] }, idle: 200_000 },
  updater: { kind: 'updater', api: 'synchronize_srcu_expedited', calls: 100, gap: 1_000_000 },
  load: { kind: 'load', mode: 'user', cpu: 1, spin: 1_000_000, idle: 1_000_000 },
  kfree: { kind: 'kfree', loops: 10, allocs: 2000, sizes: [256], nice: 0, sampleNs: 1_000_000 },
  holdout: { kind: 'holdout', cpu: 1, spin: 300_000_000, sleep: 1_000_000 },
  exiter: { kind: 'exiter', cpu: 1, gap: { exp: 10_000_000 } },
} as const;
/** The same where the others use Tree RCU. */
const NEW_RCU_ACTORS = {
  ...NEW_ACTORS,
  reader: { ...NEW_ACTORS.reader, domain: 'rcu' },
  updater: { kind: 'updater', api: 'synchronize_rcu', calls: 20, gap: 1_000_000 },
} as const;
const NEW_KINDS = ['reader', 'updater', 'load', 'kfree', 'holdout', 'exiter'] as const;

/** Puts one more actor at the end of the list. */
const AddActor = memo(function AddActor() {
  const { config, setup } = useSession();
  const isLocked = useView((view) => view.isLocked);
  const isOfSrcu = useAreOfSrcu();
  const add = (kind: keyof typeof NEW_ACTORS) => {
    const actor = (isOfSrcu ? NEW_ACTORS : NEW_RCU_ACTORS)[kind];
    config.setValue(['actors'], [...setup.getState().config.actors, completeActor(actor)]);
  };
  return (
    <div className="tunable-add" role="group" aria-label="Add an actor">
      {NEW_KINDS.map((kind) => (
        <Button key={kind} isDisabled={isLocked} onPress={() => add(kind)}>
          <Icon name="plus" />
          {kind}
        </Button>
      ))}
    </div>
  );
});

/** Who reads, who updates, who is in the way: every actor with its keys. */
export function WorkloadTunables() {
  const actors = useSetup((state) => state.config.actors);
  return (
    <>
      {actors.map((actor, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: an actor is its place in the list; links address it so
        <ActorTunables key={index} actor={actor} index={index} />
      ))}
      <AddActor />
    </>
  );
}
