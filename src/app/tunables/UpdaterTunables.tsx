import { API_HELP } from '../../config/apiHelp.ts';
import { whyNoApi, whyNoFullCookies } from '../../config/kernelApis.ts';
import {
  domainOfApi,
  KVFREE_APIS,
  RCU_APIS,
  SRCU_APIS,
  TASKS_APIS,
  type UpdaterApi,
} from '../../engine/index.ts';
import { resolveRules } from '../../engine/profiles/profiles.ts';
import { useSetup } from '../session.ts';
import { type ActorOf, useActorTarget } from './actorTarget.ts';
import { DistTunable } from './DistTunable.tsx';
import { integerCodec } from './numberCodec.ts';
import { NumberTunable } from './Tunable.tsx';
import { useIsFitted } from './useIsFitted.ts';
import { WordTunable, words } from './WordTunable.tsx';

type UpdaterProps = ActorOf<'updater'>;
const callsCodec = integerCodec(1, 100_000_000);
const batchCodec = integerCodec(1, 1_000_000);
/** Calls that take a cookie of either form. */
const POLLED_APIS: readonly UpdaterApi[] = [
  'cond_synchronize_rcu',
  'get_state_synchronize_rcu',
  'start_poll_synchronize_rcu',
  'start_poll_synchronize_rcu_expedited',
];

function CallbackTunables({ actor, index }: UpdaterProps) {
  return (
    <>
      <NumberTunable
        name="batch"
        target={useActorTarget(index, 'batch')}
        value={actor.batch}
        codec={batchCodec}
        scale={{ kind: 'log', min: 1, max: 10_000 }}
        meaning="callbacks per call"
      />
      <WordTunable
        name="wait"
        target={useActorTarget(index, 'wait')}
        value={actor.wait}
        options={words('barrier', 'none')}
        meaning="what follows a batch"
      />
    </>
  );
}

/** The call; one of the other mechanism takes the domain with it. */
function ApiTunable({ actor, index }: UpdaterProps) {
  const kernel = useSetup((setup) => setup.config.kernel);
  const given = useSetup((setup) => setup.config.rules);
  const rules = resolveRules(kernel, given);
  const kept = useActorTarget(index, 'api', ['batch', 'wait', 'cookie']);
  const moved = useActorTarget(index, 'api', ['batch', 'wait', 'cookie', 'domain']);
  const optionOf = (api: UpdaterApi) => {
    const why = whyNoApi(api, { kernel, rules });
    const isMissing = why === undefined ? {} : { isDisabled: true };
    return { id: api, label: api, note: why ?? API_HELP[api], ...isMissing };
  };
  return (
    <WordTunable
      name="api"
      target={kept}
      value={actor.api}
      options={[]}
      groups={[
        { title: 'SRCU', options: SRCU_APIS.map(optionOf) },
        { title: 'Tree RCU', options: RCU_APIS.map(optionOf) },
        { title: 'kvfree_rcu()', options: KVFREE_APIS.map(optionOf) },
        { title: 'RCU Tasks', options: TASKS_APIS.map(optionOf) },
      ]}
      onChange={(api) => {
        const isSame = domainOfApi(api as UpdaterApi) === domainOfApi(actor.api);
        (isSame ? kept : moved).set(api);
      }}
    />
  );
}

/** The form of the cookie of a polled call of Tree RCU. */
function CookieTunable({ actor, index }: UpdaterProps) {
  const kernel = useSetup((setup) => setup.config.kernel);
  const given = useSetup((setup) => setup.config.rules);
  const target = useActorTarget(index, 'cookie');
  if (!POLLED_APIS.includes(actor.api)) return null;
  const why = whyNoFullCookies({ kernel, rules: resolveRules(kernel, given) });
  const full =
    why === undefined
      ? { id: 'full', label: 'full', note: 'normal and expedited grace periods apart: misses none' }
      : { id: 'full', label: 'full', isDisabled: true, note: why };
  const compressed = { id: 'compressed', label: 'compressed', note: 'one word; may miss a grace period' };
  return (
    <WordTunable
      name="cookie"
      target={target}
      value={actor.cookie ?? 'compressed'}
      options={[compressed, full]}
    />
  );
}

/** Which calls, how many, and when. */
export function UpdaterTunables({ actor, index }: UpdaterProps) {
  const fitted = useIsFitted() ? 'fitted to reported runs' : '';
  return (
    <>
      <ApiTunable actor={actor} index={index} />
      <CookieTunable actor={actor} index={index} />
      <NumberTunable
        name="calls"
        target={useActorTarget(index, 'calls')}
        value={actor.calls}
        codec={callsCodec}
        scale={{ kind: 'log', min: 1, max: 20_000 }}
        meaning={fitted}
      />
      <DistTunable
        name="gap"
        target={useActorTarget(index, 'gap')}
        value={actor.gap}
        meaning={`before every call${fitted === '' ? '' : ` · ${fitted}`}`}
      />
      <WordTunable
        name="gapMode"
        target={useActorTarget(index, 'gapMode')}
        value={actor.gapMode}
        options={words('sleep', 'spin')}
      />
      <WordTunable
        name="gapFrom"
        target={useActorTarget(index, 'gapFrom')}
        value={actor.gapFrom}
        options={words('return', 'call')}
        meaning={
          actor.gapFrom === 'call'
            ? 'a call is made even while the last one still waits'
            : 'counted from the return of the last call'
        }
      />
      {actor.api.startsWith('call_') && <CallbackTunables actor={actor} index={index} />}
    </>
  );
}
