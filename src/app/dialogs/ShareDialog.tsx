import { useState } from 'react';
import type { LinkView } from '../../config/link/linkView.ts';
import { isSameValue } from '../../state/isSameValue.ts';
import type { ViewState } from '../../state/viewStore.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { Switch } from '../../ui/Switch.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { hiddenAtFirst } from '../layout/hiddenAtFirst.ts';
import { linkTo } from '../link.ts';
import { useConfig, useRun, useSession, useSetup, useView } from '../session.ts';

/** What of the view a link can carry; whole nanoseconds. `atFirst`: panels that are hidden without being named. */
function viewForLink(view: ViewState, atFirst: readonly string[]): LinkView {
  const { window, cursor, selection, fullPanel, hiddenPanels } = view;
  const { timeNs, row, poll } = cursor;
  const isOwnPoll = poll !== undefined && poll.row === row;
  return {
    ...(window === undefined
      ? {}
      : {
          t: {
            fromNs: Math.max(0, Math.floor(window.fromNs)),
            toNs: Math.max(1, Math.ceil(window.toNs)),
          },
        }),
    cur: {
      timeNs: Math.floor(timeNs),
      ...(row < 0 ? {} : { row }),
      ...(isOwnPoll && row >= 0 ? { poll: { pass: poll.pass, check: poll.check } } : {}),
    },
    ...(selection === undefined ? {} : { sel: selection }),
    ...(fullPanel === undefined && isSameValue(hiddenPanels, atFirst)
      ? {}
      : { panel: { hidden: hiddenPanels, ...(fullPanel === undefined ? {} : { full: fullPanel }) } }),
  };
}

/** Builds a link to what is on the screen. */
export function ShareDialog() {
  const { dialog } = useSession();
  const scenario = useConfig((state) => state.scenario);
  const overrides = useConfig((state) => state.overrides);
  const actors = useSetup(({ config }) => config.actors);
  const view = useView((state) => state);
  const digest = useRun((run) => run.digest);
  const [isLocked, setLocked] = useState(false);
  const [isPaused, setPaused] = useState(true);
  const [hasView, setHasView] = useState(true);
  const link = linkTo(
    { scenario, overrides },
    {
      ...(hasView ? viewForLink(view, hiddenAtFirst(scenario, actors)) : {}),
      ...(isLocked ? { lock: true } : {}),
      ...(isPaused ? {} : { paused: false }),
      ...(digest === undefined ? {} : { d: digest }),
    },
  );
  const url = link.ok ? `${location.origin}${location.pathname}#${link.hash}` : '';
  return (
    <Dialog title="Share this run" isOpen onClose={dialog.close}>
      <p className="dialog-note">
        The link holds the whole configuration and nothing else is needed: who opens it sees the identical
        run, event for event.
      </p>
      <div className="dialog-options">
        <Switch isSelected={hasView} onChange={setHasView}>
          Include what is looked at: window, cursor, selection, panels
        </Switch>
        <Switch isSelected={isPaused} onChange={setPaused}>
          Start paused
        </Switch>
        <Switch isSelected={isLocked} onChange={setLocked}>
          Lock the controls
        </Switch>
      </div>
      {link.ok ? (
        <>
          <TextArea label="Link" value={url} rows={3} />
          <div className="dialog-actions">
            <CopyButton text={url} label="Copy the link">
              Copy link
            </CopyButton>
            <span className="dialog-note">
              {url.length} characters
              {digest === undefined ? '' : ' · digest '}
              {digest !== undefined && <code>{digest}</code>}
            </span>
          </div>
        </>
      ) : (
        <p className="dialog-fault" role="alert">
          {link.problem.message}
        </p>
      )}
    </Dialog>
  );
}
