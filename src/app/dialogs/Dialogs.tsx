import { lazy, Suspense } from 'react';
import { useStore } from 'zustand';
import { useSession } from '../session.ts';
import './dialogs.css';

// Loaded when they are opened for the first time: what the page needs at once is kept small.
const CommandLineDialog = lazy(async () => ({
  default: (await import('./CommandLineDialog.tsx')).CommandLineDialog,
}));
const FlavourDialog = lazy(async () => ({ default: (await import('./FlavourDialog.tsx')).FlavourDialog }));
const HelpDialog = lazy(async () => ({ default: (await import('./HelpDialog.tsx')).HelpDialog }));
const MachineDialog = lazy(async () => ({ default: (await import('./MachineDialog.tsx')).MachineDialog }));
const ShareDialog = lazy(async () => ({ default: (await import('./ShareDialog.tsx')).ShareDialog }));

/** The dialog that is open, if any. */
export function Dialogs() {
  const { dialog } = useSession();
  const open = useStore(dialog, (state) => state.open);
  return (
    <Suspense>
      {open === 'help' && <HelpDialog />}
      {open === 'flavours' && <FlavourDialog />}
      {open === 'machine' && <MachineDialog />}
      {open === 'share' && <ShareDialog />}
      {open === 'commandLine' && <CommandLineDialog />}
    </Suspense>
  );
}
