import { useStore } from 'zustand';
import { useSession } from '../session.ts';
import { CommandLineDialog } from './CommandLineDialog.tsx';
import { HelpDialog } from './HelpDialog.tsx';
import { ShareDialog } from './ShareDialog.tsx';
import './dialogs.css';

/** The dialog that is open, if any. */
export function Dialogs() {
  const { dialog } = useSession();
  const open = useStore(dialog, (state) => state.open);
  if (open === 'help') return <HelpDialog />;
  if (open === 'share') return <ShareDialog />;
  return open === 'commandLine' ? <CommandLineDialog /> : null;
}
