import { createRoot } from 'react-dom/client';
import type { WorkerLike } from '../worker/engineClient.ts';
import { App } from './App.tsx';
import { createSession } from './createSession.ts';
import { openLink } from './link.ts';
import { followTheme, storedTheme } from './theme.ts';
import { syncUrl } from './urlSync.ts';
import '../ui/base.css';

/** Opens what the address says, simulates it in `worker`, and shows it. */
export function startPage(worker: WorkerLike): void {
  const link = openLink(location.hash);
  const session = createSession({ ...link, view: { theme: storedTheme(), ...link.view } }, worker);
  followTheme(session.view);
  syncUrl(session, link);
  const root = document.getElementById('root');
  if (root !== null) createRoot(root).render(<App session={session} />);
}
