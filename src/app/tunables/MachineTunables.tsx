import { describeParam } from '../../config/describeParam.ts';
import { MAX_CPUS } from '../../config/machineFields.ts';
import { PROFILES, standInNote } from '../../engine/profiles/profiles.ts';
import { formatDuration } from '../../panels/format.ts';
import { Button } from '../../ui/Button.tsx';
import { changeKernel } from '../changeKernel.ts';
import { useSession, useSetup, useView } from '../session.ts';
import { useMechanisms } from './mechanisms.ts';
import { integerCodec } from './numberCodec.ts';
import { NumberTunable } from './Tunable.tsx';
import { useTarget } from './target.ts';
import { WordTunable } from './WordTunable.tsx';

const HZ_OFFERED = [100, 250, 300, 1000];
const hzCodec = integerCodec(24, 1200);
const cpusCodec = integerCodec(1, MAX_CPUS);
const seedCodec = integerCodec(0, Number.MAX_SAFE_INTEGER);

const PREEMPT_OPTIONS = [
  { id: 'full', label: 'full', note: 'CONFIG_PREEMPT' },
  { id: 'voluntary', label: 'voluntary', note: 'CONFIG_PREEMPT_VOLUNTARY, runs as none' },
  { id: 'none', label: 'none', note: 'CONFIG_PREEMPT_NONE' },
];

const KERNEL_OPTIONS = PROFILES.map((profile) => {
  const standIn = standInNote(profile);
  return {
    id: profile.id,
    label: profile.id,
    note: standIn === undefined ? profile.title : `${profile.title}; ${standIn}`,
  };
});

function HzTunable() {
  const { config } = useSession();
  const hz = useSetup((setup) => setup.config.hz);
  const base = useSetup((setup) => setup.base.hz);
  const isLocked = useView((view) => view.isLocked);
  return (
    <NumberTunable
      name="HZ"
      target={useTarget(['hz'])}
      value={hz}
      codec={hzCodec}
      scale={{ kind: 'linear', min: 24, max: 1200 }}
      defaultValue={base}
      meaning={
        <span className="tunable-quick">
          one jiffy = {formatDuration(1e9 / hz)}
          <span role="group" aria-label="Usual values of HZ">
            {HZ_OFFERED.map((value) => (
              <Button
                key={value}
                look="plain"
                className="tunable-chip"
                aria-label={`HZ ${value}`}
                isDisabled={isLocked}
                onPress={() => config.setValue(['hz'], value)}
              >
                {value}
              </Button>
            ))}
          </span>
        </span>
      }
    />
  );
}

function CpusTunable() {
  const cpus = useSetup((setup) => setup.config.cpus);
  const base = useSetup((setup) => setup.base.cpus);
  const of = useMechanisms();
  const isBig = useSetup(({ config }) => cpus >= Number(config.params['srcutree.big_cpu_lim'] ?? Infinity));
  const leaves = useSetup(({ config }) => describeParam('rcutree.rcu_fanout_leaf', config)?.meaning);
  const sizes = isBig ? 'domains get their combining tree at boot (big_cpu_lim)' : 'domains begin small';
  return (
    <NumberTunable
      name="nr_cpus"
      target={useTarget(['cpus'])}
      value={cpus}
      codec={cpusCodec}
      scale={{ kind: 'log', min: 1, max: MAX_CPUS }}
      defaultValue={base}
      help="possible CPUs (nr_cpu_ids); NR_CPUS, for which a kernel is built, plays no part"
      meaning={[...(of.rcu ? [leaves] : []), ...(of.srcu ? [sizes] : [])].join(' · ')}
    />
  );
}

/** The machine as far as the kernel is built for it: kernel, HZ, CPUs, preemption, seed. */
export function MachineTunables() {
  const session = useSession();
  const { config } = session;
  const kernel = useSetup((setup) => setup.config.kernel);
  const preempt = useSetup((setup) => setup.config.preempt);
  const seed = useSetup((setup) => setup.config.seed);
  return (
    <>
      <WordTunable
        name="kernel"
        target={useTarget(['kernel'])}
        value={kernel}
        options={KERNEL_OPTIONS}
        meaning={KERNEL_OPTIONS.find(({ id }) => id === kernel)?.note ?? ''}
        onChange={(id) => changeKernel(session, id)}
      />
      <HzTunable />
      <CpusTunable />
      <WordTunable
        name="preempt"
        target={useTarget(['preempt'])}
        value={preempt}
        options={PREEMPT_OPTIONS}
        meaning={
          preempt === 'full'
            ? 'a woken worker may take the CPU at once'
            : 'a woken worker waits until the CPU is given up'
        }
        onChange={(id) => config.setValue(['preempt'], id)}
      />
      <NumberTunable
        name="seed"
        target={useTarget(['seed'])}
        value={seed}
        codec={seedCodec}
        meaning="of every random draw; the same seed gives the same run"
      />
    </>
  );
}
