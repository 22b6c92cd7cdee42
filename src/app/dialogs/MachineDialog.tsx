import { Dialog } from '../../ui/Dialog.tsx';
import { useSession } from '../session.ts';
import { MachineTunables } from '../tunables/MachineTunables.tsx';

/** The tunables of the machine, wherever one is on the page. */
export function MachineDialog() {
  const { dialog } = useSession();
  return (
    <Dialog title="Machine" isOpen onClose={dialog.close}>
      <MachineTunables />
    </Dialog>
  );
}
