import { bootArguments } from '../../config/bootArguments.ts';
import { CopyButton } from '../../ui/CopyButton.tsx';
import { ActionButton } from '../header/ActionButton.tsx';
import { useSetup } from '../session.ts';

/** What to put on the kernel's command line for this configuration, and the way in the other direction. */
export function BootArguments() {
  const text = useSetup(({ config }) => bootArguments(config));
  return (
    <section className="boot-arguments" aria-label="Boot arguments">
      {text === '' ? (
        <p className="tunable-meaning">Boot arguments: none, every parameter is at its default.</p>
      ) : (
        <code>{text}</code>
      )}
      <div className="boot-arguments-actions">
        {text !== '' && <CopyButton text={text} label="Copy boot arguments" />}
        <ActionButton id="commandLine" icon="plus" text="Paste a command line" look="plain" />
      </div>
    </section>
  );
}
