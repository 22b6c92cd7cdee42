import { useState } from 'react';
import { Switch } from '../../ui/Switch.tsx';
import type { PanelActions, RunChange } from '../panelProps.ts';
import type { LifeFault, LifeStateId, LifeSwitch, LifeView, OwnLife } from './lifeLine.ts';

/** Where each state stands: the life of an object runs clockwise, what leaks goes off below. */
const BOXES: Readonly<Record<LifeStateId, readonly [x: number, y: number]>> = {
  none: [4, 4],
  queued: [152, 4],
  ready: [152, 84],
  freed: [4, 84],
  leaked: [152, 154],
};
const WIDTH = 84;
const HEIGHT = 38;

interface EdgeView {
  /** Absent: the edge of the fault before it. */
  readonly d?: string;
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly anchor: 'start' | 'middle' | 'end';
}

const EDGES: readonly EdgeView[] = [
  { d: 'M88 23H146', text: 'queue', x: 118, y: 17, anchor: 'middle' },
  { d: 'M194 42V78', text: 'unqueue', x: 188, y: 66, anchor: 'end' },
  { d: 'M152 103H94', text: 'free', x: 122, y: 97, anchor: 'middle' },
];
const FAULTS: Readonly<Record<LifeFault['id'], Omit<EdgeView, 'text'>>> = {
  freeActive: { d: 'M158 42 84 80', x: 4, y: 66, anchor: 'start' },
  leaked: { d: 'M236 28C256 60 256 140 241 162', x: 144, y: 170, anchor: 'end' },
  doubleQueue: { x: 144, y: 186, anchor: 'end' },
};

/** The states of an object and what may go wrong, with how many are where at the cursor. */
function Picture({ view }: { readonly view: LifeView }) {
  return (
    <svg className="kfb-life" viewBox="0 0 256 196" role="img" aria-label={view.label}>
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
          <path className="kfb-tip" d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {EDGES.map((edge) => (
        <Edge key={edge.text} edge={edge} look="usual" />
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
      {d !== undefined && <path d={d} markerEnd="url(#kfb-tip)" />}
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

/** What the object that is being explained goes through. */
function Stages({ own, onSeek }: { readonly own: OwnLife; readonly onSeek: PanelActions['seekRow'] }) {
  return (
    <>
      <p className="kfb-note muted">{own.title}</p>
      <ol className="kfb-stages">
        {own.stages.map(({ key, text, at, row, isFault }) => (
          <li key={key} className={isFault ? 'tone-error' : ''}>
            <button type="button" className="line-button" onClick={() => onSeek(row)}>
              <span className={isFault ? 'tone-text' : ''}>{text}</span>
              <span className="line-value muted">{at}</span>
            </button>
          </li>
        ))}
      </ol>
    </>
  );
}

interface LifeLineProps {
  readonly view: LifeView;
  /** Of the first object of the unit that is being explained; undefined: none is. */
  readonly own: OwnLife | undefined;
  /** Identity of the run on the screen. */
  readonly run: object;
  readonly isLocked: boolean;
  readonly onChange: PanelActions['change'];
  readonly onSeek: PanelActions['seekRow'];
}

/** The life of an object for debug objects, and the switches of what may go wrong. */
export function LifeLine({ view, own, run, isLocked, onChange, onSeek }: LifeLineProps) {
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
      <div className="kfb-life-body">
        <Picture view={view} />
        <div>
          {own === undefined ? (
            <p className="kfb-note muted">Choose a block of a CPU: its first object is followed here.</p>
          ) : (
            <Stages own={own} onSeek={onSeek} />
          )}
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
        </div>
      </div>
    </>
  );
}
