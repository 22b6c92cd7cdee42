import { ACTOR_FIELDS } from '../../config/actorFields.ts';
import type { Field } from '../../config/fields.ts';
import { whyNoOneArgument } from '../../config/kernelApis.ts';
import { sizesForm } from '../../config/link/linkText.ts';
import { resolveRules } from '../../engine/profiles/profiles.ts';
import { useSetup } from '../session.ts';
import { type ActorOf, useActorTarget } from './actorTarget.ts';
import { fieldCodec } from './fieldCodec.ts';
import { durationCodec, integerCodec } from './numberCodec.ts';
import { NumberTunable } from './Tunable.tsx';
import { TypedTunable } from './TypedTunable.tsx';
import { WordTunable } from './WordTunable.tsx';

type KfreeProps = ActorOf<'kfree'>;
const countCodec = integerCodec(1, Number.MAX_SAFE_INTEGER);
const niceCodec = integerCodec(-20, 19);
const sizesCodec = fieldCodec<readonly number[]>(
  ACTOR_FIELDS.kfree.fields.sizes as Field<unknown>,
  sizesForm,
);
const RESCHED_OPTIONS = [
  { id: 'true', label: 'true', note: 'cond_resched() after each loop, as rcuscale' },
  { id: 'false', label: 'false', note: 'never' },
];

/** The form of kfree_rcu(); the one-argument form where the kernel has it. */
function FormTunable({ actor, index }: KfreeProps) {
  const kernel = useSetup((setup) => setup.config.kernel);
  const given = useSetup((setup) => setup.config.rules);
  const target = useActorTarget(index, 'form');
  const why = whyNoOneArgument({ kernel, rules: resolveRules(kernel, given) });
  const optionOf = (id: string, note: string) =>
    why === undefined ? { id, label: id, note } : { id, label: id, isDisabled: true, note: why };
  const options = [
    { id: 'double', label: 'double', note: 'kfree_rcu(ptr, rhf): never waits' },
    optionOf('single', 'kvfree_rcu_mightsleep(ptr): waits where no block can be had'),
    optionOf('mixed', 'either, by chance'),
  ];
  return <WordTunable name="form" target={target} value={actor.form} options={options} />;
}

/** How many objects, of which sizes, and how they are freed. */
export function KfreeTunables({ actor, index }: KfreeProps) {
  const resched = useActorTarget(index, 'resched');
  const objects = actor.loops * actor.allocs * actor.count;
  return (
    <>
      <NumberTunable
        name="loops"
        target={useActorTarget(index, 'loops')}
        value={actor.loops}
        codec={countCodec}
        scale={{ kind: 'log', min: 1, max: 10_000 }}
        meaning={`per thread · ${objects.toLocaleString('en-US')} objects in all`}
      />
      <NumberTunable
        name="allocs"
        target={useActorTarget(index, 'allocs')}
        value={actor.allocs}
        codec={countCodec}
        scale={{ kind: 'log', min: 1, max: 100_000 }}
        meaning="objects per loop"
      />
      <TypedTunable
        name="sizes"
        target={useActorTarget(index, 'sizes')}
        value={actor.sizes}
        codec={sizesCodec}
        meaning="bytes, taken in turn: 32/64/96/128"
      />
      <FormTunable actor={actor} index={index} />
      <WordTunable
        name="resched"
        target={resched}
        value={String(actor.resched)}
        options={RESCHED_OPTIONS}
        onChange={(id) => resched.set(id === 'true')}
      />
      <NumberTunable
        name="nice"
        target={useActorTarget(index, 'nice')}
        value={actor.nice}
        codec={niceCodec}
        scale={{ kind: 'linear', min: -20, max: 19 }}
        meaning="19: as rcuscale, kworkers come first · 0: they share"
      />
      <NumberTunable
        name="sampleNs"
        target={useActorTarget(index, 'sampleNs')}
        value={actor.sampleNs}
        codec={durationCodec('us')}
        scale={{ kind: 'log', min: 0, max: 1_000_000_000 }}
        meaning={
          actor.sampleNs === 0 ? '0: nobody samples' : 'a thread on the last CPU reads free memory so often'
        }
      />
    </>
  );
}
