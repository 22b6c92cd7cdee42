import './rcu-tree.css';
import { useState } from 'react';
import { plural } from '../format.ts';
import type { PanelActions, PanelProps } from '../panelProps.ts';
import { RcuCard } from '../RcuCard.tsx';
import { TREE_NOTES, type TreeCell, type TreeRow, type TreeView, treeView } from './model.ts';

/** Whose bit is missing, level by level. */
export function RcuTreePanel({ data, actions, tools }: PanelProps) {
  const [path, setPath] = useState<readonly number[]>([]);
  return (
    <RcuCard title="rcu_node tree" subtitle="bits still owed" notes={TREE_NOTES} data={data} tools={tools}>
      {(state, info) => (
        <Tree view={treeView(state, info, path)} path={path} onPath={setPath} onSeek={actions.seekRow} />
      )}
    </RcuCard>
  );
}

interface TreeProps {
  readonly view: TreeView;
  readonly path: readonly number[];
  readonly onPath: (path: readonly number[]) => void;
  readonly onSeek: PanelActions['seekRow'];
}

function Tree({ view, path, onPath, onSeek }: TreeProps) {
  return (
    <>
      <p className={`rcu-verdict tone-${view.verdictTone}`}>
        <b className="tone-text">{view.verdict}</b>
        {path.length > 0 && (
          <button type="button" className="rcu-follow" onClick={() => onPath([])}>
            follow what is missing
          </button>
        )}
      </p>
      {view.rows.map((row, level) => (
        <Level
          key={row.node}
          row={row}
          onChoose={(bit) => onPath([...view.rows.slice(0, level).map(({ chosen }) => chosen), bit])}
        />
      ))}
      <ul className="rcu-owners">
        {view.owners.map(({ key, text, row }) => (
          <li key={key}>
            {row < 0 ? (
              <span className="tone-poll tone-text">{text}</span>
            ) : (
              <button type="button" className="line-button" onClick={() => onSeek(row)}>
                <span className="tone-poll tone-text">{text}</span>
              </button>
            )}
          </li>
        ))}
      </ul>
      {view.moreOwners > 0 && <p className="muted rcu-more">and {plural(view.moreOwners, 'more', 'more')}</p>}
    </>
  );
}

function Level({ row, onChoose }: { readonly row: TreeRow; readonly onChoose: (bit: number) => void }) {
  return (
    <div className="rcu-level">
      <div className="rcu-level-head">
        <b>{row.title}</b>
        <code className="muted">qsmask {row.mask}</code>
      </div>
      <div className="rcu-cells">
        {row.cells.map((cell) =>
          row.chosen < 0 ? (
            <Cell key={cell.bit} cell={cell} />
          ) : (
            <button
              key={cell.bit}
              type="button"
              className={`rcu-cell rcu-cell-${cell.state}${cell.bit === row.chosen ? ' is-chosen' : ''}`}
              aria-label={cell.text}
              aria-pressed={cell.bit === row.chosen}
              onClick={() => onChoose(cell.bit)}
            >
              {cell.label}
            </button>
          ),
        )}
      </div>
    </div>
  );
}

function Cell({ cell }: { readonly cell: TreeCell }) {
  return (
    <span className={`rcu-cell rcu-cell-${cell.state}`} role="img" aria-label={cell.text} title={cell.text}>
      {cell.label}
    </span>
  );
}
