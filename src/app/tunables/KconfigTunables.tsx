import { whyOptionHasNoEffect } from '../../config/noEffect.ts';
import { useSetup } from '../session.ts';
import { useTarget } from './target.ts';
import { WordTunable } from './WordTunable.tsx';

/** Build options that decide runs, and what each does. NO_HZ_FULL goes without saying where nohz_full is given. */
const OPTIONS: Readonly<Record<string, string>> = {
  PREEMPT_RT: 'nothing is expedited after boot; callbacks run in rcuc kthreads',
  PREEMPT_DYNAMIC: 'preempt is a mode of a preemptible kernel, not another build',
  PREEMPT_COUNT: 'ticks and expedited interrupts find a quiescent state outside sections on any kernel',
  RCU_LAZY: 'call_rcu() on offloaded CPUs may wait up to 10 s (enable_rcu_lazy)',
  RCU_NOCB_CPU_DEFAULT_ALL: 'all CPUs are offloaded unless a list says which',
  PROVE_RCU: 'stall warnings come 5 s later',
  DEBUG_OBJECTS_RCU_HEAD: 'every object is tracked from its kfree_rcu() to its free',
  TASKS_TRACE_RCU_READ_MB: 'readers of RCU Tasks Trace have barriers: CPUs are interrupted only after HZ/2',
  RCU_EXP_KTHREAD: 'expedited grace periods have a real-time kthread of their own',
};
const WORDS = [
  { id: 'n', label: 'n' },
  { id: 'y', label: 'y' },
];

function OptionTunable({ name }: { readonly name: string }) {
  const isSet = useSetup(({ config }) => config.kconfig[name] === true);
  const isSetBefore = useSetup(({ base }) => base.kconfig[name] === true);
  const target = useTarget(['kconfig', name]);
  return (
    <WordTunable
      name={name}
      target={target}
      value={isSet ? 'y' : 'n'}
      options={WORDS}
      meaning={OPTIONS[name] ?? ''}
      onChange={(id) => target.set((id === 'y') === isSetBefore ? undefined : id === 'y')}
    />
  );
}

/** Build options that mean something to these actors. */
export function KconfigTunables() {
  const actors = useSetup(({ config }) => config.actors);
  const names = Object.keys(OPTIONS).filter((name) => whyOptionHasNoEffect(name, actors) === undefined);
  return names.map((name) => <OptionTunable key={name} name={name} />);
}
