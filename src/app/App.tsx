import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { Dialogs } from './dialogs/Dialogs.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Header } from './header/Header.tsx';
import { Notices } from './layout/Notices.tsx';
import { type Session, SessionContext, useRun } from './session.ts';
import { listenForShortcuts } from './shortcuts.ts';
import './app.css';

// The header is there at once; what is below comes while the first run is simulated: neither waits for the other.
const loading = import('./layout/Body.tsx');
const Body = lazy(async () => ({ default: (await loading).Body }));

/**
 * Says whether the picture is that of the configuration. The digest is there for whoever wants to compare runs. Apart
 * from what it frames: a run changes these two, and not all that is inside.
 */
function Frame({ children }: { readonly children: ReactNode }) {
  const status = useRun((run) => run.status);
  const digest = useRun((run) => run.digest);
  return (
    <div className="app" data-status={status} data-digest={digest}>
      {children}
    </div>
  );
}

/** The page of one session. */
export function App({ session }: { readonly session: Session }) {
  useEffect(() => listenForShortcuts(session), [session]);
  return (
    <SessionContext value={session}>
      <ErrorBoundary what="the page">
        <Frame>
          <ErrorBoundary what="the header">
            <Header />
          </ErrorBoundary>
          <Notices />
          <ErrorBoundary what="the picture">
            <Suspense fallback={<main className="app-loading">Loading the picture…</main>}>
              <Body />
            </Suspense>
          </ErrorBoundary>
          <Dialogs />
        </Frame>
      </ErrorBoundary>
    </SessionContext>
  );
}
