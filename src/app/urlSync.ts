import { linkTo, openLink } from './link.ts';
import type { Session } from './session.ts';

/** Writes the choice into the address bar: what decides the run, and the lock. Never a step of the history. */
function writeHash({ config, setup, view, run }: Session): void {
  const { scenario, overrides } = config.getState();
  if (setup.getState().problems.length > 0) return;
  const { isLocked } = view.getState();
  const link = linkTo({ scenario, overrides }, isLocked ? { lock: true } : {});
  if (link.ok) history.replaceState(history.state, '', `#${link.hash}`);
  else {
    run.notify({
      source: 'link',
      tone: 'warning',
      text: 'The address bar does not hold this run.',
      details: [link.problem.message],
    });
  }
}

/** Shows how the digest of the sender compares to that of this run, once that is known. */
function checkDigest({ run }: Session, expected: string): void {
  const compare = (digest: string) => {
    const isSame = digest === expected;
    run.notify({
      source: 'digest',
      tone: isSame ? 'good' : 'warning',
      text: isSame
        ? `Identical run: digest ${digest}.`
        : `The model has changed since this link was made: digest ${digest}, the link says ${expected}.`,
      details: [],
    });
  };
  const { digest } = run.getState();
  if (digest !== undefined) {
    compare(digest);
    return;
  }
  const stop = run.subscribe((state) => {
    if (state.digest === undefined) return;
    stop();
    compare(state.digest);
  });
}

/**
 * Keeps address bar and session in step: the link is written when a change is finished (not while dragging), and read
 * when somebody else changes it. `expectedDigest`: of the link the page was opened with.
 */
export function syncUrl(session: Session, expectedDigest: string | undefined): void {
  const { config, view, run, rerun } = session;
  if (expectedDigest !== undefined) checkDigest(session, expectedDigest);
  writeHash(session);
  config.subscribe((state, before) => {
    const isChanged = state.overrides !== before.overrides || state.scenario !== before.scenario;
    if (state.beforeDrag === undefined && (isChanged || before.beforeDrag !== undefined)) writeHash(session);
  });
  view.subscribe((state, before) => {
    if (state.isLocked !== before.isLocked) writeHash(session);
  });
  window.addEventListener('hashchange', () => {
    const link = openLink(location.hash);
    run.dismiss('link');
    run.dismiss('digest');
    if (link.notice !== undefined) run.notify(link.notice);
    config.choose(link.choice);
    view.forgetRun();
    view.setState({ ...link.view, playsOnArrival: link.isPlaying });
    // The same run may be shown elsewhere in it.
    rerun();
    if (link.digest !== undefined) checkDigest(session, link.digest);
    writeHash(session);
  });
}
