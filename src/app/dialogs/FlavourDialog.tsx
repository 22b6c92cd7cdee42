import { useStore } from 'zustand';
import { FlavourView } from '../../panels/tasks-flavour/FlavourView.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { useSession, useSetup } from '../session.ts';

/** Which flavour am I waiting for? Opens with a call of this run. */
export function FlavourDialog() {
  const { dialog, panelData } = useSession();
  const config = useSetup((setup) => setup.config);
  const run = useStore(panelData, (data) => data.run);
  const updater = config.actors.find((actor) => actor.kind === 'updater');
  return (
    <Dialog title="Which flavour am I waiting for?" isOpen onClose={dialog.close}>
      <FlavourView api={updater?.api ?? 'synchronize_rcu'} setting={config} series={run?.series ?? []} />
    </Dialog>
  );
}
