import { useState } from 'react';
import {
  type CommandLineWord,
  NOT_OF_RCU,
  parseKernelCommandLine,
} from '../../config/parseKernelCommandLine.ts';
import type { ConfigPath } from '../../state/configStore.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { TextArea } from '../../ui/TextArea.tsx';
import { useSession, useSetup } from '../session.ts';

type Parsed = ReturnType<typeof parseKernelCommandLine>;

/** What a command line sets, as values of the configuration. */
function valuesOf({ input }: Parsed): [ConfigPath, unknown][] {
  const { params, kconfig, cpus, preempt } = input;
  return [
    ...Object.entries(params ?? {}).map(([name, value]): [ConfigPath, unknown] => [['params', name], value]),
    ...Object.entries(kconfig ?? {}).map(([name, value]): [ConfigPath, unknown] => [
      ['kconfig', name],
      value,
    ]),
    ...(cpus === undefined ? [] : [[['cpus'], cpus] as [ConfigPath, unknown]]),
    ...(preempt === undefined ? [] : [[['preempt'], preempt] as [ConfigPath, unknown]]),
  ];
}

function Words({ title, words }: { readonly title: string; readonly words: readonly CommandLineWord[] }) {
  if (words.length === 0) return null;
  return (
    <section>
      <h3>{title}</h3>
      <ul className="dialog-list">
        {words.map((word, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the same word may stand twice in a command line
          <li key={`${i}:${word.text}`}>
            <code>{word.text}</code>
            <span className="dialog-note"> {word.why ?? word.comesTo ?? ''}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** What became of each word. Words that have nothing to do with RCU are listed in one line. */
function Outcome({ parsed }: { readonly parsed: Parsed }) {
  const ignored = parsed.words.filter(({ fate }) => fate === 'ignored');
  const foreign = ignored.filter(({ isForeign }) => isForeign);
  // about the text as a whole: what a shell or init gets; foreign words have a line of their own
  const remarks = parsed.notices.filter(
    ({ path, allowed }) => path === 'command line' && allowed !== NOT_OF_RCU,
  );
  return (
    <div className="dialog-outcome" role="status">
      <Words title="Sets" words={parsed.words.filter(({ fate }) => fate === 'set')} />
      <Words title="Ignored" words={ignored.filter(({ isForeign }) => !isForeign)} />
      {foreign.length > 0 && (
        <p className="dialog-note">
          Not about RCU: <code>{foreign.map(({ text }) => text).join(' ')}</code>
        </p>
      )}
      {remarks.map(({ value, allowed }) => (
        <p key={allowed} className="dialog-note">
          <code>{String(value)}</code> {allowed}
        </p>
      ))}
    </div>
  );
}

/** Takes over what a kernel command line says, and lists what it says that has no effect here, and why. */
export function CommandLineDialog() {
  const { dialog, config, run } = useSession();
  const booted = useSetup((setup) => setup.config);
  const { kernel } = booted;
  const [text, setText] = useState('');
  const parsed = text.trim() === '' ? undefined : parseKernelCommandLine(text, booted);
  const values = parsed === undefined ? [] : valuesOf(parsed);
  const apply = () => {
    if (parsed === undefined) return;
    config.setValues(values);
    const ignored = parsed.words.filter(({ fate, isForeign }) => fate === 'ignored' && !isForeign);
    if (ignored.length > 0) {
      run.notify({
        source: 'commandLine',
        tone: 'info',
        text: 'Of the command line this was ignored:',
        details: ignored.map(({ text: word, why }) => `${word}: ${why}`),
      });
    }
    dialog.close();
  };
  return (
    <Dialog title="Paste a kernel command line" isOpen onClose={dialog.close}>
      <TextArea
        label="Kernel command line"
        description={`As in /proc/cmdline; read for ${kernel}.`}
        value={text}
        onChange={setText}
        rows={4}
      />
      {parsed !== undefined && <Outcome parsed={parsed} />}
      <div className="dialog-actions">
        <Button look="primary" isDisabled={values.length === 0} onPress={apply}>
          Set{' '}
          {values.length === 0
            ? 'nothing yet'
            : values.length === 1
              ? 'one value'
              : `${values.length} values`}
        </Button>
        <Button onPress={dialog.close}>Cancel</Button>
      </div>
    </Dialog>
  );
}
