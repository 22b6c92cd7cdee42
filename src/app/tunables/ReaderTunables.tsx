import { TypedNumber } from '../../ui/TypedNumber.tsx';
import { useView } from '../session.ts';
import { type ActorOf, useActorTarget } from './actorTarget.ts';
import { DistTunable } from './DistTunable.tsx';
import { integerCodec } from './numberCodec.ts';
import { TunableRow } from './Tunable.tsx';
import { WordTunable, words } from './WordTunable.tsx';

type ReaderProps = ActorOf<'reader'>;
const timesCodec = integerCodec(1, Number.MAX_SAFE_INTEGER);
const ENDLESS = 'endless';
/** Sections of a reader: a number, or for ever. */
function TimesTunable({ actor, index }: ReaderProps) {
  const target = useActorTarget(index, 'times');
  const isLocked = useView((view) => view.isLocked);
  return (
    <TunableRow
      name="times"
      target={target}
      isDisabled={isLocked}
      meaning="sections"
      control={
        <TypedNumber<number | null>
          label="times"
          shown={actor.times === undefined ? ENDLESS : String(actor.times)}
          parse={(text) => (text === ENDLESS ? { ok: true, value: null } : timesCodec.parse(text))}
          onCommit={target.set}
          isDisabled={isLocked}
        />
      }
    />
  );
}

/** What a reader reads; a named domain of SRCU stays in the list. */
function DomainTunable({ actor, index }: ReaderProps) {
  const target = useActorTarget(index, 'domain', ['holdMode', 'incDelay']);
  const ids = [...new Set(['srcu', 'rcu', 'tasks-trace', actor.domain])];
  return <WordTunable name="domain" target={target} value={actor.domain} options={words(...ids)} />;
}

/** Sections, and the time between them. */
export function ReaderTunables({ actor, index }: ReaderProps) {
  const isSrcu = actor.domain.startsWith('srcu');
  const holdMode = useActorTarget(index, 'holdMode');
  const incDelay = useActorTarget(index, 'incDelay');
  return (
    <>
      <DomainTunable actor={actor} index={index} />
      <DistTunable
        name="hold"
        target={useActorTarget(index, 'hold')}
        value={actor.hold}
        meaning="inside a section"
      />
      <DistTunable
        name="idle"
        target={useActorTarget(index, 'idle')}
        value={actor.idle}
        meaning="between two sections"
      />
      {actor.domain !== 'rcu' && (
        <WordTunable
          name="holdMode"
          target={holdMode}
          value={actor.holdMode}
          options={words('spin', 'sleep')}
        />
      )}
      <WordTunable
        name="idleMode"
        target={useActorTarget(index, 'idleMode')}
        value={actor.idleMode}
        options={words('spin', 'sleep')}
      />
      <TimesTunable actor={actor} index={index} />
      {isSrcu && (
        <DistTunable
          name="incDelay"
          target={incDelay}
          value={actor.incDelay}
          meaning="between fetching the index and counting"
        />
      )}
    </>
  );
}
