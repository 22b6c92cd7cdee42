import { createRoot } from 'react-dom/client';
import { App } from './App.tsx';
import { createSession } from './createSession.ts';
import { openLink } from './link.ts';
import { followTheme, storedTheme } from './theme.ts';
import { syncUrl } from './urlSync.ts';
import '../ui/base.css';

const link = openLink(location.hash);
const worker = new Worker(new URL('../worker/engine.worker.ts', import.meta.url), { type: 'module' });
const session = createSession({ ...link, view: { theme: storedTheme(), ...link.view } }, worker);
followTheme(session.view);
syncUrl(session, link);

const root = document.getElementById('root');
if (root !== null) createRoot(root).render(<App session={session} />);
