import { Button } from '../../ui/Button.tsx';
import { useSession, useSetup } from '../session.ts';

/** Kernel, HZ and CPUs in short; opens their tunables. */
export function MachineButton() {
  const { dialog } = useSession();
  const text = useSetup(
    ({ config: { kernel, hz, cpus } }) => `${kernel} · HZ ${hz} · ${cpus} CPU${cpus === 1 ? '' : 's'}`,
  );
  return (
    <Button className="ui-mono app-machine" aria-haspopup="dialog" onPress={() => dialog.show('machine')}>
      <span className="app-machine-text">{text}</span>
      <span aria-hidden="true" className="ui-select-arrow">
        ▾
      </span>
    </Button>
  );
}
