import type { RunState } from '../state/runStore.ts';
import type { RunSummary } from '../worker/protocol.ts';
import { linkTo, missingOf, noticeOf, type OpenedLink, openLink } from './link.ts';
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

/** Shows how the digest of the sender compares to that of this run. */
function compareDigest({ run }: Session, digest: string, expected: string): void {
  const isSame = digest === expected;
  run.notify({
    source: 'digest',
    tone: isSame ? 'good' : 'warning',
    text: isSame
      ? `Identical run: digest ${digest}.`
      : `The model has changed since this link was made: digest ${digest}, the link says ${expected}.`,
    details: [],
  });
}

/** Adds to the notice of a link what of its view the run does not have. */
function tellMissing({ run }: Session, { view, notice }: OpenedLink, summary: RunSummary): void {
  const missing = missingOf(view, summary);
  const both = noticeOf([...(notice?.details ?? []), ...missing]);
  if (missing.length > 0 && both !== undefined) run.notify(both);
}

/** Calls `then` once the run of the present configuration is known in full; never, if that changes before. */
function whenKnown({ run, setup }: Session, then: (digest: string, summary: RunSummary) => void): void {
  const { config } = setup.getState();
  const look = ({ digest, summary }: RunState<RunSummary>) => {
    if (setup.getState().config !== config) return true;
    if (digest === undefined || summary === undefined) return false;
    then(digest, summary);
    return true;
  };
  if (look(run.getState())) return;
  const stop = run.subscribe((state) => {
    if (state.digest === undefined && setup.getState().config === config) return;
    // Before `then`, which notifies and so comes by here again.
    stop();
    look(state);
  });
}

/**
 * Keeps address bar and session in step: the link is written when a change is finished (not while dragging), and read
 * when somebody else changes it. `opened`: the link that the page was opened with.
 */
export function syncUrl(session: Session, opened: OpenedLink): void {
  const { config, setup, view, run, rerun } = session;
  const follow = (link: OpenedLink) => {
    if (link.notice !== undefined) run.notify(link.notice);
    whenKnown(session, (digest, summary) => {
      if (link.digest !== undefined) compareDigest(session, digest, link.digest);
      tellMissing(session, link, summary);
    });
  };
  follow(opened);
  // What was said of the digest is true of that run only, what was said of the link of its scenario.
  setup.subscribe((state, before) => {
    if (state.config !== before.config) run.dismiss('digest');
    if (state.choice.scenario !== before.choice.scenario) run.dismiss('link');
  });
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
    config.choose(link.choice);
    view.forgetRun();
    view.setState({ ...link.view, playsOnArrival: link.isPlaying });
    // The same run may be shown elsewhere in it.
    rerun();
    follow(link);
    writeHash(session);
  });
}
