import { Button } from '../../ui/Button.tsx';
import { useSession, useSetup } from '../session.ts';

/** Kernel, HZ and CPUs in short; opens their tunables. */
export function MachineButton() {
  const { dialog } = useSession();
  const { kernel, hz, cpus } = useSetup((setup) => setup.config);
  return (
    <Button className="ui-mono app-machine" aria-haspopup="dialog" onPress={() => dialog.show('machine')}>
      <span className="app-machine-text">
        {kernel} · HZ {hz} · {cpus} CPU{cpus === 1 ? '' : 's'}
      </span>
      <span aria-hidden="true" className="ui-select-arrow">
        ▾
      </span>
    </Button>
  );
}
