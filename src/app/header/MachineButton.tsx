import { PopoverButton } from '../../ui/PopoverButton.tsx';
import { useSetup } from '../session.ts';
import { MachineTunables } from '../tunables/MachineTunables.tsx';

/** Kernel, HZ and CPUs in short; opens their tunables. */
export function MachineButton() {
  const { kernel, hz, cpus } = useSetup((setup) => setup.config);
  return (
    <PopoverButton label="Machine" shown={`${kernel} · HZ ${hz} · ${cpus} CPU${cpus === 1 ? '' : 's'}`}>
      <MachineTunables />
    </PopoverButton>
  );
}
