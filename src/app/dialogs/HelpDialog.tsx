import { POINTER_ACTIONS, TIMELINE_ACTIONS } from '../../timeline/actions.ts';
import { Button } from '../../ui/Button.tsx';
import { Dialog } from '../../ui/Dialog.tsx';
import { ACTIONS, type Action, keyLabel } from '../actions.ts';
import { useSession } from '../session.ts';

interface Line {
  readonly label: string;
  readonly keys: readonly string[];
}

function Keys({ title, lines }: { readonly title: string; readonly lines: readonly Line[] }) {
  return (
    <section className="help-group">
      <h3>{title}</h3>
      <dl>
        {lines.map(({ label, keys }) => (
          <div key={label} className="help-line">
            <dt>
              {keys.map((key, i) => (
                <span key={key}>
                  {i > 0 && ' or '}
                  <kbd>{key}</kbd>
                </span>
              ))}
            </dt>
            <dd>{label}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

const GROUPS = ['Playing', 'Configuration', 'Page'] as const;

function linesOf(group: Action['group']): Line[] {
  return ACTIONS.filter((action) => action.group === group && action.keys.length > 0).map(
    ({ label, keys }) => ({
      label,
      keys: keys.map(keyLabel),
    }),
  );
}

/** Keys of the page and of the timeline, from the same lists that listen for them, and what the pointer does there. */
export function HelpDialog() {
  const { dialog } = useSession();
  return (
    <Dialog title="Keys and pointer" isOpen onClose={dialog.close}>
      <div className="help">
        {GROUPS.map((group) => (
          <Keys key={group} title={group} lines={linesOf(group)} />
        ))}
        <Keys
          title="Timeline, with the pointer"
          lines={POINTER_ACTIONS.map(({ label, ways }) => ({ label, keys: ways }))}
        />
        <Keys
          title="Timeline, while it has the focus"
          lines={TIMELINE_ACTIONS.map(({ label, keyLabel: key }) => ({ label, keys: [key] }))}
        />
      </div>
      <p className="dialog-actions">
        <Button aria-haspopup="dialog" onPress={() => dialog.show('flavours')}>
          Which flavour am I waiting for?
        </Button>
      </p>
      <p className="dialog-note">
        Every key here is also a button. Sliders: arrows for a small step, page keys for a large one. rcuscope
        works offline and sends nothing anywhere. A call that takes too long on a real machine: docs/waits.md
        of the project says which waits look like it (cgroup.procs, membarrier(), network namespaces, hotplug,
        lazy callbacks) and how to check each.
      </p>
    </Dialog>
  );
}
