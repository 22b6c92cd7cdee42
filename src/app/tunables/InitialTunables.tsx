import { mostTicksAgo } from '../../config/initialGp.ts';
import type { RcuGp } from '../../engine/index.ts';
import { gpKthreadCpuOf } from '../../engine/machine/initial.ts';
import { useSetup } from '../session.ts';
import { integerCodec } from './numberCodec.ts';
import { NumberTunable } from './Tunable.tsx';
import { useTarget } from './target.ts';
import { WordTunable } from './WordTunable.tsx';

/** What Tree RCU may have under way, with what a number beside it counts. */
const UNDER_WAY = {
  idle: { label: 'idle', note: 'no grace period, nothing queued' },
  startedTicksAgo: {
    label: 'a grace period',
    note: 'ticks between its start and the last tick before the first updater',
  },
  callbacksQueued: {
    label: 'callbacks queued',
    note: "callbacks on the kthread's CPU, without a number yet",
  },
} as const;
const queuedCodec = integerCodec(1, 1_000_000);
type Kind = keyof typeof UNDER_WAY;
const KINDS = Object.keys(UNDER_WAY) as Kind[];
const KIND_OPTIONS = KINDS.map((id) => ({ id, label: UNDER_WAY[id].label, note: UNDER_WAY[id].note }));

/** The kind of what is under way, and its number. */
function partsOf(gp: RcuGp): { readonly kind: Kind; readonly count: number } {
  if (gp === 'idle') return { kind: 'idle', count: 0 };
  return 'startedTicksAgo' in gp
    ? { kind: 'startedTicksAgo', count: gp.startedTicksAgo }
    : { kind: 'callbacksQueued', count: gp.callbacksQueued };
}

function RcuGpTunables() {
  const gp = useSetup(({ config }) => config.initial.rcuGp ?? 'idle');
  // a grace period began in the run, at its start at the earliest
  const most = useSetup(({ config }) => mostTicksAgo(config));
  const target = useTarget(['initial', 'rcuGp']);
  const { kind, count } = partsOf(gp);
  const counted = kind === 'idle' ? undefined : UNDER_WAY[kind];
  return (
    <>
      <WordTunable
        name="rcuGp"
        target={target}
        value={kind}
        options={KIND_OPTIONS}
        meaning="what is under way when the run begins"
        onChange={(id) =>
          target.set(id === 'idle' ? id : { [id]: id === 'startedTicksAgo' ? Math.min(1, most) : 1 })
        }
      />
      {counted !== undefined && (
        <NumberTunable
          name={kind}
          target={{
            isChanged: target.isChanged,
            set: (value) => target.set(value === undefined ? undefined : { [kind]: value }),
            drag: (value) => target.drag({ [kind]: value }),
          }}
          value={count}
          codec={kind === 'startedTicksAgo' ? integerCodec(0, most) : queuedCodec}
          meaning={counted.note}
        />
      )}
    </>
  );
}

/** State of Tree RCU and of the jiffies duty at t = 0. */
export function InitialTunables() {
  const cpus = useSetup(({ config }) => config.cpus);
  const kthreadCpu = useSetup(({ config }) => gpKthreadCpuOf(config));
  const isDrawn = useSetup(
    ({ config }) => config.initial.gpKthreadCpu === undefined && config.machine.preset === 'typical',
  );
  const timekeeper = useSetup(({ config }) => config.initial.timekeeperCpu);
  const codec = integerCodec(0, cpus - 1);
  const scale = { kind: 'linear', min: 0, max: Math.max(1, cpus - 1) } as const;
  return (
    <>
      <NumberTunable
        name="gpKthreadCpu"
        target={useTarget(['initial', 'gpKthreadCpu'])}
        value={kthreadCpu}
        codec={codec}
        scale={scale}
        meaning={`CPU of the grace-period kthread${isDrawn ? ', drawn from the seed' : ''}`}
      />
      <NumberTunable
        name="timekeeperCpu"
        target={useTarget(['initial', 'timekeeperCpu'])}
        value={timekeeper}
        noValue="first that ticks"
        codec={codec}
        meaning="CPU that advances jiffies"
      />
      <RcuGpTunables />
    </>
  );
}
