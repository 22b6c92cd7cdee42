import { useState } from 'react';
import { Switch } from '../../ui/Switch.tsx';
import type { PanelActions, RunChange } from '../panelProps.ts';
import type { LifeFault, LifeStateId, LifeSwitch, LifeView } from './lifeLine.ts';

/** Where each state stands: the life of an object runs clockwise, what leaks goes off to the right. */
const BOXES: Readonly<Record<LifeStateId, readonly [x: number, y: number]>> = {
  none: [4, 16],
  queued: [134, 16],
  ready: [134, 104],
  freed: [4, 104],
  leaked: [262, 16],
};
const WIDTH = 78;
const HEIGHT = 38;

interface EdgeView {
  readonly d: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

const EDGES: readonly EdgeView[] = [
  { d: 'M82 35H128', text: 'queue', x: 106, y: 29, anchor: 'middle' },
  { d: 'M173 54V98', text: 'unqueue', x: 179, y: 80, anchor: 'start' },
  { d: 'M134 123H88', text: 'free', x: 109, y: 117, anchor: 'middle' },
];
const FAULTS: Readonly<Record<LifeFault['id'], EdgeView>> = {
  freeActive: { d: 'M140 54 78 99', text: '', x: 96, y: 74, anchor: 'end' },
  doubleQueue: { d: 'M196 16C200 2 236 2 268 13', text: '', x: 258, y: 9, anchor: 'end' },
  leaked: { d: 'M212 40H256', text: '', x: 216, y: 54, anchor: 'start' },
};

/** The states of an object and what may go wrong, with how many are where at the cursor. */
function Picture({ view }: { readonly view: LifeView }) {
  return (
    <svg className="kfb-life" viewBox="0 0 344 146" role="img" aria-label={view.label}>
      <defs>
        <marker
          id="kfb-tip"
          viewBox="0 0 8 8"
          refX="6"
          refY="4"
          markerWidth="7"
          markerHeight="7"
          orient="auto"
        >
          <path d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {EDGES.map((edge) => (
        <Edge key={edge.d} edge={edge} look="usual" />
      ))}
      {view.faults.map(({ id, text, hasHappened }) => (
        <Edge key={id} edge={{ ...FAULTS[id], text }} look={hasHappened ? 'fault happened' : 'fault'} />
      ))}
      {view.states.map(({ id, name, count, isActive }) => {
        const [x, y] = BOXES[id];
        return (
          <g className={`kfb-life-state kfb-life-${id}${isActive ? ' is-active' : ''}`} key={id}>
            <rect x={x} y={y} width={WIDTH} height={HEIGHT} rx="5" />
            <text x={x + WIDTH / 2} y={y + (count === '' ? 23 : 16)}>
              {name}
            </text>
            <text className="kfb-life-count" x={x + WIDTH / 2} y={y + 31}>
              {count}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function Edge({ edge, look }: { readonly edge: EdgeView; readonly look: string }) {
  const { d, text, x, y, anchor } = edge;
  return (
    <g className={`kfb-edge ${look}`}>
      <path d={d} markerEnd="url(#kfb-tip)" />
      <text x={x} y={y} textAnchor={anchor}>
        {text}
      </text>
    </g>
  );
}

/** What a switch writes. Values of rules are named by a kernel that has them. */
function changesOf(id: LifeSwitch['id'], isOn: boolean): readonly RunChange[] {
  const debug: RunChange = [['kconfig', 'DEBUG_OBJECTS_RCU_HEAD'], isOn];
  switch (id) {
    case 'debugObjects':
      return [debug];
    case 'bulkPath': {
      const rule: RunChange = [['rules', 'kvfree.debugBulk'], isOn ? 'kfree-bulk-2019-12-31' : 'v5.7'];
      return isOn ? [rule, debug] : [rule];
    }
    case 'oldAttach':
      return [[['rules', 'kvfree.attach'], isOn ? 'v5.18' : 'v6.3']];
  }
}

interface LifeLineProps {
  readonly view: LifeView;
  /** Identity of the run on the screen. */
  readonly run: object;
  readonly isLocked: boolean;
  readonly onChange: PanelActions['change'];
}

/** The life of an object for debug objects, and the switches of what may go wrong. */
export function LifeLine({ view, run, isLocked, onChange }: LifeLineProps) {
  // A switch that was just thrown stays thrown until the run that has it arrives.
  const [thrown, setThrown] = useState<{
    readonly run: object;
    readonly isOn: ReadonlyMap<string, boolean>;
  }>();
  const pending = thrown?.run === run ? thrown.isOn : undefined;
  const set = (id: LifeSwitch['id'], isOn: boolean) => {
    const both = id === 'bulkPath' && isOn ? [['debugObjects', true] as const] : [];
    setThrown({ run, isOn: new Map([...(pending ?? []), [id, isOn], ...both]) });
    onChange(changesOf(id, isOn));
  };
  return (
    <>
      <p className={`kfb-verdict tone-${view.verdictTone}`}>
        <b className="tone-text">{view.verdict}</b>
      </p>
      <Picture view={view} />
      <ul className="kfb-switches">
        {view.switches.map(({ id, text, note, isOn }) => (
          <li key={id}>
            <Switch
              isSelected={pending?.get(id) ?? isOn}
              isDisabled={isLocked}
              onChange={(next) => set(id, next)}
            >
              <span>{text}</span>
            </Switch>
            <span className="muted">{note}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
