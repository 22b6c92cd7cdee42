import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { Dialogs } from './dialogs/Dialogs.tsx';
import { ErrorBoundary } from './ErrorBoundary.tsx';
import { Header } from './header/Header.tsx';
import { Notices } from './layout/Notices.tsx';
import { type Session, SessionContext, useRun } from './session.ts';
import { listenForShortcuts } from './shortcuts.ts';
import './app.css';

// The header is there at once; what is below comes while the first run is simulated: neither waits for the other.
const loading = import('./layout/Body.tsx');

/**
 * What is below the header, once it is there. A state and not lazy(): what React retries for Suspense waits behind the
 * updates of every frame, and a run that opens playing would be over before its picture came.
 */
function Picture() {
  const [Body, setBody] = useState<ComponentType>();
  useEffect(() => {
    loading.then(
      (module) => setBody(() => module.Body),
      (error: unknown) =>
        setBody(() => {
          throw error;
        }),
    );
  }, []);
  return Body === undefined ? <main className="app-loading">Loading the picture…</main> : <Body />;
}

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
            <Picture />
          </ErrorBoundary>
          <Dialogs />
        </Frame>
      </ErrorBoundary>
    </SessionContext>
  );
}
